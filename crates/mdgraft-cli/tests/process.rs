//! What pages cannot show: the environment, closed pipes, terminals and files.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program in a folder, with nothing of the environment that it would look at.
fn mdgraft(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mdgraft"));
    command.args(arguments).current_dir(folder);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MDGRAFT_") {
            command.env_remove(name);
        }
    }
    for name in ["NO_COLOR", "UPDATE", "CI"] {
        command.env_remove(name);
    }
    command
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    for (name, text) in files {
        let file = folder.path().join(name);
        let made = fs::create_dir_all(file.parent().unwrap_or(folder.path()));
        made.and_then(|()| fs::write(&file, text)).unwrap_or_else(|error| panic!("{error}"));
    }
    folder
}

fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{error}"))
}

fn stdout(command: &mut Command) -> String {
    String::from_utf8_lossy(&output(command).stdout).into_owned()
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let folder = folder(&[
        ("mdgraft.toml", "comments = \"keep\"\nguard = \"warn\"\nmax_output = 5\n"),
        ("main.md", "a\n\n<!-- b -->\n"),
        ("main.zh.md", "zh\n"),
    ]);
    let render = |arguments: &[&str], name: &str, value: &str| {
        let mut command = mdgraft(folder.path(), &[&["render", "main.md"], arguments].concat());
        stdout(command.env("MDGRAFT_MAX_OUTPUT", "100").env(name, value))
    };
    assert_eq!(render(&[], "MDGRAFT_COMMENTS", "strip"), "a\n");
    assert_eq!(render(&["--comments", "keep"], "MDGRAFT_COMMENTS", "strip"), "a\n\n<!-- b -->\n");
    assert_eq!(render(&[], "MDGRAFT_VARIANT", "zh"), "zh\n");

    let over = output(&mut mdgraft(folder.path(), &["render", "main.md"]));
    assert_eq!(over.status.code(), Some(1), "the limit of the file holds");
    let wrong = output(mdgraft(folder.path(), &["check"]).env("MDGRAFT_MAX_OUTPUT", "much"));
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = folder(&[("main.md", &"a line of text\n".repeat(50_000))]);
    let mut child = mdgraft(folder.path(), &["render", "main.md"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{error}"));
    drop(child.stdout.take());
    let mut said = String::new();
    let stderr = child.stderr.as_mut().map(|stderr| stderr.read_to_string(&mut said));
    assert!(stderr.is_some_and(|read| read.is_ok()));
    let status = child.wait().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((said.as_str(), status.code()), ("", Some(0)));
}

#[test]
fn colours_are_for_terminals_only() {
    let folder = folder(&[("main.md", "{{ x }}\n")]);
    let said = |arguments: &[&str]| {
        let mut command = mdgraft(folder.path(), arguments);
        String::from_utf8_lossy(&output(&mut command).stderr).into_owned()
    };
    assert!(!said(&["render", "main.md"]).contains('\u{1b}'));
    assert!(said(&["render", "main.md", "--color", "always"]).contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn a_file_is_replaced_at_once_and_keeps_its_permissions() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    let folder = folder(&[("main.md", "new\n"), ("out.md", "old\n"), ("target.md", "old\n")]);
    let path = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(path(name)).map(|data| data.permissions().mode() & 0o777);
    let inode = |name: &str| fs::metadata(path(name)).map(|data| data.ino()).ok();
    let write = |name: &str| {
        let done = output(&mut mdgraft(folder.path(), &["render", "main.md", "-o", name]));
        assert!(done.status.success());
    };

    let set = fs::set_permissions(path("out.md"), fs::Permissions::from_mode(0o640));
    assert!(set.is_ok());
    let before = inode("out.md");
    write("out.md");
    assert_eq!(fs::read_to_string(path("out.md")).ok().as_deref(), Some("new\n"));
    assert_eq!(mode("out.md").ok(), Some(0o640));
    assert_ne!(inode("out.md"), before, "the old file was written over");

    assert!(std::os::unix::fs::symlink("target.md", path("link.md")).is_ok());
    write("link.md");
    assert!(path("link.md").is_symlink(), "the link is still one");
    assert_eq!(fs::read_to_string(path("target.md")).ok().as_deref(), Some("new\n"));

    write("fresh.md");
    assert_eq!(mode("fresh.md").ok(), mode("main.md").ok(), "a new file is as any other");
    let names = fs::read_dir(folder.path()).map(Iterator::count).ok();
    assert_eq!(names, Some(5), "nothing is left behind");

    write("/dev/null");
}

#[test]
fn every_help_shows_an_example() {
    let folder = folder(&[]);
    let commands = [
        "render",
        "check",
        "tree",
        "vars",
        "test",
        "tools",
        "examples",
        "explain",
        "init",
        "completions",
        "man",
    ];
    for command in commands {
        let help = stdout(&mut mdgraft(folder.path(), &[command, "--help"]));
        assert!(help.contains(&format!("Examples:\n  mdgraft {command}")), "{command}: {help}");
    }
    let all = stdout(&mut mdgraft(folder.path(), &["--help"]));
    let listed = all.lines().filter(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        line.starts_with("  ") && commands.contains(&word)
    });
    assert_eq!(listed.count(), commands.len(), "{all}");
}

#[test]
fn completions_and_manuals_are_printed() {
    let folder = folder(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = stdout(&mut mdgraft(folder.path(), &["completions", shell]));
        assert!(text.contains("render"), "{shell}");
    }
    assert!(stdout(&mut mdgraft(folder.path(), &["man"])).contains(".TH mdgraft 1"));
    assert!(stdout(&mut mdgraft(folder.path(), &["man", "render"])).contains("deny\\-warnings"));
    let unknown = output(&mut mdgraft(folder.path(), &["man", "nope"]));
    assert_eq!(unknown.status.code(), Some(2));
}
