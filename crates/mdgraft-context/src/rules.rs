//! What nobody reads through the tools: the built-in exclusions, and the ignore file. The only
//! file that names `ignore`.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::error::{ContextError, Denied};

/// The ignore file, at the top of the context folder.
pub(crate) const IGNORE_FILE: &str = ".mdgraftignore";

/// The folder that this program keeps for itself.
pub(crate) const META: &str = ".meta";

/// The rules of one state of the ignore file.
#[derive(Debug)]
pub(crate) struct Rules {
    text: Vec<u8>,
    /// None where the file says nothing: most names need not be looked at twice.
    ignored: Option<Gitignore>,
}

impl Rules {
    /// Reads the ignore file. What does not read is an error: nothing is shown by mistake.
    pub(crate) fn read(text: Vec<u8>) -> Result<Self, ContextError> {
        let ignored = build(&text)?;
        Ok(Self { text, ignored: Some(ignored).filter(|rules| !rules.is_empty()) })
    }

    /// Whether these are the rules of this text.
    pub(crate) fn are_of(&self, text: &[u8]) -> bool {
        self.text == text
    }

    /// Why a path may not be used, if so. Of its folders the same is asked before.
    pub(crate) fn denied(&self, path: &str, name: &str, folder: bool) -> Option<Denied> {
        built_in(name).or_else(|| self.is_ignored(path, folder).then_some(Denied::Ignored))
    }

    fn is_ignored(&self, path: &str, folder: bool) -> bool {
        self.ignored.as_ref().is_some_and(|rules| rules.matched(path, folder).is_ignore())
    }
}

/// The exclusions that no ignore file can lift, in any letter case.
///
/// The other spellings are those that some file system takes for the same name: blanks and dots
/// at the end, streams behind a colon, short names with a tilde, and letters without a width.
pub(crate) fn built_in(name: &str) -> Option<Denied> {
    // All of them begin with a dot, but for short names and letters without a width.
    let first = name.as_bytes().first()?;
    if !matches!(first, b'.' | b'g' | b'G' | b'e' | b'E' | b'm' | b'M' | 0x80..) {
        return None;
    }
    let folded: String =
        name.chars().filter(|letter| !has_no_width(*letter)).flat_map(char::to_lowercase).collect();
    let folded = folded.split(':').next().unwrap_or_default().trim_end_matches([' ', '.']);
    let short = |stem: &str| {
        let number = folded.strip_prefix(stem).and_then(|rest| rest.strip_prefix('~'));
        number.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    match folded {
        ".git" => Some(Denied::Git),
        _ if short("git") => Some(Denied::Git),
        ".meta" => Some(Denied::Meta),
        _ if short("meta") => Some(Denied::Meta),
        _ if folded.starts_with(".env") || short("env") || short("envrc") => {
            Some(Denied::Environment)
        }
        _ => None,
    }
}

/// Letters that some file systems leave out when they compare names.
fn has_no_width(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{ad}')
}

fn build(text: &[u8]) -> Result<Gitignore, ContextError> {
    let fault = |line: usize, reason: &str| ContextError::Settings {
        place: format!("{IGNORE_FILE}:{line}"),
        reason: reason.to_owned(),
    };
    let text = std::str::from_utf8(text).map_err(|error| {
        let before = &text[..error.valid_up_to()];
        fault(memchr::memchr_iter(b'\n', before).count() + 1, "not UTF-8")
    })?;
    let mut builder = GitignoreBuilder::new("");
    // Where `SECRETS` opens `secrets`, the rule for one is the rule for the other.
    let folds_case = cfg!(any(windows, target_os = "macos"));
    builder.case_insensitive(folds_case).map_err(|error| fault(1, &error.to_string()))?;
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let added = builder.add_line(None, line);
        added.map_err(|_| fault(at + 1, "no pattern of an ignore file"))?;
    }
    builder.build().map_err(|_| fault(1, "too many patterns"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_exclusions_hold_in_every_spelling() {
        for name in
            [".git", ".GIT", ".Git ", ".git.", ".git. .", "GIT~1", ".git::$DATA", ".g\u{200c}it"]
        {
            assert_eq!(built_in(name), Some(Denied::Git), "{name:?}");
        }
        for name in [".env", ".ENV", ".env.local", ".envrc", ".Env.", "ENV~1", "\u{feff}.env"] {
            assert_eq!(built_in(name), Some(Denied::Environment), "{name:?}");
        }
        for name in [".meta", ".META", ".meta ", "META~2"] {
            assert_eq!(built_in(name), Some(Denied::Meta), "{name:?}");
        }
        for name in ["git", ".gitignore", ".github", "env", "environment.md", "x.env", "meta", ""] {
            assert_eq!(built_in(name), None, "{name:?}");
        }
    }
}
