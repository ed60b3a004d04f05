//! What is said about a path that leads nowhere.

use std::fmt::Write;

use super::loader::LoadError;
use super::roots::RootId;
use super::suggest::{Suggestion, rewrite};
use crate::diag::{Code, Finding, codes, near};
use crate::parse::include::IncludePath;
use crate::text::paths::{self, PathFault};
use crate::text::{Source, Span};

/// The missing files that one message names.
const MOST_NAMED: usize = 5;

/// Why a path gives no file.
pub(super) enum Miss {
    Fault {
        fault: PathFault,
        /// The path, with values in the place of its references.
        text: String,
    },
    UnknownRoot {
        name: String,
        near: Option<String>,
    },
    /// One file, or several for the values of an enum.
    Missing(Vec<Missing>),
    /// No file matches.
    Nothing {
        pattern: String,
    },
    /// The path, or a name that it matches, leads out of the root.
    Outside,
    Load {
        /// The file as messages call it.
        name: String,
        error: LoadError,
    },
    /// A reference that may not stand in a path.
    Reference(String),
    /// More work than one run may do.
    Work(&'static str),
}

/// A file that is not there.
pub(super) struct Missing {
    pub(super) root: RootId,
    /// The canonical path that was tried, and what messages call it.
    pub(super) path: String,
    pub(super) name: String,
    pub(super) suggestion: Option<Suggestion>,
}

/// Where a path stands, and in what.
pub(super) struct Construct<'a> {
    pub(super) path: &'a IncludePath,
    /// The whole directive; the path itself for `extends`.
    pub(super) span: Span,
    pub(super) source: &'a Source,
    pub(super) is_base: bool,
}

/// The finding for a path that gives no file.
pub(super) fn finding(miss: Miss, at: &Construct<'_>) -> Finding {
    let written = &*at.path.text;
    let place = at.path.span;
    match miss {
        Miss::Fault { fault, text } => path_fault(fault, &text, at),
        Miss::UnknownRoot { name, near } => unknown_root(&name, near, at),
        Miss::Missing(missing) => not_found(missing, at),
        Miss::Nothing { pattern } => {
            let message = format!("no file matches `{pattern}`");
            let help = "correct the pattern, or add `| optional` if there may be none";
            Finding::new(codes::INCLUDE_NOT_FOUND, place, message).help(help)
        }
        Miss::Outside | Miss::Load { error: LoadError::OutsideRoot { .. }, .. } => {
            outside(written, place)
        }
        Miss::Load { name, error } => unloadable(&name, &error, at),
        Miss::Reference(message) => Finding::new(codes::INVALID_INCLUDE_PATH, place, message)
            .help("write the path in full, or declare the input with its `enum` under `vars`"),
        Miss::Work(what) => Finding::new(
            codes::LIMIT_EXCEEDED,
            at.span,
            format!("`{written}` leads to more than can be looked at: {what}"),
        )
        .help("name fewer files"),
    }
}

fn outside(written: &str, place: Span) -> Finding {
    let message = format!("`{written}` leads out of the root");
    Finding::new(codes::INCLUDE_OUTSIDE_ROOT, place, message)
        .help("include files below the root only, or make the other folder a root with a name")
}

fn path_fault(fault: PathFault, written: &str, at: &Construct<'_>) -> Finding {
    let invalid =
        |message: String| Finding::new(codes::INVALID_INCLUDE_PATH, at.path.span, message);
    match fault {
        PathFault::Outside => outside(written, at.path.span),
        PathFault::TooLong => {
            let most = paths::LONGEST;
            invalid(format!("the path is longer than {most} bytes")).help("write a shorter path")
        }
        PathFault::Control(letter) => {
            let point = u32::from(letter);
            invalid(format!("the path holds the control character U+{point:04X}"))
                .help("take it out; folders are parted by `/`, and words by blanks")
        }
        PathFault::Drive(letter) => {
            invalid(format!("the path begins with the drive letter `{letter}:`"))
                .help("write it from the folder of this file, or with a leading `/` from the root")
        }
        PathFault::Home => invalid(format!(
            "`{written}` begins with `~`, which is not read as a home folder"
        ))
        .help("write it from the root with a leading `/`; a name that begins so is written `./~…`"),
        PathFault::Url => invalid(format!("`{written}` is a URL, not a file below the root")).help(
            "save the text below the root and include it by its path, such as `/rules/style.md`",
        ),
        PathFault::Backslash => {
            let right = written.replace('\\', "/");
            let finding = invalid(format!("`{written}` holds a backslash"));
            let is_path = paths::read(&right).is_ok();
            let finding = if is_path { edit(finding, at, &right) } else { finding };
            finding.help(format!("write `/` between folders: `{right}`"))
        }
        PathFault::TwoSlashes => {
            let right = format!("/{}", written.trim_start_matches('/'));
            let help = format!("did you mean `{right}`, from the root?");
            edit(invalid(format!("`{written}` begins with two slashes")), at, &right).help(help)
        }
        PathFault::Folder => {
            let folder = written.trim_end_matches('/');
            let finding = invalid(format!("`{written}` names a folder, not a file"));
            if at.is_base {
                return finding.help("write the path of one file");
            }
            finding.help(format!("did you mean `{folder}/*.md`, all its Markdown files?"))
        }
    }
}

fn unknown_root(name: &str, near: Option<String>, at: &Construct<'_>) -> Finding {
    let message = format!("there is no root `@{name}`");
    let finding = Finding::new(codes::UNKNOWN_ROOT, at.path.span, message);
    let written = &*at.path.text;
    let Some(near) = near else {
        return finding.help(format!(
            "name it under `[roots]` in `mdgraft.toml`; a folder called so is `./{written}`"
        ));
    };
    let help = format!("did you mean `@{near}`?");
    match written.strip_prefix('@').and_then(|rest| rest.strip_prefix(name)) {
        Some(rest) => edit(finding, at, &format!("@{near}{rest}")).help(help),
        None => finding.help(help),
    }
}

/// The near name of a root.
pub(super) fn near_root<'a>(name: &str, roots: impl Iterator<Item = &'a str>) -> Option<String> {
    near::nearest(name, roots).map(str::to_owned)
}

fn not_found(missing: Vec<Missing>, at: &Construct<'_>) -> Finding {
    let mut message = String::from("cannot find ");
    for (index, file) in missing.iter().take(MOST_NAMED).enumerate() {
        let joint = if index == 0 { "" } else { ", " };
        let _ = write!(message, "{joint}`{}`", file.name);
    }
    if missing.len() > MOST_NAMED {
        let _ = write!(message, " and {} more", missing.len() - MOST_NAMED);
    }
    let finding = Finding::new(codes::INCLUDE_NOT_FOUND, at.path.span, message);
    let written = &*at.path.text;
    let is_plain = at.path.references.is_empty();
    for file in missing {
        match file.suggestion {
            Some(Suggestion::File(near)) if is_plain => {
                let right = rewrite(written, &file.path, &near);
                let help = format!("did you mean `{right}`?");
                return edit(finding, at, &right).help(help);
            }
            Some(Suggestion::File(near)) => return finding.help(format!("did you mean `{near}`?")),
            Some(Suggestion::Folder) if !at.is_base => {
                return finding.help(format!(
                    "`{written}` is a folder; `{written}/*.md` takes its Markdown files"
                ));
            }
            _ => {}
        }
    }
    if is_plain && paths::split_extension(written).1.is_none() {
        let help = format!("no `{written}.md` or `{written}.markdown` either; correct the path");
        return finding.help(help);
    }
    if at.is_base {
        return finding.help("create the file, or correct the path");
    }
    finding.help("create the file, correct the path, or add `| optional`")
}

fn unloadable(name: &str, error: &LoadError, at: &Construct<'_>) -> Finding {
    let (code, message) = load_error(name, error);
    let finding = match error {
        LoadError::TooLarge { .. } => Finding::new(code, at.span, message),
        _ => Finding::new(code, at.path.span, message),
    };
    match load_help(error) {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// The code and message for a file or folder that a loader does not give.
pub(super) fn load_error(name: &str, error: &LoadError) -> (Code, String) {
    match error {
        LoadError::OutsideRoot { .. } => {
            (codes::INCLUDE_OUTSIDE_ROOT, format!("`{name}` leads out of the root"))
        }
        LoadError::TooLarge { limit, .. } => {
            (codes::LIMIT_EXCEEDED, format!("`{name}` is larger than {limit} bytes"))
        }
        LoadError::TooMany { limit, .. } => {
            (codes::LIMIT_EXCEEDED, format!("the folder `{name}` holds more than {limit} names"))
        }
        LoadError::Unreadable { reason, .. } => {
            (codes::UNREADABLE_FILE, format!("cannot read `{name}`: {reason}"))
        }
    }
}

pub(super) fn load_help(error: &LoadError) -> Option<&'static str> {
    match error {
        LoadError::TooLarge { .. } => Some("split the file, or raise the limit `max_file`"),
        LoadError::TooMany { .. } => Some("spread the files over more folders"),
        LoadError::OutsideRoot { .. } | LoadError::Unreadable { .. } => None,
    }
}

/// Adds the edit that writes another path, if nothing but the path changes by that.
fn edit(finding: Finding, at: &Construct<'_>, right: &str) -> Finding {
    let in_place = at.path.references.is_empty()
        && at.source.text().get(at.path.span.range()) == Some(&*at.path.text);
    let is_safe = if at.is_base {
        right.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-@".contains(&byte))
            && !right.starts_with(['-', '@'])
    } else if at.path.quoted {
        !right.contains('"')
    } else {
        let special = ["#", "|", "*", "?", "\"", ">>", "}}", "{{", " with "];
        !special.iter().any(|sign| right.contains(sign)) && right.trim() == right
    };
    if in_place && is_safe && paths::read(right).is_ok() {
        return finding.edit(at.path.span, right);
    }
    finding
}
