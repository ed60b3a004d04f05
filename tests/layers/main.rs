//! Imports point down: every path in `src/` leads to the module it stands in or to one below it,
//! third-party engines stand in one file each, and crates depend on crates below them only.
#![allow(clippy::disallowed_methods, reason = "the test reads the sources of the project")]

mod crates;
mod engines;
mod modules;
mod tokens;

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library, lowest first. A module names only modules to its left.
const MODULES: [&str; 15] = [
    "text",
    "diag",
    "value",
    "functions",
    "parse",
    "section",
    "link",
    "compile",
    "render",
    "cache",
    "pack",
    "engine",
    "assemble",
    "fuzzing",
    "stubs",
];

/// What is never named outside of one file of the library.
const ENGINES: [(&str, &str); 6] = [
    ("comrak", "parse/markdown.rs"),
    ("petgraph", "link/graph.rs"),
    ("blake3", "text/hash.rs"),
    ("lru", "cache.rs"),
    ("cap_std", "link/dir.rs"),
    ("annotate_snippets", "diag/print.rs"),
];

#[test]
fn every_path_of_the_library_leads_down() {
    let sources = sources("src");
    let mut names = modules::reexports(&read("src/lib.rs"));
    for (path, source) in &sources {
        names.extend(modules::exported_macros(path, source));
    }
    let upward =
        |(path, source): &(String, String)| modules::upward(path, source, &MODULES, &names);
    let found: Vec<String> = sources.iter().flat_map(upward).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn every_module_of_the_library_has_a_layer() {
    let modules = modules::declared(&read("src/lib.rs"));
    let unknown: Vec<&String> =
        modules.iter().filter(|module| !MODULES.contains(&module.as_str())).collect();
    assert!(unknown.is_empty(), "no layer says where {unknown:?} stands");
    assert!(modules.len() > 5, "the modules of lib.rs are not found");
}

#[test]
fn every_engine_stands_in_one_file() {
    let found = engines::strays(&sources("src"), &ENGINES);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    for folder in crate_folders() {
        let found = engines::spread(&sources(&format!("{folder}/src")), &ENGINES);
        assert!(found.is_empty(), "{folder}:\n{}", found.join("\n"));
    }
}

#[test]
fn every_crate_depends_on_crates_below_it() {
    let mut found = crates::upward(&read("Cargo.toml"));
    for folder in crate_folders() {
        found.extend(crates::upward(&read(&format!("{folder}/Cargo.toml"))));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn crate_folders() -> Vec<String> {
    let mut folders: Vec<String> = fs::read_dir("crates")
        .unwrap_or_else(|error| panic!("crates: {error}"))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("Cargo.toml").exists())
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    folders.sort();
    assert!(!folders.is_empty(), "no crates are found");
    folders
}

/// The Rust files below a folder, by their path from it, with `/`.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(next) = folders.pop() {
        let entries =
            fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display()));
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no sources are found below {folder}");
    let named = |path: PathBuf| {
        let name = path.strip_prefix(Path::new(folder)).unwrap_or(&path).to_string_lossy();
        (name.replace('\\', "/"), read(&path.to_string_lossy()))
    };
    files.into_iter().map(named).collect()
}
