//! What the README shows is what is there, and what comes out.
#![allow(clippy::disallowed_methods, reason = "the test reads the README and what it shows")]

use std::fs;

use mdgraft::{DirLoader, Engine, MemoryLoader, Value, Vars, render};

const FOLDER: &str = "examples/support";

#[test]
fn the_files_are_those_of_the_example() {
    let shown: Vec<Block> = blocks().into_iter().filter(|block| block.name.is_some()).collect();
    assert_eq!(shown.len(), 3, "the README shows three files");
    for block in shown {
        let name = block.name.unwrap_or_default();
        assert_eq!(block.text, read(&name), "{name}");
    }
}

#[test]
fn the_command_gives_the_prompt() {
    let blocks = blocks();
    let at = blocks.iter().position(|block| block.text.starts_with("cargo run -- render "));
    let at = at.unwrap_or_else(|| panic!("the README has no command that renders"));
    let mut words = blocks[at].text.split_whitespace().skip(4);
    let entry = words.next().and_then(|path| path.strip_prefix(FOLDER)?.strip_prefix('/'));
    let values: Vec<(&str, Value)> = words
        .filter_map(|word| word.split_once('='))
        .map(|(name, text)| (name, Value::Text(text.into())))
        .collect();
    let entry = entry.unwrap_or_else(|| panic!("the README renders another folder"));
    let tree = engine().load(entry).unwrap_or_else(|errors| panic!("{errors}"));
    let vars: Vars = values.into_iter().collect();
    let prompt = render(&tree, &vars, mdgraft::Include::default());
    let prompt = prompt.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(prompt.text(), blocks[at + 1].text);
    assert!(prompt.warnings().is_empty());
}

#[test]
fn the_mistake_gives_the_diagnostic() {
    let files = ["agent.md", "rules.md", "warm.md"].map(|name| {
        let text = read(&format!("{FOLDER}/{name}"));
        (name, text.replace("{{product}}", "{{prodct}}"))
    });
    let loaded = Engine::new(MemoryLoader::new(files)).load("agent.md");
    let Err(errors) = loaded else { panic!("the mistake is not found") };
    let shown = format!("{}\n", errors.human().folder(FOLDER));
    let found = blocks().into_iter().find(|block| block.text.starts_with("error["));
    assert_eq!(found.map(|block| block.text), Some(shown));
}

fn engine() -> Engine {
    Engine::new(DirLoader::open(FOLDER).unwrap_or_else(|error| panic!("{error}")))
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A fenced block of the README, with the name that stands above it.
struct Block {
    name: Option<String>,
    text: String,
}

fn blocks() -> Vec<Block> {
    let readme = read("README.md");
    let mut blocks = Vec::new();
    let mut name = None;
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let inner = lines.by_ref().take_while(|line| *line != "```");
            let text = inner.map(|line| line.to_owned() + "\n").collect();
            blocks.push(Block { name: name.take(), text });
        } else if !line.is_empty() {
            let named = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
            name = named.map(str::to_owned);
        }
    }
    blocks
}
