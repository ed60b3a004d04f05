//! Packs are believed only where they are right: whatever becomes of their bytes, an engine gives
//! what it gives without one.

#![expect(clippy::disallowed_methods, reason = "these tests make files, and damage them")]
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use mdgraft::{DirLoader, Engine, Freshness, LoadError, MemoryLoader, PackError, render, vars};
use tempfile::TempDir;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const FILES: [(&str, &str); 6] = [
    ("main.md", "---\nextends: base.md\n---\n\n# Rules\n\n{{who|upper}}: {{n|default(1)}}\n"),
    ("base.md", "# Rules\n\n# More\n\n<<> parts/*.md>>\n\n<<> none | optional>>\n"),
    ("parts/a.md", "<!-- if: n > 1 and who in [\"x\", 2.5] -->\nmany\n<!-- endif -->\r\none\r\n"),
    ("parts/b.md", "```json tools\n{\"name\": \"t\"}\n```\n"),
    ("bad.md", "{{ x }}\n\n<<> nothing.md>>\n"),
    ("code.md", "<<> parts/a.md | code>>\n\n- <<> parts/b.md | raw>>\n"),
];

const ENTRIES: [&str; 3] = ["main.md", "bad.md", "code.md"];

fn report(engine: &Engine) -> String {
    let one = |entry: &&str| match engine.load(entry) {
        Err(diagnostics) => diagnostics.human().to_string(),
        Ok(tree) => match render(&tree, &vars! { who: "ada" }, ()) {
            Err(diagnostics) => diagnostics.human().to_string(),
            Ok(prompt) => format!("{}{}", prompt.text(), prompt.warnings()),
        },
    };
    ENTRIES.iter().map(one).collect::<Vec<_>>().join("\n----\n")
}

fn files(root: &Path) -> std::io::Result<()> {
    fs::create_dir_all(root.join("parts"))?;
    FILES.iter().try_for_each(|(path, text)| fs::write(root.join(path), text))
}

fn open(root: &Path) -> Result<Engine, LoadError> {
    Ok(Engine::new(DirLoader::open(root)?))
}

/// An engine that has loaded everything, what it gave, and its pack.
fn packed() -> (String, Vec<u8>) {
    let engine = Engine::new(MemoryLoader::new(FILES));
    (report(&engine), engine.pack_bytes())
}

#[test]
fn a_pack_alone_gives_the_same_without_parsing() -> Outcome {
    let (expected, bytes) = packed();
    let engine = Engine::from_pack_bytes(bytes.leak())?;
    assert_eq!(report(&engine), expected);
    let stats = engine.stats();
    assert_eq!((stats.parses, stats.reads), (0, 0));
    // What it does not hold is not there.
    assert!(engine.load("other.md").is_err_and(|told| told.to_string().contains("not-found")));
    Ok(())
}

#[test]
fn equal_files_give_equal_bytes() -> Outcome {
    let (_, bytes) = packed();
    let (one, two) = (TempDir::new()?, TempDir::new()?);
    for dir in [&one, &two] {
        files(dir.path())?;
        thread::sleep(Duration::from_millis(20));
    }
    let backwards = open(two.path())?;
    for entry in ENTRIES.iter().rev() {
        let _ = backwards.load(entry);
    }
    let forwards = open(one.path())?;
    report(&forwards);
    assert_eq!(forwards.pack_bytes(), bytes);
    assert_eq!(backwards.pack_bytes(), bytes);
    // One that began with a pack makes the same pack again.
    let again = Engine::from_pack_bytes(bytes.clone().leak())?;
    report(&again);
    assert_eq!(again.pack_bytes(), bytes);
    Ok(())
}

#[test]
fn damage_is_found_and_never_believed() -> Outcome {
    let dir = TempDir::new()?;
    files(dir.path())?;
    let (expected, bytes) = packed();
    let pack = dir.path().join("pack");
    let check = |damaged: &[u8], what: &str| -> Outcome {
        fs::write(&pack, damaged)?;
        assert!(Engine::verify_pack(&pack).is_err(), "{what}");
        let engine = open(dir.path())?.with_pack(&pack).with_freshness(Freshness::Trust);
        assert_eq!(report(&engine), expected, "{what}");
        Ok(())
    };
    // A step that meets every kind of byte, and all of the header.
    for at in (0..bytes.len()).filter(|at| *at < 200 || at % 23 == 0) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        check(&damaged, &format!("bit of byte {at}"))?;
    }
    for length in (0..bytes.len()).filter(|at| at % 67 == 0) {
        check(&bytes[..length], &format!("first {length} bytes"))?;
    }
    check(&[&bytes[..], b"more"].concat(), "more bytes")?;
    check(b"something else", "something else")?;
    check(&vec![0xff; bytes.len()], "only ones")?;
    Ok(())
}

#[test]
fn damage_of_a_pack_alone_is_an_error_and_nothing_else() -> Outcome {
    let (_, bytes) = packed();
    let whole = Engine::from_pack_bytes(bytes.clone().leak())?;
    let expected: Vec<String> = ENTRIES.iter().map(|entry| short(&whole, entry)).collect();
    for at in (0..bytes.len()).step_by(31) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let Ok(engine) = Engine::from_pack_bytes(damaged.leak()) else { continue };
        for (entry, expected) in ENTRIES.iter().zip(&expected) {
            let came = short(&engine, entry);
            assert!(came == *expected || came.contains("the pack is damaged"), "{at} {came}");
        }
    }
    Ok(())
}

fn short(engine: &Engine, entry: &str) -> String {
    engine.load(entry).map_or_else(
        |told| told.to_string(),
        |tree| {
            render(&tree, &vars! { who: "ada" }, ())
                .map_or_else(|told| told.to_string(), mdgraft::Rendered::into_text)
        },
    )
}

#[test]
fn what_is_no_pack_is_no_error() -> Outcome {
    let dir = TempDir::new()?;
    files(dir.path())?;
    let expected = report(&open(dir.path())?);
    let missing = open(dir.path())?.with_pack(dir.path().join("none"));
    assert!(matches!(missing.pack_problem(), Some(PackError::Io { .. })));
    let folder = open(dir.path())?.with_pack(dir.path());
    assert!(folder.pack_problem().is_some());
    fs::write(dir.path().join("pack"), "mdgraft\0 of another time")?;
    let foreign = open(dir.path())?.with_pack(dir.path().join("pack"));
    assert_eq!(foreign.pack_problem(), Some(PackError::Foreign));
    for engine in [missing, folder, foreign] {
        assert_eq!(report(&engine), expected);
    }
    assert!(Engine::from_pack_bytes(b"no pack").is_err());
    Ok(())
}

#[test]
fn files_that_have_not_changed_are_not_read() -> Outcome {
    let dir = TempDir::new()?;
    files(dir.path())?;
    // Facts prove nothing of what changed just now.
    thread::sleep(Duration::from_millis(2_200));
    let pack = dir.path().join("kept/pack");
    let engine = open(dir.path())?;
    let expected = report(&engine);
    engine.save_pack(&pack)?;

    let warm = || -> Result<Engine, LoadError> { Ok(open(dir.path())?.with_pack(&pack)) };
    let engine = warm()?;
    assert_eq!(report(&engine), expected);
    let (reads, parses) = (engine.stats().reads, engine.stats().parses);
    // Names that are not there are asked for; no file is read.
    assert_eq!(parses, 0);
    let missing = |path: &str| !dir.path().join(path).exists();
    let asked = ["none", "none.md", "none.markdown", "nothing.md", "nothing.md.md"];
    assert!(asked.iter().all(|path| missing(path)) && reads <= 6, "{reads}");

    fs::write(dir.path().join("parts/a.md"), "changed\n")?;
    let cold = report(&open(dir.path())?);
    assert_ne!(cold, expected);
    for freshness in [Freshness::Facts, Freshness::Content, Freshness::Events] {
        let engine = warm()?.with_freshness(freshness);
        assert_eq!(report(&engine), cold, "{freshness:?}");
        // The text of a template, and of the same file as code.
        assert_eq!(engine.stats().parses, 2, "{freshness:?}");
    }
    // In trust the pack is believed, until a change is told.
    let trusting = warm()?.with_freshness(Freshness::Trust);
    assert_eq!(report(&trusting), expected);
    trusting.changed("parts/a.md");
    assert_eq!(report(&trusting), cold);
    Ok(())
}

#[test]
fn many_write_and_read_one_pack_at_once() -> Outcome {
    let dir = TempDir::new()?;
    files(dir.path())?;
    let pack = dir.path().join("kept/pack");
    let expected = report(&open(dir.path())?);
    let done = AtomicBool::new(false);
    open(dir.path())?.save_pack(&pack)?;
    thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|number| {
                let (root, pack) = (dir.path(), &pack);
                scope.spawn(move || -> Result<(), String> {
                    let engine = open(root).map_err(|error| error.to_string())?;
                    for entry in &ENTRIES[..=number % 3] {
                        let _ = engine.load(entry);
                    }
                    for _ in 0..25 {
                        engine.save_pack(pack).map_err(|error| error.to_string())?;
                    }
                    Ok(())
                })
            })
            .collect();
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| -> Result<(), String> {
                    while !done.load(Ordering::SeqCst) {
                        Engine::verify_pack(&pack).map_err(|error| error.to_string())?;
                        let engine = open(dir.path()).map_err(|error| error.to_string())?;
                        let engine = engine.with_pack(&pack);
                        assert_eq!(engine.pack_problem(), None);
                        assert_eq!(report(&engine), expected);
                    }
                    Ok(())
                })
            })
            .collect();
        for writer in writers {
            assert!(matches!(writer.join(), Ok(Ok(()))));
        }
        done.store(true, Ordering::SeqCst);
        for reader in readers {
            assert!(matches!(reader.join(), Ok(Ok(()))));
        }
    });
    // No draft is left behind.
    let left = fs::read_dir(dir.path().join("kept"))?.count();
    assert_eq!(left, 2);
    Ok(())
}
