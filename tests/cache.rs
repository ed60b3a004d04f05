//! Caches never lie: whatever happens to the files, an engine that has loaded before gives what a
//! fresh one gives.

#![expect(clippy::disallowed_methods, reason = "these tests change the files that are read")]
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use mdgraft::{
    CacheLimits, DirLoader, Engine, Facts, Freshness, Listing, LoadError, LoadOptions, Loaded,
    Loader, MemoryLoader, PreparedVars, RenderOptions, Vars, render, vars,
};
use tempfile::TempDir;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// All that comes of a prompt, as one text.
fn report(engine: &Engine, entry: &str) -> String {
    match engine.load(entry) {
        Err(diagnostics) => diagnostics.human().to_string(),
        Ok(tree) => match render(&tree, &Vars::new(), ()) {
            Err(diagnostics) => diagnostics.human().to_string(),
            Ok(prompt) => format!("{}{}", prompt.text(), prompt.warnings()),
        },
    }
}

fn open(root: &Path) -> Result<Engine, LoadError> {
    Ok(Engine::new(DirLoader::open(root)?))
}

fn set_modified(path: &Path, time: SystemTime) -> std::io::Result<()> {
    File::options().append(true).open(path)?.set_modified(time)
}

#[test]
fn a_change_of_the_same_size_at_the_same_moment_is_seen() -> Outcome {
    let dir = TempDir::new()?;
    let main = dir.path().join("main.md");
    fs::write(&main, "000")?;
    let engine = open(dir.path())?;
    for number in 0..300 {
        let text = format!("{number:03}");
        fs::write(&main, &text)?;
        assert_eq!(report(&engine, "main.md").trim(), text);
    }
    Ok(())
}

#[test]
fn a_change_under_a_clock_that_was_set_back_is_seen() -> Outcome {
    let dir = TempDir::new()?;
    let main = dir.path().join("main.md");
    let engine = open(dir.path())?;
    let past = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for (text, time) in [
        ("one", past),
        ("two", past),
        ("six", past - Duration::from_secs(3600)),
        ("ten", SystemTime::now() + Duration::from_secs(3600)),
        ("all", SystemTime::now() + Duration::from_secs(3600)),
        ("end", SystemTime::UNIX_EPOCH),
    ] {
        fs::write(&main, text)?;
        set_modified(&main, time)?;
        assert_eq!(report(&engine, "main.md").trim(), text);
    }
    Ok(())
}

#[test]
fn a_link_whose_target_is_swapped_is_seen() -> Outcome {
    let dir = TempDir::new()?;
    let at = |name: &str| dir.path().join(name);
    for (folder, text) in [("one", "1"), ("two", "2")] {
        fs::create_dir(at(folder))?;
        fs::write(at(folder).join("x.md"), text)?;
        let past = SystemTime::now() - Duration::from_secs(3600);
        set_modified(&at(folder).join("x.md"), past)?;
    }
    fs::write(at("main.md"), "<<> file.md>>\n\n<<> folder/x.md>>\n")?;
    let engine = open(dir.path())?;
    for target in ["one", "two", "one"] {
        for name in ["file.md", "folder"] {
            let _ = fs::remove_file(at(name));
        }
        symlink(format!("{target}/x.md"), at("file.md"))?;
        symlink(target, at("folder"))?;
        let text = if target == "one" { "1\n\n1\n" } else { "2\n\n2\n" };
        assert_eq!(report(&engine, "main.md"), text);
    }
    Ok(())
}

#[test]
fn a_file_that_is_deleted_and_made_again_is_seen() -> Outcome {
    let dir = TempDir::new()?;
    let part = dir.path().join("part.md");
    fs::write(dir.path().join("main.md"), "<<> part.md>>\n")?;
    let engine = open(dir.path())?;
    for text in ["old\n", "new\n", "new\n"] {
        fs::write(&part, text)?;
        assert_eq!(report(&engine, "main.md"), text);
        let modified = fs::metadata(&part)?.modified()?;
        fs::remove_file(&part)?;
        assert!(report(&engine, "main.md").contains("include-not-found"));
        fs::write(&part, "odd\n")?;
        set_modified(&part, modified)?;
        assert_eq!(report(&engine, "main.md"), "odd\n");
    }
    Ok(())
}

/// A loader whose facts are what the test says, and which counts what is read.
#[derive(Default)]
struct Told {
    text: std::sync::Mutex<(String, Option<Facts>)>,
    reads: AtomicU64,
}

impl Told {
    fn set(&self, text: &str, facts: Facts) {
        if let Ok(mut state) = self.text.lock() {
            *state = (text.to_owned(), Some(facts));
        }
    }

    fn get(&self) -> (String, Option<Facts>) {
        self.text.lock().map(|state| state.clone()).unwrap_or_default()
    }
}

impl Loader for Told {
    fn load(&self, path: &str, _: u64) -> Result<Option<Loaded>, LoadError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let (text, facts) = self.get();
        Ok(facts.filter(|_| path == "main.md").map(|facts| Loaded { bytes: text.into(), facts }))
    }

    fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
        Ok(self.get().1.filter(|_| path == "main.md"))
    }

    fn list(&self, _: &str) -> Result<Option<Listing>, LoadError> {
        Ok(None)
    }
}

#[test]
fn equal_facts_prove_nothing_unless_they_were_settled() {
    let facts = |settled| Facts {
        modified: Some(SystemTime::UNIX_EPOCH),
        settled,
        ..Facts::new("main.md", 1)
    };
    let loader = Arc::new(Told::default());
    let engine = Engine::new(Arc::clone(&loader));
    let reads = || loader.reads.swap(0, Ordering::SeqCst);
    // The second change has the time and the size of the first.
    loader.set("a", facts(false));
    assert_eq!((report(&engine, "main.md"), reads()), ("a\n".to_owned(), 1));
    loader.set("b", facts(true));
    assert_eq!((report(&engine, "main.md"), reads()), ("b\n".to_owned(), 1));
    // It has been quiet since, so that the facts are believed from now on.
    assert_eq!((report(&engine, "main.md"), reads()), ("b\n".to_owned(), 0));
    // Without any time nothing is proved.
    loader.set("c", Facts::new("main.md", 1));
    assert_eq!((report(&engine, "main.md"), reads()), ("c\n".to_owned(), 1));
    assert_eq!((report(&engine, "main.md"), reads()), ("c\n".to_owned(), 1));
    // By content, every file is read every time.
    loader.set("d", facts(true));
    let content = engine.clone().with_freshness(Freshness::Content);
    assert_eq!((report(&content, "main.md"), reads()), ("d\n".to_owned(), 1));
    assert_eq!((report(&content, "main.md"), reads()), ("d\n".to_owned(), 1));
    // On events and in trust, nothing is asked until something is told.
    for freshness in [Freshness::Events, Freshness::Trust] {
        loader.set("d", facts(true));
        let engine = Engine::new(Arc::clone(&loader)).with_freshness(freshness);
        assert_eq!((report(&engine, "main.md"), reads()), ("d\n".to_owned(), 1));
        loader.set("e", facts(true));
        assert_eq!((report(&engine, "main.md"), reads()), ("d\n".to_owned(), 0));
        engine.changed("main.md");
        assert_eq!((report(&engine, "main.md"), reads()), ("e\n".to_owned(), 1));
    }
}

#[test]
fn what_was_not_there_counts_on_events_too() -> Outcome {
    let dir = TempDir::new()?;
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("r"))?;
    fs::write(at("main.md"), "<<> p>>\n\n<<> r/*.md | optional>>\n")?;
    fs::write(at("p.markdown"), "third\n")?;
    let engine = open(dir.path())?.with_freshness(Freshness::Events);
    assert_eq!(report(&engine, "main.md"), "third\n");
    fs::write(at("p.md"), "second\n")?;
    engine.changed("p.md");
    assert_eq!(report(&engine, "main.md"), "second\n");
    fs::write(at("r/a.md"), "match\n")?;
    engine.changed("r/a.md");
    assert_eq!(report(&engine, "main.md"), "second\n\nmatch\n");
    // A folder goes away at once, and a link to another one comes in its place.
    fs::rename(at("r"), at("s"))?;
    fs::write(at("s/a.md"), "moved\n")?;
    symlink("s", at("r"))?;
    engine.changed("r");
    engine.changed("s");
    assert_eq!(report(&engine, "main.md"), "second\n\nmoved\n");
    // What lies behind the link changes under its own name.
    fs::write(at("s/a.md"), "again\n")?;
    engine.changed("s/a.md");
    assert_eq!(report(&engine, "main.md"), "second\n\nagain\n");
    Ok(())
}

#[test]
fn settings_and_options_are_part_of_what_is_kept() -> Outcome {
    let loader = MemoryLoader::from([
        ("main.md", "<!-- note -->\n<<> p.md>>\n"),
        ("p.md", "plain\n"),
        ("p.zh.md", "variant\n"),
    ]);
    let engine = Engine::new(loader);
    let text = |options: &LoadOptions| -> Result<String, mdgraft::Diagnostics> {
        let tree = engine.load_with("main.md", options)?;
        Ok(render(&tree, &Vars::new(), ())?.into_text())
    };
    let plain = LoadOptions::default();
    let strip = LoadOptions { strip_comments: true, ..plain.clone() };
    let variant = LoadOptions { variant: Some("zh".to_owned()), ..plain.clone() };
    for _ in 0..2 {
        assert_eq!(text(&plain)?, "<!-- note -->\n\nplain\n");
        assert_eq!(text(&strip)?, "plain\n");
        assert_eq!(text(&variant)?, "<!-- note -->\n\nvariant\n");
    }
    assert_eq!(engine.stats().trees.hits, 3);
    // A text that is given is no file of the root, and each text is another.
    for text in ["given one\n", "given two\n", "given one\n"] {
        let tree = engine.load_source("main.md", text.as_bytes(), &plain)?;
        assert_eq!(render(&tree, &Vars::new(), ())?.text(), text);
    }
    assert_eq!(text(&plain)?, "<!-- note -->\n\nplain\n");
    let mut limits = mdgraft::Limits::default();
    limits.max_file = 10;
    assert!(report(&engine.clone().with_limits(limits), "main.md").contains("larger than 10"));
    assert_eq!(text(&plain)?, "<!-- note -->\n\nplain\n");
    Ok(())
}

#[test]
fn memory_is_bounded_and_a_small_one_gives_the_same() -> Outcome {
    let files = (0..50).map(|number| (format!("{number}.md"), format!("text {number}\n")));
    let mut limits = CacheLimits::default();
    (limits.entries, limits.rendered) = (5, 5);
    let engine = Engine::new(MemoryLoader::new(files)).with_cache(limits);
    for round in 0..3 {
        for number in 0..50 {
            let tree = engine.load(&format!("{number}.md"))?;
            let vars = PreparedVars::new(vars! {});
            let prompt = engine.render(&tree, &vars, &RenderOptions::default())?;
            assert_eq!(prompt.text(), format!("text {number}\n"), "{round}");
        }
    }
    let stats = engine.stats();
    for memo in [stats.trees, stats.documents, stats.units, stats.answers, stats.rendered] {
        assert!(memo.entries <= 5 && memo.evictions > 0, "{memo:?}");
    }
    assert_eq!(stats.parses, 150);
    Ok(())
}

#[test]
fn rendered_prompts_are_told_apart_by_tree_values_and_options() -> Outcome {
    let loader = Arc::new(MemoryLoader::from([("main.md", "# A\n\n{{x}}\n\n# B\n")]));
    let mut limits = CacheLimits::default();
    limits.rendered = 100;
    let engine = Engine::new(Arc::clone(&loader)).with_cache(limits);
    let all = RenderOptions::default();
    let only = RenderOptions { include: (&["B"]).into(), ..all.clone() };
    for round in 0..2 {
        let tree = engine.load("main.md")?;
        for (value, options, text) in [
            (mdgraft::Value::from(1), &all, "# A\n\n1\n\n# B\n"),
            ("1".into(), &all, "# A\n\n1\n\n# B\n"),
            (2.into(), &all, "# A\n\n2\n\n# B\n"),
            (2.into(), &only, "# B\n"),
        ] {
            let vars = PreparedVars::new(vars! { x: value });
            assert_eq!(engine.render(&tree, &vars, options)?.text(), text, "{round}");
        }
        assert_eq!(engine.stats().rendered.hits, 4 * round);
    }
    loader.insert("main.md", "{{x}}!\n");
    let vars = PreparedVars::new(vars! { x: 1 });
    assert_eq!(engine.render(&engine.load("main.md")?, &vars, &all)?.text(), "1!\n");
    Ok(())
}

#[test]
fn threads_render_while_another_reloads() -> Outcome {
    let loader = Arc::new(MemoryLoader::from([("main.md", "version 0\n")]));
    for freshness in [Freshness::Content, Freshness::Facts, Freshness::Events, Freshness::Trust] {
        loader.insert("main.md", "version 0\n");
        let engine = Engine::new(Arc::clone(&loader)).with_freshness(freshness);
        let old = engine.load("main.md")?;
        let done = AtomicBool::new(false);
        // What a reader must see at least, and may see at most.
        let (told, begun) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            let readers: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        let mut newest = 0;
                        while !done.load(Ordering::SeqCst) {
                            let least = told.load(Ordering::SeqCst);
                            let text = report(&engine, "main.md");
                            let most = begun.load(Ordering::SeqCst);
                            let number: u64 = text
                                .trim()
                                .strip_prefix("version ")
                                .and_then(|number| number.parse().ok())
                                .unwrap_or(u64::MAX);
                            assert!((least..=most).contains(&number), "{least} {text} {most}");
                            newest = newest.max(number);
                            let again = render(&old, &Vars::new(), ());
                            assert!(again.is_ok_and(|old| old.text() == "version 0\n"));
                        }
                        newest
                    })
                })
                .collect();
            for number in 1..=200 {
                begun.store(number, Ordering::SeqCst);
                loader.insert("main.md", format!("version {number}\n"));
                engine.changed("main.md");
                told.store(number, Ordering::SeqCst);
            }
            done.store(true, Ordering::SeqCst);
            for reader in readers {
                assert!(reader.join().is_ok());
            }
        });
        assert_eq!(report(&engine, "main.md"), "version 200\n");
    }
    Ok(())
}
