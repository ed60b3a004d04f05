//! The patterns of `search` and `grep`. The only file that names `globset`.

use globset::{GlobBuilder, GlobMatcher};

use crate::error::{ContextError, plain};

/// A pattern for paths.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(GlobMatcher);

/// The longest pattern, in bytes, and the most alternatives in each other.
const LONGEST: usize = 4096;
const MOST_BRACES: usize = 32;

impl Pattern {
    /// Reads a pattern: `*` and `?` within a name, `**` over names, `[…]` and `{…}`. It may match
    /// at any depth: `x.md` is `**/x.md`.
    pub(crate) fn read(given: &str) -> Result<Self, ContextError> {
        let fault = |reason: &str| ContextError::Pattern {
            pattern: plain(given),
            reason: reason.to_owned(),
        };
        if given.starts_with(['/', '\\', '~']) || given.as_bytes().get(1) == Some(&b':') {
            return Err(fault("access denied: absolute paths are not allowed in file patterns"));
        }
        if given.contains("..") {
            return Err(fault("access denied: `..` is not allowed in file patterns"));
        }
        if given.is_empty() {
            return Err(fault("it is empty"));
        }
        if given.len() > LONGEST || given.matches('{').count() > MOST_BRACES {
            return Err(fault("it is too long or has too many alternatives"));
        }
        let anywhere =
            if given.starts_with("**/") { given.to_owned() } else { format!("**/{given}") };
        let mut builder = GlobBuilder::new(&anywhere);
        let glob = builder.literal_separator(true).backslash_escape(true).build();
        let glob = glob.map_err(|error| fault(&error.kind().to_string()))?;
        Ok(Self(glob.compile_matcher()))
    }

    pub(crate) fn matches(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}
