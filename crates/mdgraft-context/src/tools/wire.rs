//! The results as JSON, for programs.

use serde_json::{Map, Value, json};

use super::grep::{ContextLine, Match, Matches};
use super::list::{Entry, EntryKind, Listing};
use super::read::Content;
use super::search::FoundFiles;
use crate::walk::Skipped;

impl Listing {
    /// `{path, entries: [{path, name, type, size?, itemCount?}], total, truncated, skipped}`, where
    /// `type` is `file`, `directory` or `symbolic_link`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let entries: Vec<Value> = self.entries.iter().map(entry).collect();
        json!({
            "path": self.path,
            "entries": entries,
            "total": self.total,
            "truncated": self.entries.len() < self.total,
            "skipped": skipped(&self.skipped),
        })
        .to_string()
    }
}

fn entry(entry: &Entry) -> Value {
    let mut wire = json!({ "path": entry.path, "name": entry.name });
    match entry.kind {
        EntryKind::File { size } => {
            wire["type"] = "file".into();
            wire["size"] = size.into();
        }
        EntryKind::Folder { items } => {
            wire["type"] = "directory".into();
            wire["itemCount"] = items.into();
        }
        EntryKind::Link => wire["type"] = "symbolic_link".into(),
    }
    wire
}

impl Content {
    /// `{path, content, first_line, numberOfTotalLines, lossy}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        json!({
            "path": self.path,
            "content": self.text,
            "first_line": self.first_line,
            "numberOfTotalLines": self.total_lines,
            "lossy": self.lossy,
        })
        .to_string()
    }
}

impl FoundFiles {
    /// `{files: [{path, dir, size}], total, truncated, more_in, more_folders, skipped}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let files: Vec<Value> = self
            .files
            .iter()
            .map(|file| json!({ "path": file.path, "dir": file.folder, "size": file.size }))
            .collect();
        json!({
            "files": files,
            "total": self.total,
            "truncated": self.files.len() < self.total,
            "more_in": self.more_in,
            "more_folders": self.more_folders,
            "skipped": skipped(&self.skipped),
        })
        .to_string()
    }
}

impl Matches {
    /// `{matches: [{path, line_number, line_content, context_before?, context_after?}],
    /// total_matches, truncated, skipped}`; a line of context is `{line_number, line_content}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let matches: Vec<Value> = self.matches.iter().map(found).collect();
        json!({
            "matches": matches,
            "total_matches": self.total,
            "truncated": self.is_truncated(),
            "skipped": skipped(&self.skipped),
        })
        .to_string()
    }
}

fn found(found: &Match) -> Value {
    let mut wire = json!({
        "path": found.path,
        "line_number": found.line,
        "line_content": found.text,
    });
    for (key, lines) in [("context_before", &found.before), ("context_after", &found.after)] {
        if !lines.is_empty() {
            wire[key] = lines.iter().map(line).collect();
        }
    }
    wire
}

fn line(line: &ContextLine) -> Value {
    json!({ "line_number": line.line, "line_content": line.text })
}

/// The counts that are not zero.
fn skipped(skipped: &Skipped) -> Value {
    let counts = skipped.counts().into_iter().filter(|(_, count)| *count > 0);
    Value::Object(
        counts.map(|(name, count)| (name.to_owned(), count.into())).collect::<Map<_, _>>(),
    )
}
