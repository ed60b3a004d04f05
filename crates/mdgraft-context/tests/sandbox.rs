//! Paths and layouts that try to get out, from `pages/sandbox.md`.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "the test lays out the folders that are attacked")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use mdgraft_context::{
    ContextError, ContextFolder, Denied, GrepRequest, ListRequest, ReadRequest, SearchRequest,
};

const PAGE: &str = include_str!("pages/sandbox.md");

#[test]
fn no_path_of_the_page_leads_out() {
    let mut failures = Vec::new();
    let (mut paths, mut layouts) = (0, 0);
    for part in PAGE.split("\n## ").skip(1) {
        let (title, part) = part.split_once('\n').expect("a heading has a text");
        let folder = tempfile::tempdir().expect("a folder");
        lay_out(folder.path(), part);
        layouts += 1;
        for row in part.lines().filter(|line| line.starts_with("| \"")) {
            let (path, expected) = row[2..].rsplit_once(" | ").expect("two cells");
            let expected = expected.trim_end_matches(" |");
            let path: String = serde_json::from_str(path).expect("a JSON text");
            paths += 1;
            for (tool, (answer, text)) in answers(&folder.path().join("folder"), &path) {
                if answer != expected
                    && !(tool != "read" && tool != "grep" && wrong(expected, &answer))
                {
                    failures.push(format!("{title}: {tool} {path:?}: {answer}, not {expected}"));
                }
                if text.contains("SECRET") || text.contains("root:") {
                    failures.push(format!("{title}: {tool} {path:?} prints a secret"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(paths >= 120 && layouts >= 6, "{paths} paths in {layouts} layouts");
}

/// `list` and `search` go over folders: of a file they say that it is none.
fn wrong(expected: &str, answer: &str) -> bool {
    expected == "file" && answer == "no folder"
}

fn lay_out(root: &Path, part: &str) {
    let block = part.split("```layout\n").nth(1).and_then(|rest| rest.split("```").next());
    for line in block.expect("a layout").lines() {
        let make = |path: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            path
        };
        if let Some((path, target)) = line.split_once(" -> ") {
            symlink(target, make(path)).expect("a link");
        } else if let Some((path, text)) = line.split_once(" = ") {
            fs::write(make(path), text.replace("\\n", "\n")).expect("a file");
        }
    }
}

/// What each tool answers, and all that it prints.
fn answers(folder: &Path, path: &str) -> Vec<(&'static str, (String, String))> {
    let folder = match ContextFolder::open(folder) {
        Ok(folder) => folder,
        Err(error) => return vec![("open", (kind(&error), error.to_string()))],
    };
    let read = folder.read(&ReadRequest { path: path.to_owned(), ..Default::default() });
    let read = match read {
        Ok(content) => ("file".to_owned(), content.to_text() + &content.to_json()),
        Err(ContextError::WrongKind { is: "a folder", .. }) => ("folder".to_owned(), String::new()),
        Err(error) => (kind(&error), error.to_string()),
    };
    let list = folder.list(&ListRequest { path: path.to_owned(), ..Default::default() });
    let list = match list {
        Ok(listing) => ("folder".to_owned(), listing.to_text() + &listing.to_json()),
        Err(error) => (kind(&error), error.to_string()),
    };
    let search = folder.search(&SearchRequest {
        pattern: "*".to_owned(),
        path: path.to_owned(),
        ..Default::default()
    });
    let search = match search {
        Ok(files) => ("folder".to_owned(), files.to_text() + &files.to_json()),
        Err(error) => (kind(&error), error.to_string()),
    };
    let grep = folder.grep(&GrepRequest {
        pattern: ".".to_owned(),
        path: path.to_owned(),
        context_lines: 2,
        ..Default::default()
    });
    let grep = match grep {
        Ok(found) => (read.0.clone(), found.to_text() + &found.to_json()),
        Err(error) => (kind(&error), error.to_string()),
    };
    vec![("read", read), ("list", list), ("search", search), ("grep", grep)]
}

fn kind(error: &ContextError) -> String {
    match error {
        ContextError::Denied { reason: Denied::Outside, .. } => "outside",
        ContextError::Denied { reason: Denied::Git, .. } => "git",
        ContextError::Denied { reason: Denied::Environment, .. } => "environment",
        ContextError::Denied { reason: Denied::Meta, .. } => "meta",
        ContextError::Denied { reason: Denied::Ignored, .. } => "ignored",
        ContextError::Denied { reason: Denied::NoPath, .. } => "no path",
        ContextError::NotFound { .. } => "not found",
        ContextError::WrongKind { is: "a file", .. } => "no folder",
        ContextError::Settings { .. } => "settings",
        ContextError::Failed { .. } => "failed",
        _ => "something else",
    }
    .to_owned()
}

/// A folder is replaced by a link that leads out, and back, as fast as it goes.
#[test]
fn a_race_leads_nowhere() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("folder");
    fs::create_dir_all(folder.join("real")).expect("a folder");
    fs::write(folder.join("real/a.md"), "open\n").expect("a file");
    fs::create_dir_all(root.path().join("outside")).expect("a folder");
    fs::write(root.path().join("outside/a.md"), "SECRET\n").expect("a file");
    symlink("../outside", folder.join("link")).expect("a link");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // `x` is now the folder, now the link.
            while !done.load(Ordering::Relaxed) {
                let _ = fs::rename(folder.join("real"), folder.join("x"));
                let _ = fs::rename(folder.join("x"), folder.join("real"));
                let _ = fs::rename(folder.join("link"), folder.join("x"));
                let _ = fs::rename(folder.join("x"), folder.join("link"));
            }
        });
        for _ in 0..100 {
            for (tool, (_, text)) in
                answers(&folder, "/x/a.md").into_iter().chain(answers(&folder, "/"))
            {
                assert!(!text.contains("SECRET"), "{tool} reads through the link");
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// Pipes and devices are neither waited for nor read.
#[test]
fn special_files_are_not_opened() {
    let root = tempfile::tempdir().expect("a folder");
    let made = std::process::Command::new("mkfifo").arg(root.path().join("pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let folder = ContextFolder::open(root.path()).expect("a folder");
    let read = folder.read(&ReadRequest { path: "/pipe".to_owned(), ..Default::default() });
    assert_eq!(
        read.map_err(|error| error.to_string()).err().as_deref(),
        Some("`/pipe` is a special file, not a regular file or a folder")
    );
    let grep = GrepRequest { pattern: ".".to_owned(), ..Default::default() };
    assert_eq!(folder.grep(&grep).expect("a search").skipped.special, 1);
    assert_eq!(folder.list(&ListRequest::default()).expect("a list").skipped.special, 1);
}
