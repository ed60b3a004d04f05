//! A new context folder.

use std::path::Path;

use crate::disk::Disk;
use crate::error::ContextError;
use crate::rules::IGNORE_FILE;
use crate::settings::SETTINGS_FILE;

/// The folders of a context folder.
const FOLDERS: [&str; 11] = [
    "databases",
    "queries",
    "docs",
    "semantics",
    "repos",
    "agent/prompts",
    "agent/tools",
    "agent/mcps",
    "agent/skills",
    "templates/databases",
    "tests",
];

/// The files of a context folder.
const FILES: [(&str, &str); 4] = [
    ("RULES.md", ""),
    (IGNORE_FILE, include_str!("../templates/init/mdgraftignore")),
    (SETTINGS_FILE, include_str!("../templates/init/mdgraft-context.toml")),
    ("tests/example.md", include_str!("../templates/init/tests/example.md")),
];

/// What became of a file or a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// Its path from the context folder; that of a folder ends with `/`.
    pub path: String,
    /// Whether it is new. What was there stays as it was.
    pub is_new: bool,
}

/// Makes a context folder, or what is missing of it.
///
/// Nothing is overwritten. If it fails, what was made so far is removed again.
///
/// # Errors
///
/// [`ContextError::Failed`] if something cannot be made.
pub fn init(folder: &Path) -> Result<Vec<Made>, ContextError> {
    let shown = folder.to_string_lossy();
    let (root, is_new) =
        Disk::open_or_make(folder).map_err(|error| ContextError::failed(&shown, "made", &error))?;
    let mut done = Vec::new();
    let made = make(&root, &mut done);
    if made.is_err() {
        take_back(&root, &done);
        if is_new {
            // It fails where somebody else was faster, and that is meant.
            let _ = Disk::unmake(folder);
        }
    }
    made.map(|()| done)
}

fn make(root: &Disk, done: &mut Vec<Made>) -> Result<(), ContextError> {
    for path in FOLDERS {
        // Each folder on the way is made, and taken back, by itself.
        for end in path.match_indices('/').map(|(at, _)| at).chain([path.len()]) {
            let path = &path[..end];
            let shown = format!("{path}/");
            if done.iter().any(|made: &Made| made.path == shown) {
                continue;
            }
            let failed = |error| ContextError::failed(&shown, "made", &error);
            let is_new = root.folders(path).map_err(failed)?.is_none();
            root.make_folders(path).map_err(failed)?;
            done.push(Made { path: shown, is_new });
        }
    }
    for (path, text) in FILES {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let failed = |error| ContextError::failed(path, "made", &error);
        let folder = root.make_folders(folder).map_err(failed)?;
        let is_new = folder.look(name).map_err(failed)?.is_none();
        if is_new {
            folder.write_new(name, text.as_bytes()).map_err(failed)?;
        }
        done.push(Made { path: path.to_owned(), is_new });
    }
    Ok(())
}

fn take_back(root: &Disk, done: &[Made]) {
    for made in done.iter().rev().filter(|made| made.is_new) {
        let path = made.path.trim_end_matches('/');
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Ok(Some(folder)) = root.folders(folder) else { continue };
        let _ = if made.path.ends_with('/') {
            folder.remove_empty_folder(name)
        } else {
            folder.remove_file(name)
        };
    }
}
