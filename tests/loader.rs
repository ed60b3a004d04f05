//! The loaders over real files and over memory: what they give, and what they never do.

#![expect(clippy::disallowed_methods, reason = "these tests make the files that are read")]
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use mdgraft::{DirLoader, EntryKind, Facts, LoadError, Loader, MemoryLoader};
use tempfile::TempDir;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A root `in` with a folder `out` beside it, which holds a secret.
fn root() -> Result<(TempDir, DirLoader), Box<dyn std::error::Error>> {
    let dir = TempDir::new()?;
    fs::create_dir_all(dir.path().join("in/sub/deep"))?;
    fs::create_dir(dir.path().join("out"))?;
    fs::write(dir.path().join("out/secret.md"), "SECRET")?;
    fs::write(dir.path().join("in/a.md"), "A")?;
    fs::write(dir.path().join("in/sub/b.md"), "B")?;
    let loader = DirLoader::open(dir.path().join("in"))?;
    Ok((dir, loader))
}

/// An answer in short: the text, `-` for nothing, or the kind of error.
fn short(loader: &dyn Loader, path: &str) -> String {
    match loader.load(path, 100) {
        Ok(Some(file)) => {
            format!("{} {}", file.facts.path, String::from_utf8_lossy(&file.bytes))
        }
        Ok(None) => "-".to_owned(),
        Err(LoadError::OutsideRoot { .. }) => "outside".to_owned(),
        Err(LoadError::TooLarge { .. }) => "too large".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_folder_and_a_map_give_the_same_answers() -> Outcome {
    let (dir, disk) = root()?;
    let memory = MemoryLoader::new([("a.md", "A"), ("sub/b.md", "B"), ("sub/deep/x", "X")]);
    fs::write(dir.path().join("in/sub/deep/x"), "X")?;
    for (link, target) in [
        ("l.md", "a.md"),
        ("l2.md", "l.md"),
        ("d", "sub/deep"),
        ("sub/up.md", "../a.md"),
        ("sub/deep/top", "../../sub"),
        ("here", "."),
        ("gone.md", "nothing.md"),
        ("loop.md", "loop.md"),
        ("ping", "pong"),
        ("pong", "ping"),
        ("out.md", "../out/secret.md"),
        ("out-gone.md", "../out/nothing.md"),
        ("out-dir", "../out"),
        ("out-abs.md", "/etc/passwd"),
        ("out-abs-gone.md", "/nothing/at/all"),
        ("out-far.md", "sub/../../out/secret.md"),
        ("out-twice.md", "out.md"),
        ("back.md", "../in/a.md"),
    ] {
        symlink(target, dir.path().join("in").join(link))?;
        memory.link(link, target);
    }
    let loops = "cannot be read: too many links";
    for (path, answer) in [
        ("a.md", "a.md A"),
        ("sub/b.md", "sub/b.md B"),
        ("l.md", "a.md A"),
        ("l2.md", "a.md A"),
        ("sub/up.md", "a.md A"),
        ("d/x", "sub/deep/x X"),
        ("d/top/b.md", "sub/b.md B"),
        ("here/here/a.md", "a.md A"),
        ("", "-"),
        ("sub", "-"),
        ("d", "-"),
        ("no.md", "-"),
        ("no/a.md", "-"),
        ("a.md/b.md", "-"),
        ("gone.md", "-"),
        ("A.md", "-"),
        ("a\\b.md", "-"),
        ("a\0.md", "-"),
        ("loop.md", &format!("`loop.md` {loops}")),
        ("ping", &format!("`ping` {loops}")),
        ("out.md", "outside"),
        ("out-gone.md", "outside"),
        ("out-dir/secret.md", "outside"),
        ("out-dir/nothing.md", "outside"),
        ("out-dir", "outside"),
        ("out-abs.md", "outside"),
        ("out-abs-gone.md", "outside"),
        ("out-far.md", "outside"),
        ("out-twice.md", "outside"),
        ("back.md", "outside"),
        ("../out/secret.md", "outside"),
        ("../out/nothing.md", "outside"),
        ("..", "outside"),
        ("sub/../../out/secret.md", "outside"),
        ("/etc/passwd", "outside"),
        ("/", "outside"),
    ] {
        assert_eq!(short(&disk, path), answer, "{path:?} on disk");
        assert_eq!(short(&memory, path), answer, "{path:?} in memory");
    }
    assert_eq!(short(&disk, &"x".repeat(300)), "-");
    for folder in ["", "sub", "d", "d/top", "a.md", "no", "out-dir", "loop.md", "here"] {
        assert_eq!(disk.list(folder), memory.list(folder), "{folder}");
    }
    let kinds = disk.list("")?.into_iter().flat_map(|listing| {
        listing.entries().map(|(name, kind)| format!("{name} {kind:?}")).collect::<Vec<_>>()
    });
    assert_eq!(
        kinds.collect::<Vec<_>>().join(", "),
        "a.md File, back.md Outside, d Folder, gone.md Other, here Folder, l.md File, l2.md File, \
         loop.md Other, out-abs-gone.md Outside, out-abs.md Outside, out-dir Outside, \
         out-far.md Outside, out-gone.md Outside, out-twice.md Outside, out.md Outside, \
         ping Other, pong Other, sub Folder"
    );
    Ok(())
}

#[test]
fn forty_links_are_followed_and_one_more_is_not() -> Outcome {
    let (dir, disk) = root()?;
    symlink("a.md", dir.path().join("in/l1"))?;
    for number in 2..=41 {
        symlink(format!("l{}", number - 1), dir.path().join(format!("in/l{number}")))?;
    }
    assert_eq!(short(&disk, "l40"), "a.md A");
    assert_eq!(short(&disk, "l41"), "`l41` cannot be read: too many links");
    Ok(())
}

#[test]
fn what_is_no_regular_file_is_never_waited_for() -> Outcome {
    let (dir, disk) = root()?;
    make_pipe(&dir.path().join("in/pipe.md"))?;
    symlink("pipe.md", dir.path().join("in/l.md"))?;
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("in/socket.md"))?;
    for path in ["pipe.md", "l.md", "socket.md"] {
        assert_eq!(short(&disk, path), "-", "{path}");
        assert_eq!(disk.facts(path)?, None, "{path}");
    }
    assert_eq!(kind(&disk, "pipe.md")?, Some(EntryKind::Other));
    assert_eq!(kind(&disk, "l.md")?, Some(EntryKind::Other));

    let devices = DirLoader::open("/dev")?;
    for path in ["zero", "null", "tty"] {
        assert_eq!(short(&devices, path), "-", "{path}");
    }
    Ok(())
}

#[test]
fn a_large_file_is_refused_without_being_read() -> Outcome {
    let (dir, disk) = root()?;
    fs::File::create(dir.path().join("in/large.md"))?.set_len(1 << 30)?;
    assert_eq!(short(&disk, "large.md"), "too large");
    assert_eq!(disk.facts("large.md")?.map(|facts| facts.size), Some(1 << 30));

    fs::write(dir.path().join("in/n.md"), "12345678")?;
    let memory = MemoryLoader::new([("n.md", "12345678")]);
    for loader in [&disk as &dyn Loader, &memory] {
        assert_eq!(loader.load("n.md", 8)?.map(|loaded| loaded.bytes.len()), Some(8));
        let error = loader.load("n.md", 7).err();
        assert_eq!(error, Some(LoadError::TooLarge { path: "n.md".to_owned(), limit: 7 }));
    }
    Ok(())
}

#[test]
fn names_that_are_no_text_do_not_exist() -> Outcome {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let (dir, disk) = root()?;
    let name = OsStr::from_bytes(b"caf\xe9.md");
    if fs::write(dir.path().join("in").join(name), "x").is_err() {
        return Ok(()); // This file system knows UTF-8 only.
    }
    symlink(name, dir.path().join("in/l.md"))?;
    let names = disk
        .list("")?
        .into_iter()
        .flat_map(|listing| listing.entries().map(|(name, _)| name.to_owned()).collect::<Vec<_>>());
    assert_eq!(names.collect::<Vec<_>>(), ["a.md", "l.md", "sub"]);
    assert_eq!(short(&disk, "l.md"), "-");
    Ok(())
}

#[test]
fn facts_change_with_the_file() -> Outcome {
    let (dir, disk) = root()?;
    let memory = MemoryLoader::new([("a.md", "A"), ("b.md", "B")]);
    fs::write(dir.path().join("in/b.md"), "B")?;
    symlink("a.md", dir.path().join("in/l.md"))?;
    memory.link("l.md", "a.md");

    let facts = |loader: &dyn Loader| -> Result<(Option<Facts>, Option<Facts>), LoadError> {
        Ok((loader.facts("a.md")?, loader.facts("l.md")?))
    };
    let (disk_before, memory_before) = (facts(&disk)?, facts(&memory)?);
    assert_eq!(disk_before, facts(&disk)?);
    assert_eq!(disk_before.0, disk_before.1);
    assert_eq!(disk.load("a.md", 9)?.map(|loaded| loaded.facts), disk_before.0);
    assert_eq!(memory.load("a.md", 9)?.map(|loaded| loaded.facts), memory_before.0);
    assert!(disk_before.0.is_some_and(|facts| {
        facts.modified.is_some() && facts.changed.is_some() && facts.identity.is_some()
    }));

    // The same size, written anew under the same name.
    fs::write(dir.path().join("in/new"), "X")?;
    fs::rename(dir.path().join("in/new"), dir.path().join("in/a.md"))?;
    memory.insert("a.md", "X");
    assert_ne!(facts(&disk)?.0, disk_before.1);
    assert_ne!(facts(&memory)?.0, memory_before.0);

    fs::remove_file(dir.path().join("in/l.md"))?;
    symlink("b.md", dir.path().join("in/l.md"))?;
    memory.link("l.md", "b.md");
    for loader in [&disk as &dyn Loader, &memory] {
        assert_eq!(facts(loader)?.1.map(|facts| facts.path.to_string()).as_deref(), Some("b.md"));
    }
    memory.remove("b.md");
    assert_eq!(memory.facts("l.md")?, None);
    Ok(())
}

#[test]
fn a_file_that_may_not_be_read_is_an_error() -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    let (dir, disk) = root()?;
    let path = dir.path().join("in/a.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000))?;
    if fs::read(&path).is_ok() {
        return Ok(()); // Whoever runs this may read everything.
    }
    assert_eq!(short(&disk, "a.md"), "`a.md` cannot be read: permission denied");
    Ok(())
}

#[test]
fn a_root_must_be_a_folder_and_stays_open() -> Outcome {
    let (dir, disk) = root()?;
    assert!(DirLoader::open(dir.path().join("no")).is_err());
    assert!(DirLoader::open(dir.path().join("in/a.md")).is_err());
    symlink("in", dir.path().join("link"))?;
    assert_eq!(short(&DirLoader::open(dir.path().join("link"))?, "a.md"), "a.md A");
    fs::rename(dir.path().join("in"), dir.path().join("moved"))?;
    assert_eq!(short(&disk, "a.md"), "a.md A");
    Ok(())
}

/// While a name keeps changing between a file, a pipe, and links that lead out, a loader gives
/// the file or nothing, never what is outside, and never waits.
#[test]
fn a_name_that_changes_meanwhile_leads_nowhere_else() -> Outcome {
    let (dir, disk) = root()?;
    let place = |name: &str| dir.path().join("in").join(name);
    fs::write(place("file"), "A")?;
    make_pipe(&place("pipe"))?;
    symlink("../out/secret.md", place("link"))?;
    symlink("../out", place("folder-link"))?;
    fs::create_dir(place("folder"))?;
    fs::write(place("folder/secret.md"), "A")?;
    let stop = AtomicBool::new(false);
    thread::scope(|scope| -> Outcome {
        let swapping = scope.spawn(|| -> std::io::Result<()> {
            for round in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                // A hard link or a rename replaces the name in one step.
                let (name, folder) = match round % 3 {
                    0 => ("file", "folder"),
                    1 => ("pipe", "folder-link"),
                    _ => ("link", "folder-link"),
                };
                fs::hard_link(place(name), place("next"))?;
                fs::rename(place("next"), place("x.md"))?;
                fs::rename(place(folder), place("y"))?;
                fs::rename(place("y"), place(folder))?;
            }
            Ok(())
        });
        let mut answers = std::collections::BTreeSet::new();
        for _ in 0..3000 {
            answers.insert(short(&disk, "x.md"));
            answers.insert(short(&disk, "y/secret.md"));
        }
        stop.store(true, Ordering::Relaxed);
        swapping.join().map_err(|_| "the swapping thread panicked")??;
        let wrong: Vec<&String> = answers.iter().filter(|text| text.contains("SECRET")).collect();
        assert!(wrong.is_empty(), "{answers:?}");
        Ok(())
    })
}

fn kind(loader: &dyn Loader, name: &str) -> Result<Option<EntryKind>, LoadError> {
    let listing = loader.list("")?;
    let kind = listing.iter().flat_map(|listing| listing.entries().filter(|entry| entry.0 == name));
    Ok(kind.map(|(_, kind)| kind).next())
}

fn make_pipe(path: &Path) -> std::io::Result<()> {
    let status = Command::new("mkfifo").arg(path).status()?;
    if status.success() { Ok(()) } else { Err(std::io::Error::other("mkfifo failed")) }
}
