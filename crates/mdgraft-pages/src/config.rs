//! The `config` block: what is rendered, and how.

use std::collections::BTreeMap;

use mdgraft::{Guard, Include, Limits, LoadOptions, RenderOptions};
use serde::Deserialize;

use crate::error::Fault;

/// The settings of one stage of a test.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    pub(crate) entry: Option<String>,
    include: Vec<Entry>,
    ancestors: bool,
    tidy: bool,
    comments: Comments,
    guard: GuardSetting,
    variant: Option<String>,
    /// The folder of each named root, from the root of the test.
    pub(crate) roots: BTreeMap<String, String>,
    max_depth: Option<usize>,
    max_expansions: Option<usize>,
    max_output: Option<usize>,
    max_file: Option<u64>,
    /// The text of each file laid beside the root, by its path from the folder above the root.
    pub(crate) outside: BTreeMap<String, String>,
}

const KEYS: [&str; 13] = [
    "entry",
    "include",
    "ancestors",
    "tidy",
    "comments",
    "guard",
    "variant",
    "roots",
    "max_depth",
    "max_expansions",
    "max_output",
    "max_file",
    "outside",
];

/// A section to select: a path, or a list of titles.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, expecting = "an entry of `include` is a path or a list of titles")]
enum Entry {
    Path(String),
    Titles(Vec<String>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Comments {
    #[default]
    Keep,
    Strip,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum GuardSetting {
    #[default]
    Warn,
    Error,
}

/// Reads the block that opens on `line` into a table, whose keys and types are known to be right.
pub(crate) fn read_table(text: &str, line: usize) -> Result<toml::Table, Fault> {
    let fault = |error: &toml::de::Error| {
        let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or_default());
        Fault::new(line + 1 + before.matches('\n').count(), error.message().trim_end())
    };
    let table: toml::Table = toml::from_str(text).map_err(|error| fault(&error))?;
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let at = text.lines().position(|row| row.trim_start().starts_with(key.as_str()));
        let fault = Fault::new(line + at.map_or(0, |at| at + 1), format!("unknown key `{key}`"));
        return Err(fault.help_known(key, KEYS));
    }
    toml::from_str::<Config>(text).map_err(|error| fault(&error))?;
    Ok(table)
}

impl Config {
    /// The settings of a table made of such as [`read_table`] gives.
    pub(crate) fn from_table(table: toml::Table) -> Self {
        table.try_into().unwrap_or_default()
    }

    pub(crate) fn entry(&self) -> &str {
        self.entry.as_deref().unwrap_or("main.md")
    }

    /// The entries of a check: without a configured one, all files that no other includes.
    pub(crate) fn entries(&self) -> Vec<&str> {
        self.entry.as_deref().into_iter().collect()
    }

    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_depth = self.max_depth.unwrap_or(limits.max_depth);
        limits.max_expansions = self.max_expansions.unwrap_or(limits.max_expansions);
        limits.max_output = self.max_output.unwrap_or(limits.max_output);
        limits.max_file = self.max_file.unwrap_or(limits.max_file);
        limits
    }

    pub(crate) fn load_options(&self) -> LoadOptions {
        LoadOptions {
            variant: self.variant.clone(),
            strip_comments: self.comments == Comments::Strip,
        }
    }

    pub(crate) fn render_options(&self) -> RenderOptions {
        let mut include = Include::default();
        for entry in &self.include {
            match entry {
                Entry::Path(path) => include.push_path(path),
                Entry::Titles(titles) => include.push_titles(titles),
            }
        }
        RenderOptions {
            include,
            ancestors: self.ancestors,
            tidy: self.tidy,
            guard: match self.guard {
                GuardSetting::Warn => Guard::Warn,
                GuardSetting::Error => Guard::Error,
            },
            origins: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_refused_at_their_line() {
        let message = |text: &str| match read_table(text, 10) {
            Ok(_) => "fine".to_owned(),
            Err(fault) => format!("{}: {} {:?}", fault.line, fault.message, fault.help),
        };
        assert_eq!(message("include = [\"A\", [\"B\", \"C/D\"]]\nmax_depth = 2\n"), "fine");
        assert_eq!(
            message("tidy = true\nmax_dept = 2\n"),
            "12: unknown key `max_dept` Some(\"did you mean `max_depth`?\")"
        );
        assert!(message("guard = \"eror\"\n").starts_with("11: unknown variant `eror`"));
        assert!(message("tidy = true\ninclude = [1]\n").starts_with("12: an entry of `include`"));
        assert!(message("tidy = \n").starts_with("11: "));
    }
}
