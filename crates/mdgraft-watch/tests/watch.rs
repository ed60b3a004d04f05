//! What a watched engine sees: writes, saves by rename, deletes, files that were waited for.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use mdgraft::{DirLoader, Engine, Freshness, Vars, render};
use mdgraft_watch::Watch;
use tempfile::TempDir;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn report(engine: &Engine) -> String {
    match engine.load("main.md") {
        Err(diagnostics) => diagnostics.to_string(),
        Ok(tree) => render(&tree, &Vars::new(), ())
            .map_or_else(|error| error.to_string(), mdgraft::Rendered::into_text),
    }
}

/// Waits until the prompt is as expected: the system tells when it likes.
fn expect(engine: &Engine, watch: &mut Watch, part: &str) {
    let begin = Instant::now();
    while !report(engine).contains(part) {
        assert!(begin.elapsed() < Duration::from_secs(20), "{part}: {}", report(engine));
        watch.wait(Duration::from_millis(200));
    }
}

#[test]
fn every_kind_of_change_is_seen() -> Outcome {
    let dir = TempDir::new()?;
    let at = |name: &str| dir.path().join(name);
    let write = |path: &Path, text: &str| fs::write(path, text);
    write(&at("main.md"), "<<> part.md>>\n\n<<> new/late.md | optional>>\n")?;
    write(&at("part.md"), "first\n")?;
    let engine = Engine::new(DirLoader::open(dir.path())?).with_freshness(Freshness::Events);
    let mut watch = Watch::new(&engine)?;
    watch.add("", dir.path())?;
    assert_eq!(report(&engine), "first\n");

    write(&at("part.md"), "written\n")?;
    expect(&engine, &mut watch, "written");
    write(&at(".part.md.swp"), "renamed\n")?;
    fs::rename(at(".part.md.swp"), at("part.md"))?;
    expect(&engine, &mut watch, "renamed");
    fs::remove_file(at("part.md"))?;
    expect(&engine, &mut watch, "include-not-found");
    write(&at("part.md"), "back\n")?;
    expect(&engine, &mut watch, "back");
    fs::create_dir(at("new"))?;
    write(&at("new/late.md"), "late\n")?;
    expect(&engine, &mut watch, "late");
    fs::rename(at("new"), at("old"))?;
    let begin = Instant::now();
    while report(&engine) != "back\n" {
        assert!(begin.elapsed() < Duration::from_secs(20), "{}", report(&engine));
        watch.wait(Duration::from_millis(200));
    }
    Ok(())
}

#[test]
fn a_folder_that_is_not_there_cannot_be_watched() -> Outcome {
    let dir = TempDir::new()?;
    let engine = Engine::new(DirLoader::open(dir.path())?);
    let mut watch = Watch::new(&engine)?;
    let refused = watch.add("", dir.path().join("nothing"));
    assert!(refused.is_err_and(|error| error.to_string().contains("cannot be watched")));
    Ok(())
}
