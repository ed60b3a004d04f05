//! Patterns for paths and names. The only file that names `globset`.

use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

use crate::error::{ContextError, plain};

/// A pattern for paths, as `search` and `grep` are given it.
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

/// Patterns of a shell for names: `*` and `?` stand for any letters, a dot too.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    set: GlobSet,
    empty: bool,
}

impl Patterns {
    /// Reads patterns. `any_case` takes upper and lower case for the same.
    pub(crate) fn new(patterns: &[String], any_case: bool) -> Result<Self, String> {
        let mut builder = GlobSetBuilder::new();
        for pattern in patterns {
            let glob = GlobBuilder::new(pattern)
                .literal_separator(false)
                .case_insensitive(any_case)
                .build();
            let fault = |error: globset::Error| {
                format!("the pattern `{}` cannot be used: {}", plain(pattern), error.kind())
            };
            builder.add(glob.map_err(fault)?);
        }
        let set = builder.build().map_err(|error| error.to_string())?;
        Ok(Self { set, empty: patterns.is_empty() })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.empty
    }

    pub(crate) fn match_any(&self, name: &str) -> bool {
        self.set.is_match(name)
    }
}

/// The files of a repository that are taken.
#[derive(Clone, Debug)]
pub(crate) struct FilePatterns {
    include: GlobSet,
    exclude: GlobSet,
    all: bool,
}

impl FilePatterns {
    /// Reads patterns: one without `/` is for a name at any depth, one with it for the whole path.
    /// `*` and `?` stay within a name, `**` goes over names, and `[` is a letter.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Self, String> {
        Ok(Self { include: paths(include)?, exclude: paths(exclude)?, all: include.is_empty() })
    }

    pub(crate) fn take(&self, path: &str) -> bool {
        (self.all || self.include.is_match(path)) && !self.exclude.is_match(path)
    }
}

fn paths(patterns: &[String]) -> Result<GlobSet, String> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let literal = pattern.replace('[', "[[]");
        let whole = if literal.contains('/') { literal } else { format!("**/{literal}") };
        let glob = GlobBuilder::new(&whole).literal_separator(true).build();
        let fault = |error: globset::Error| {
            format!("the pattern `{}` cannot be used: {}", plain(pattern), error.kind())
        };
        builder.add(glob.map_err(fault)?);
    }
    builder.build().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_for_files_stay_within_names() {
        let take = |pattern: &str, path: &str| {
            FilePatterns::new(&[pattern.to_owned()], &[]).is_ok_and(|patterns| patterns.take(path))
        };
        let table = [
            ("*.sql", "a/b/x.sql", true),
            ("models/*.sql", "models/x.sql", true),
            ("models/*.sql", "models/a/x.sql", false),
            ("models/*.sql", "a/models/x.sql", false),
            ("models/**", "models/a/x.sql", true),
            ("**/x.sql", "x.sql", true),
            ("a/**/x.sql", "a/x.sql", true),
            ("a/**/x.sql", "a/b/c/x.sql", true),
            ("x[1].md", "x[1].md", true),
            ("x[1].md", "x1.md", false),
        ];
        for (pattern, path, expected) in table {
            assert_eq!(take(pattern, path), expected, "{pattern} {path}");
        }
        let both = FilePatterns::new(&["*.md".to_owned()], &["drafts/**".to_owned()]);
        let both = both.expect("patterns");
        assert!(both.take("a.md") && !both.take("drafts/a.md") && !both.take("a.sql"));
    }
}
