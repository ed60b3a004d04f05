//! What keeps a command from being run.

use std::fmt;
use std::io;
use std::path::Path;

/// A mistake in the call, or a file that cannot be read or written.
#[derive(Debug)]
pub(crate) struct Problem {
    message: String,
    help: Option<String>,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What the system said of a path.
    pub(crate) fn of(path: &Path, error: &io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
            _ => error.to_string(),
        };
        Self::new(format!("`{}`: {reason}", shown(path)))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// A path for people.
pub(crate) fn shown(path: &Path) -> String {
    plain(&path.to_string_lossy())
}

/// A text whose control characters are escaped, so that it cannot steer a terminal.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}
