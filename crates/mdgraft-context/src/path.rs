//! Paths as a model writes them: `/` is the context folder, whatever it is called on disk.

use std::fmt;

use crate::error::{ContextError, Denied};

/// A path in the context folder, folded: no `.`, `..` or empty names. The root is empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct VirtualPath {
    /// Joined by `/`, without one at the start.
    text: String,
}

/// The longest path that is looked at, in bytes.
const LONGEST: usize = 8 * 1024;

impl VirtualPath {
    /// Reads a path. A leading `/` may be left out, and what is empty is the root.
    ///
    /// Nothing is decoded: `%2e%2e` is a name. What could be read as something else by another
    /// system (a backslash, a drive, a control character) is refused on every system.
    pub(crate) fn read(given: &str) -> Result<Self, ContextError> {
        let denied = |reason| ContextError::denied(given, reason);
        if given.len() > LONGEST {
            return Err(denied(Denied::NoPath));
        }
        if given.contains('\\') || given.chars().any(char::is_control) {
            return Err(denied(Denied::NoPath));
        }
        let mut names: Vec<&str> = Vec::new();
        for name in given.split('/') {
            match name {
                "" | "." => {}
                ".." => {
                    names.pop().ok_or_else(|| denied(Denied::Outside))?;
                }
                name if is_drive(name) => return Err(denied(Denied::NoPath)),
                name => names.push(name),
            }
        }
        Ok(Self { text: names.join("/") })
    }

    /// A path that is folded already.
    pub(crate) fn folded(text: &str) -> Self {
        Self { text: text.to_owned() }
    }

    /// Without the leading `/`.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for VirtualPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.text)
    }
}

/// A path and a name in it.
pub(crate) fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// `C:` and `C:x`, which Windows takes for a drive.
fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}
