//! The walk of `docs/context.md`, from `init` to the first answer, as it is printed there.
//!
//! `UPDATE=1 cargo test -p mdgraft-cli --test context` rewrites it to what comes.

#![allow(clippy::pedantic, reason = "a harness")]
#![allow(clippy::format_collect, reason = "a harness")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/context.md");

#[test]
fn the_walk_of_the_documentation_is_what_happens() {
    let page = fs::read_to_string(PAGE).expect("the page");
    let folder = tempfile::tempdir().expect("a folder");
    let walked = walk(&page, folder.path());
    if std::env::var_os("UPDATE").is_some_and(|value| !value.is_empty()) {
        assert!(std::env::var_os("CI").is_none(), "pages are not rewritten where CI is set");
        fs::write(PAGE, walked).expect("the page");
        return;
    }
    for (number, (expected, actual)) in page.lines().zip(walked.lines()).enumerate() {
        assert_eq!(expected, actual, "docs/context.md:{}", number + 1);
    }
    assert_eq!(page, walked);
}

/// Does what the page says, one block after the other; the page with what was printed.
fn walk(page: &str, folder: &Path) -> String {
    let mut walked = String::new();
    let mut lines = page.lines();
    let mut file = String::new();
    while let Some(line) = lines.next() {
        walked.push_str(line);
        walked.push('\n');
        // The steps are items of a list: their blocks are indented.
        let indent = &line[..line.len() - line.trim_start().len()];
        let line = line.trim_start();
        if let Some(name) = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:")) {
            name.clone_into(&mut file);
        }
        let fence = &line[..line.len() - line.trim_start_matches('`').len()];
        if fence.len() < 3 {
            continue;
        }
        let language = &line[fence.len()..];
        let inside = lines.by_ref().map(|line| line.strip_prefix(indent).unwrap_or(line));
        let text: Vec<&str> = inside.take_while(|line| *line != fence).collect();
        let shown = match language {
            "sh-session" => session(&text, folder),
            language => {
                input(language, &text.join("\n"), &file, folder);
                text.iter().map(|line| format!("{line}\n")).collect()
            }
        };
        for line in shown.lines().chain([fence]) {
            walked.push_str(if line.is_empty() { "" } else { indent });
            walked.push_str(line);
            walked.push('\n');
        }
    }
    walked
}

/// A file of the page; SQL is run as well.
fn input(language: &str, text: &str, file: &str, folder: &Path) {
    if language == "sql" {
        let database = rusqlite::Connection::open(folder.join("shop.db")).expect("a database");
        database.execute_batch(text).expect("SQL");
    }
    if language == "toml" && file.ends_with(".toml") && folder.join(file).exists() {
        fs::write(folder.join(file), format!("{text}\n")).expect("a file");
    }
}

/// The commands of a block with what they print: notices first, then results.
fn session(lines: &[&str], folder: &Path) -> String {
    let commands = lines.iter().filter_map(|line| line.strip_prefix("$ mdgraft "));
    let run = |command: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_mdgraft"))
            .args(command.split(' ').map(|word| word.trim_matches('\'')))
            .current_dir(folder)
            .env_remove("MDGRAFT_CONTEXT")
            .stdin(Stdio::null())
            .output()
            .expect("the program");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (notices, results) = (text(&output.stderr), text(&output.stdout));
        format!("$ mdgraft {command}\n{notices}{results}")
    };
    commands.map(run).collect()
}
