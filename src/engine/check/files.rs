//! The prompts in a folder.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diag::{Diagnostic, Finding, codes};
use crate::link::{EntryKind, LoadError, Loader};
use crate::text::{Source, Span, paths};

/// The names that one check looks at.
const MOST_NAMES: usize = 100_000;

/// What a folder holds.
#[derive(Debug, Default)]
pub(in crate::engine) struct Files {
    /// The Markdown files in it and in its folders, in byte order of their paths.
    pub(in crate::engine) paths: BTreeSet<String>,
    /// What could not be looked at.
    pub(super) told: Vec<Diagnostic>,
}

impl Files {
    /// There is no such folder.
    pub(super) fn missing(folder: &str) -> Self {
        let message = format!("there is no folder `{folder}`");
        let finding = Finding::new(codes::INCLUDE_NOT_FOUND, Span::default(), message);
        Self {
            told: vec![about_folder(folder, finding.help("correct the path"))],
            ..Self::default()
        }
    }
}

/// Finds the Markdown files of a folder: names with such an extension. What begins with a dot is
/// left out, and so is what a link leads out of the root to. A folder without any is an error.
pub(in crate::engine) fn in_folder(loader: &dyn Loader, top: &str) -> Files {
    let mut files = Files::default();
    let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut left = MOST_NAMES;
    let mut next = vec![top.to_owned()];
    while let Some(folder) = next.pop() {
        let listing = match loader.list(&folder) {
            Ok(Some(listing)) => listing,
            Ok(None) if seen.is_empty() && !top.is_empty() => return Files::missing(top),
            Ok(None) => continue,
            Err(error) => {
                files.told.push(unreadable(&folder, &error));
                continue;
            }
        };
        // A link may lead to a folder that was seen, or that is around it.
        if !seen.insert(Arc::clone(&listing.path)) {
            continue;
        }
        for (name, kind) in listing.entries().filter(|(name, _)| !name.starts_with('.')) {
            let Some(rest) = left.checked_sub(1) else {
                files.told.push(too_many(top));
                return files;
            };
            left = rest;
            match kind {
                EntryKind::Folder => next.push(paths::join(&folder, name)),
                EntryKind::File if is_prompt(name) => {
                    files.paths.insert(paths::join(&folder, name));
                }
                _ => {}
            }
        }
    }
    if files.paths.is_empty() && files.told.is_empty() {
        files.told.push(empty(top));
    }
    files
}

/// Whether a file is taken for a prompt that nobody named: by its extension only, since many
/// files without one are something else.
fn is_prompt(name: &str) -> bool {
    paths::is_name(name) && paths::split_extension(name).1.is_some() && paths::is_markdown(name)
}

/// A diagnostic about a file or folder as a whole.
pub(super) fn about(path: &str, source: &Source, finding: Finding) -> Diagnostic {
    finding.at(&path.into(), source, Vec::new())
}

fn about_folder(folder: &str, finding: Finding) -> Diagnostic {
    about(if folder.is_empty() { "." } else { folder }, &Source::new(b""), finding)
}

fn empty(folder: &str) -> Diagnostic {
    let message = "there is no prompt in this folder";
    let finding = Finding::new(codes::INCLUDE_NOT_FOUND, Span::default(), message);
    about_folder(
        folder,
        finding.help("the name of a prompt ends with `.md`, `.markdown` or `.mdc`"),
    )
}

fn unreadable(folder: &str, error: &LoadError) -> Diagnostic {
    let code = match error {
        LoadError::OutsideRoot { .. } => codes::INCLUDE_OUTSIDE_ROOT,
        LoadError::TooMany { .. } | LoadError::TooLarge { .. } => codes::LIMIT_EXCEEDED,
        LoadError::Unreadable { .. } => codes::UNREADABLE_FILE,
    };
    about_folder(folder, Finding::new(code, Span::default(), error.to_string()))
}

fn too_many(folder: &str) -> Diagnostic {
    let message = format!("more than {MOST_NAMES} names stand in the folders that are checked");
    let finding = Finding::new(codes::LIMIT_EXCEEDED, Span::default(), message);
    about_folder(folder, finding.help("check a smaller folder, or name the entries"))
}
