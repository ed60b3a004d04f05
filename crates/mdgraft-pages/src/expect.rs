//! What a test expects: one block with a role, read so far that it can be compared.

use crate::console::{self, Command};
use crate::error::Fault;

/// What is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Output,
    Errors,
    Warnings,
    Diagnostics,
    Human,
    Messages,
    Outline,
    Origins,
    /// How often the engine parsed and lowered.
    Work,
    Console,
}

impl Kind {
    /// The role as it is written.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Errors => "errors",
            Self::Warnings => "warnings",
            Self::Diagnostics => "diagnostics",
            Self::Human => "human",
            Self::Messages => "messages",
            Self::Outline => "outline",
            Self::Origins => "origins",
            Self::Work => "work",
            Self::Console => "console",
        }
    }
}

/// An expectation block.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    pub(crate) kind: Kind,
    /// Whether it is expected of a check.
    pub(crate) check: bool,
    /// The line of its opening fence.
    pub(crate) line: usize,
    /// The text, without its last line end where `no-eol` says so.
    pub(crate) text: String,
    pub(crate) content: Content,
}

/// The text of an expectation, understood.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// It is compared as a text.
    Text,
    /// The lines of `errors` and `warnings`.
    Findings(Vec<Finding>),
    Json(serde_json::Value),
    Commands(Vec<Command>),
}

/// A line of `errors` or `warnings`: `code path:line:col`, and ` — PART` if the message is meant
/// to hold something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    /// `code path:line:col`.
    pub(crate) place: String,
    pub(crate) part: Option<String>,
}

impl Finding {
    /// The line as it stands in a page.
    pub(crate) fn line(&self) -> String {
        match &self.part {
            Some(part) => format!("{}{DASH}{part}", self.place),
            None => self.place.clone(),
        }
    }
}

/// What stands between a place and a part of the message.
const DASH: &str = " — ";

/// Reads the text of an expectation whose block opens on `line`.
pub(crate) fn read_content(kind: Kind, text: &str, line: usize) -> Result<Content, Fault> {
    match kind {
        Kind::Errors | Kind::Warnings => findings(text, line).map(Content::Findings),
        Kind::Messages => match serde_json::from_str(text) {
            Ok(json) => Ok(Content::Json(json)),
            // An empty block is one that is to be filled in.
            Err(_) if text.trim().is_empty() => Ok(Content::Json(serde_json::Value::Null)),
            Err(error) => {
                Err(Fault::new(line + error.line(), format!("the messages are no JSON: {error}")))
            }
        },
        Kind::Console => console::read_commands(text, line).map(Content::Commands),
        _ => Ok(Content::Text),
    }
}

fn findings(text: &str, line: usize) -> Result<Vec<Finding>, Fault> {
    let mut findings = Vec::new();
    for (index, row) in text.lines().enumerate() {
        if row.trim().is_empty() {
            continue;
        }
        let Some(finding) = finding(row.trim()) else {
            let fault = Fault::new(line + 1 + index, format!("`{row}` names no place"));
            return Err(fault.help("a line is `code path:line:col`, with ` — part` if need be"));
        };
        findings.push(finding);
    }
    Ok(findings)
}

fn finding(row: &str) -> Option<Finding> {
    let (place, part) = match row.split_once(DASH) {
        Some((place, part)) => (place.trim_end(), Some(part.trim().to_owned())),
        None => (row, None),
    };
    let (code, rest) = place.split_once(' ')?;
    let rest = rest.trim_start();
    let mut numbers = rest.rsplitn(3, ':');
    let (column, line, path) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let counted = |text: &str| text.parse::<usize>().is_ok_and(|number| number > 0);
    if path.is_empty() || !counted(line) || !counted(column) {
        return None;
    }
    Some(Finding { place: format!("{code} {rest}"), part })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_a_code_and_a_place() {
        let read = |row: &str| finding(row).map(|finding| (finding.place.clone(), finding.part));
        assert_eq!(read("a-b x.md:1:2"), Some(("a-b x.md:1:2".into(), None)));
        assert_eq!(
            read("a-b d/two words.md:1:2 — lib — x"),
            Some(("a-b d/two words.md:1:2".into(), Some("lib — x".into())))
        );
        assert_eq!(read("a @lib/c:d.md:1:2"), Some(("a @lib/c:d.md:1:2".into(), None)));
        for wrong in ["a", "a x.md", "a x.md:1", "a x.md:0:1", "a x.md:1:x", "a :1:1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
