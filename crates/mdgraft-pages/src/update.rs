//! Writes what came into the blocks of a page that expected something else.

use std::collections::BTreeMap;

use crate::expect::Kind;
use crate::info::{Role, read_info};
use crate::markdown::Fence;
use crate::page::Page;
use crate::run::Outcome;

/// A new text for an expectation block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    /// The line of its opening fence.
    pub line: usize,
    /// The text it would have to hold.
    pub text: String,
}

/// The text of the page with the updates of some of its tests made, or `None` if nothing changes.
/// Fences become longer where a text needs it.
#[must_use]
pub fn update(page: &Page, outcomes: &[Outcome]) -> Option<String> {
    let updates: BTreeMap<usize, &str> = outcomes
        .iter()
        .flat_map(|outcome| &outcome.updates)
        .map(|update| (update.line, update.text.as_str()))
        .collect();
    let lines: Vec<&str> = page.text.split_inclusive('\n').collect();
    let mut text = String::with_capacity(page.text.len());
    let mut done = 0;
    for (line, new) in updates {
        let Some(fence) = page.fences.get(&line).filter(|fence| fence.last <= lines.len()) else {
            continue;
        };
        text.extend(lines[done..fence.first - 1].iter().copied());
        let (opening, closing) = (lines[fence.first - 1], lines[fence.last - 1]);
        text.push_str(&block(fence, opening, new, closing.ends_with('\n')));
        done = fence.last;
    }
    if done == 0 {
        return None;
    }
    text.extend(lines[done..].iter().copied());
    Some(if page.crlf { text.replace('\n', "\r\n") } else { text })
}

fn block(fence: &Fence, opening: &str, text: &str, line_end: bool) -> String {
    let run = |line: &str| {
        let line = line.trim_start_matches(' ');
        line.len() - line.trim_start_matches(fence.mark).len()
    };
    let longest = text.lines().map(run).max().unwrap_or(0);
    let mark = fence.mark.to_string().repeat(fence.length.max(longest + 1));
    let info = info(opening.trim_start().trim_start_matches(fence.mark), fence, text);
    let inner = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let end = if line_end { "\n" } else { "" };
    format!("{mark}{info}\n{text}{inner}{mark}{end}")
}

/// The info string as written, with `no-eol` where the text of an output needs it.
fn info(written: &str, fence: &Fence, text: &str) -> String {
    let no_eol = !text.is_empty() && !text.ends_with('\n');
    match read_info(&fence.info, fence.first) {
        Ok(read) if read.role == Role::Expect(Kind::Output) && read.no_eol != no_eol => {
            let mut words: Vec<&str> = written.split_whitespace().collect();
            words.retain(|word| *word != "no-eol");
            if no_eol {
                words.push("no-eol");
            }
            words.join(" ")
        }
        _ => written.trim_end().to_owned(),
    }
}
