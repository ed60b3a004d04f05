//! `mdgraft check --fix` changes files of the user: what it may touch, and what stays as it was.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mdgraft"));
    command.arg("check").args(arguments).current_dir(folder).stdin(Stdio::null());
    command.output().unwrap_or_else(|error| panic!("{error}"))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"))
}

fn write(file: &Path, bytes: &[u8]) {
    let made = fs::create_dir_all(file.parent().unwrap_or(file));
    made.and_then(|()| fs::write(file, bytes)).unwrap_or_else(|error| panic!("{error}"));
}

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).unwrap_or_else(|error| panic!("{error}"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}"));
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.map(|entry| entry.file_name().to_string_lossy().into_owned()).unwrap_or_default()
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn only_the_places_change_and_nothing_is_left_behind() {
    let folder = folder();
    let file = folder.path().join("main.md");
    write(&file, "\u{feff}{{ x }}\r\n<div>\r\n# A\r\n".as_bytes());
    let done = check(folder.path(), &["main.md", "--fix"]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert_eq!(read(&file), "\u{feff}{{x}}\r\n<div>\r\n\r\n# A\r\n".as_bytes());
    assert_eq!(names(folder.path()), ["main.md"]);

    let modified = fs::metadata(&file).and_then(|facts| facts.modified()).ok();
    let again = check(folder.path(), &["main.md", "--fix"]);
    assert_eq!(again.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&again.stderr).contains("mended"), "{again:?}");
    assert_eq!(fs::metadata(&file).and_then(|facts| facts.modified()).ok(), modified);
}

#[test]
fn without_the_flag_nothing_changes() {
    let folder = folder();
    let file = folder.path().join("main.md");
    write(&file, b"{{ x }}\n");
    assert_eq!(check(folder.path(), &["main.md"]).status.code(), Some(1));
    assert_eq!(read(&file), b"{{ x }}\n");
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let file = folder.path().join("main.md");
    for flags in [&["main.md", "--fix"][..], &["main.md", "--fix", "--escape"]] {
        write(&file, b"{{ x }}\n");
        let set = fs::set_permissions(&file, fs::Permissions::from_mode(0o640));
        set.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(check(folder.path(), flags).status.code(), Some(0));
        assert_ne!(read(&file), b"{{ x }}\n");
        let mode = fs::metadata(&file).map(|facts| facts.permissions().mode() & 0o777);
        assert_eq!(mode.ok(), Some(0o640));
    }
}

#[cfg(unix)]
#[test]
fn nothing_outside_of_the_root_is_written() {
    let folder = folder();
    let outside = folder.path().join("outside.md");
    let root = folder.path().join("prompts");
    write(&outside, b"{{ x }}\n");
    write(&root.join("main.md"), b"{{ y }}\n\n<<> link.md>>\n");
    let link = std::os::unix::fs::symlink("../outside.md", root.join("link.md"));
    link.unwrap_or_else(|error| panic!("{error}"));
    for path in ["prompts", "prompts/main.md", "prompts/link.md"] {
        let done = check(folder.path(), &[path, "--fix", "--root", "prompts"]);
        assert_eq!(done.status.code(), Some(1), "{path}: {done:?}");
        assert_eq!(read(&outside), b"{{ x }}\n", "{path}");
    }
    let escape = ["prompts/link.md", "--fix", "--escape", "--root", "prompts"];
    assert_eq!(check(folder.path(), &escape).status.code(), Some(2));
    assert_eq!(read(&outside), b"{{ x }}\n");
    assert_eq!(read(&root.join("main.md")), b"{{y}}\n\n<<> link.md>>\n");
}

#[test]
fn every_form_tells_the_same() {
    let folder = folder();
    write(&folder.path().join("main.md"), b"# A\n\n<!-- endfi -->\n\n{{ x }}\n");
    let shown = |form: &str| {
        let done = check(folder.path(), &["main.md", "--format", form]);
        assert_eq!(done.status.code(), Some(1));
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    for form in ["human", "short", "json", "github"] {
        let shown = shown(form);
        for code in ["near-miss-directive", "malformed-reference"] {
            assert!(shown.contains(code), "{form}: {shown}");
        }
    }
    let json: serde_json::Value =
        serde_json::from_str(&shown("json")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(json["diagnostics"][0]["code"], "near-miss-directive");
}
