//! The results as a model is given them.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::grep::{Match, Matches};
use super::list::{Entry, EntryKind, Listing};
use super::read::Content;
use super::search::{FoundFiles, MOST_FOLDERS};
use crate::walk::Skipped;

/// The characters of a file that are given at once.
const MOST_CHARACTERS: usize = 32_000;

/// The lines of matches that are given, and their characters.
const MOST_LINES: usize = 50;
const LONGEST_LINE: usize = 64;

impl Listing {
    /// The entries in groups, with sizes and counts.
    #[must_use]
    pub fn to_text(&self) -> String {
        let is_file = |entry: &&Entry| matches!(entry.kind, EntryKind::File { .. });
        let is_folder = |entry: &&Entry| matches!(entry.kind, EntryKind::Folder { .. });
        let is_link = |entry: &&Entry| entry.kind == EntryKind::Link;
        let mut blocks = Vec::new();
        group(&mut blocks, ["File", "Files"], self.entries.iter().filter(is_file));
        group(&mut blocks, ["Directory", "Directories"], self.entries.iter().filter(is_folder));
        group(
            &mut blocks,
            ["Symbolic Link", "Symbolic Links"],
            self.entries.iter().filter(is_link),
        );
        if blocks.is_empty() && self.total == 0 {
            blocks.push("Directory is empty.".to_owned());
        }
        if self.entries.len() < self.total {
            blocks.push(format!("...({} more)", self.total - self.entries.len()));
        }
        finish(blocks, &self.skipped)
    }
}

fn group<'a>(blocks: &mut Vec<String>, name: [&str; 2], entries: impl Iterator<Item = &'a Entry>) {
    let lines: Vec<String> = entries.map(entry).collect();
    if lines.is_empty() {
        return;
    }
    let name = name[usize::from(lines.len() != 1)];
    blocks.push(format!("{name} ({})\n{}", lines.len(), lines.join("\n")));
}

fn entry(entry: &Entry) -> String {
    match entry.kind {
        EntryKind::File { size: bytes } => format!("- {} ({})", entry.name, size(bytes)),
        EntryKind::Folder { items: Some(items) } => format!("- {} ({items} items)", entry.name),
        EntryKind::Folder { items: None } => format!("- {} (unreadable)", entry.name),
        EntryKind::Link => format!("- {}", entry.name),
    }
}

impl Content {
    /// The lines with their numbers, the first 32,000 characters.
    #[must_use]
    pub fn to_text(&self) -> String {
        if self.text.is_empty() && self.total_lines <= 1 {
            return "File is empty.".to_owned();
        }
        let end = self.text.char_indices().nth(MOST_CHARACTERS).map_or(self.text.len(), |at| at.0);
        let (given, left) = self.text.split_at(end);
        let mut text = String::with_capacity(given.len() + given.len() / 8);
        let mut number = self.first_line;
        for line in given.split('\n') {
            if number > self.first_line {
                text.push('\n');
            }
            let _ = write!(text, "{number}:{line}");
            number += 1;
        }
        if !left.is_empty() {
            let _ = write!(text, "...({} left)", size(left.len() as u64));
        }
        let part = self.first_line > 1 || number <= self.total_lines;
        if part && left.is_empty() {
            let last = number - 1;
            let _ = write!(text, "\n\nLines {}-{last} of {}.", self.first_line, self.total_lines);
        }
        if self.lossy {
            text.push_str("\n\nBytes that are no UTF-8 are shown as U+FFFD.");
        }
        text
    }
}

impl FoundFiles {
    /// The files with their sizes, and where there are more.
    #[must_use]
    pub fn to_text(&self) -> String {
        if self.total == 0 {
            return finish(vec!["No matches.".to_owned()], &self.skipped);
        }
        let mut first = format!("Matches ({}):", self.total);
        for file in &self.files {
            let _ = write!(first, "\n- {} ({})", file.path, size(file.size));
        }
        let more = self.total - self.files.len().min(self.total);
        if more > 0 {
            let _ = write!(first, "\n...({more} more)");
        }
        let mut blocks = vec![first];
        if !self.more_in.is_empty() {
            blocks.push(more_in(&self.more_in, self.more_folders));
        }
        finish(blocks, &self.skipped)
    }
}

impl Matches {
    /// The lines by file, at most 50, and where there are more.
    #[must_use]
    pub fn to_text(&self) -> String {
        if self.total == 0 {
            return finish(vec!["No matches found.".to_owned()], &self.skipped);
        }
        let name = if self.total == 1 { "Match" } else { "Matches" };
        let mut blocks = vec![format!("{name} ({})", self.total)];
        let (given, rest) = self.matches.split_at(self.matches.len().min(MOST_LINES));
        for file in given.chunk_by(|one, other| one.path == other.path) {
            let count = self.matches.iter().filter(|found| found.path == file[0].path).count();
            blocks.push(block(file, count));
        }
        if !rest.is_empty() {
            let mut files: Vec<String> = rest.iter().map(|found| found.path.clone()).collect();
            files.dedup();
            let more = files.len().saturating_sub(MOST_FOLDERS);
            files.truncate(MOST_FOLDERS);
            blocks.push(more_in(&files, more));
        }
        if self.is_truncated() {
            let (given, all) = (self.matches.len(), self.total);
            blocks.push(format!("Only the first {given} of {all} matches are known."));
        }
        finish(blocks, &self.skipped)
    }
}

/// The lines of one file as a code block, whose fence is longer than any run inside.
fn block(found: &[Match], count: usize) -> String {
    let path = &found[0].path;
    let mut lines = String::new();
    let mut last = 0;
    for found in found {
        let around = found.before.iter().chain(&found.after);
        let around = around.map(|line| (line.line, '-', &line.text));
        let mut all: Vec<_> = around.chain([(found.line, ':', &found.text)]).collect();
        all.sort_unstable_by_key(|(number, ..)| *number);
        for (number, mark, text) in all {
            // Where the surroundings of two matches meet, each line stands once.
            if number > last {
                let _ = writeln!(lines, "{number}{mark}{}", cut_in_the_middle(text, LONGEST_LINE));
                last = number;
            }
        }
    }
    let fence = fence(path, &lines);
    format!("{fence}{path} ({count})\n{lines}{fence}")
}

fn fence(path: &str, lines: &str) -> String {
    let letter = if path.contains('`') { '~' } else { '`' };
    let longest = lines.split(|other| other != letter).map(str::len).max().unwrap_or_default();
    letter.to_string().repeat(longest.max(2) + 1)
}

fn more_in(places: &[String], more: usize) -> String {
    let mut text = "More matches in:".to_owned();
    for place in places {
        let _ = write!(text, "\n- {place}");
    }
    if more > 0 {
        let _ = write!(text, "\n...({more} more)");
    }
    text
}

fn finish(mut blocks: Vec<String>, skipped: &Skipped) -> String {
    if let Some(skipped) = in_words(skipped) {
        blocks.push(skipped);
    }
    blocks.join("\n\n")
}

/// What was skipped, in one line; none if nothing was.
fn in_words(skipped: &Skipped) -> Option<String> {
    let words: Vec<String> = skipped
        .counts()
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{count} {}", name.replace('_', " ")))
        .collect();
    (!words.is_empty()).then(|| format!("Skipped: {}.", words.join(", ")))
}

/// A size for reading: bytes, or KB and MB of 1,024 with one decimal.
fn size(bytes: u64) -> String {
    const KB: u64 = 1024;
    let tenths = |unit: u64| {
        // Rounded to the nearest tenth, without leaving the integers.
        let tenths = u128::from(bytes) * 10 + u128::from(unit / 2);
        let tenths = tenths / u128::from(unit);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match bytes {
        0..KB => format!("{bytes} B"),
        _ if bytes < KB * KB => format!("{} KB", tenths(KB)),
        _ => format!("{} MB", tenths(KB * KB)),
    }
}

/// A text of at most `most` characters: of a longer one the middle is left out.
pub(crate) fn cut_in_the_middle(text: &str, most: usize) -> Cow<'_, str> {
    // No text has more characters than bytes.
    if text.len() <= most || text.chars().count() <= most {
        return Cow::Borrowed(text);
    }
    let side = most.saturating_sub(3) / 2;
    let start = text.char_indices().nth(side).map_or(text.len(), |(at, _)| at);
    let end = match side {
        0 => text.len(),
        side => text.char_indices().rev().nth(side - 1).map_or(0, |(at, _)| at),
    };
    Cow::Owned(format!("{}...{}", &text[..start], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_to_tenths() {
        let table = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KB"),
            (1229, "1.2 KB"),
            (1_048_576, "1.0 MB"),
            (5_000_000_000, "4768.4 MB"),
        ];
        for (bytes, expected) in table {
            assert_eq!(size(bytes), expected);
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut_in_the_middle("short", 64), "short");
        assert_eq!(cut_in_the_middle(&"x".repeat(64), 64).len(), 64);
        let cut = cut_in_the_middle(&"é".repeat(65), 64).into_owned();
        assert_eq!(cut, format!("{}...{}", "é".repeat(30), "é".repeat(30)));
        assert_eq!(cut_in_the_middle("abcdef", 3), "...");
    }
}
