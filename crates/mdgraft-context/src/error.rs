//! What goes wrong, in words that a model and a person can act on.

/// Why something in a context folder could not be done.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// The path may not be used. Whether anything is there is not told.
    #[error("access denied: `{path}` {reason}")]
    Denied {
        /// The path as it was given.
        path: String,
        /// Why not.
        reason: Denied,
    },
    /// Nothing has this name.
    #[error("`{path}` does not exist")]
    NotFound {
        /// The path as it was given.
        path: String,
    },
    /// The path leads to something of another kind.
    #[error("`{path}` is {is}, not {wanted}")]
    WrongKind {
        /// The path as it was given.
        path: String,
        /// What it is.
        is: &'static str,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The file is larger than is read at once.
    #[error("`{path}` has {size} bytes, more than the {limit} that are read; use grep")]
    TooLarge {
        /// The path as it was given.
        path: String,
        /// Its size.
        size: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The pattern cannot be used.
    #[error("the pattern `{pattern}` cannot be used: {reason}")]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An argument is out of its range.
    #[error("{0}")]
    Argument(String),
    /// The system did not do it.
    #[error("`{path}` cannot be {what}: {reason}")]
    Failed {
        /// The path concerned.
        path: String,
        /// What was tried, as in "read".
        what: &'static str,
        /// What the system said.
        reason: String,
    },
    /// The settings are wrong.
    #[error("{place}: {reason}")]
    Settings {
        /// File, line and column.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

/// Why a path may not be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Denied {
    /// It leads out of the context folder, by `..` or by a link.
    Outside,
    /// It is in a `.git` folder.
    Git,
    /// It is an environment file: `.env`, `.env.local`, `.envrc`.
    Environment,
    /// It is in the folder that this program keeps for itself.
    Meta,
    /// The ignore file says so.
    Ignored,
    /// It holds a backslash, a drive letter or a control character, or is too long.
    NoPath,
}

impl std::fmt::Display for Denied {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Outside => "is outside the context folder",
            Self::Git => "targets protected .git metadata",
            Self::Environment => "targets a protected environment file",
            Self::Meta => "is in an excluded directory",
            Self::Ignored => "is ignored by .mdgraftignore",
            Self::NoPath => {
                "is no path of the context folder: write names joined by `/`, without backslashes, \
                 drive letters and control characters"
            }
        })
    }
}

impl ContextError {
    pub(crate) fn denied(path: &str, reason: Denied) -> Self {
        Self::Denied { path: plain(path), reason }
    }

    pub(crate) fn not_found(path: &str) -> Self {
        Self::NotFound { path: plain(path) }
    }

    pub(crate) fn failed(path: &str, what: &'static str, error: &std::io::Error) -> Self {
        Self::Failed { path: plain(path), what, reason: reason(error) }
    }
}

/// What the system said, without the path that it may have added.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        kind => kind.to_string(),
    }
}

/// A text whose control characters are escaped, so that it cannot steer a terminal; cut where it
/// is long.
pub(crate) fn plain(text: &str) -> String {
    const LONGEST: usize = 300;
    let mut shown = String::new();
    for (at, letter) in text.chars().enumerate() {
        if at == LONGEST {
            shown.push('…');
            break;
        }
        if letter.is_control() {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}
