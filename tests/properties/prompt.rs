//! A prompt as it is tried: files, values and a filter, printed as a page when something is wrong.

use std::fmt;

use mdgraft::{Value, Vars};

/// What is rendered.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Prompt {
    /// Paths and texts, the entry first.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) values: Vec<(String, Given)>,
    pub(crate) include: Vec<String>,
    pub(crate) ancestors: bool,
    pub(crate) strip_comments: bool,
}

/// The value of a variable.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Given {
    Flag(bool),
    Text(String),
    List(Vec<String>),
}

impl Prompt {
    pub(crate) fn vars(&self) -> Vars {
        let value = |given: &Given| match given {
            Given::Flag(flag) => Value::from(*flag),
            Given::Text(text) => Value::from(text.as_str()),
            Given::List(list) => list.iter().map(|item| Value::from(item.as_str())).collect(),
        };
        self.values.iter().map(|(name, given)| (name, value(given))).collect()
    }

    /// Whether some file holds one of the signs.
    pub(crate) fn holds(&self, signs: &[&str]) -> bool {
        self.files.iter().any(|(_, text)| signs.iter().any(|sign| text.contains(sign)))
    }
}

/// The prompt as the blocks of a fixture page.
impl fmt::Display for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fence = "`".repeat(8);
        for (path, text) in &self.files {
            let eol = if text.ends_with('\n') { "" } else { " no-eol" };
            let end = if text.ends_with('\n') { "" } else { "\n" };
            writeln!(f, "`{path}`:\n\n{fence}md{eol}\n{text}{end}{fence}\n")?;
        }
        if !self.values.is_empty() {
            writeln!(f, "{fence}toml vars")?;
            for (name, given) in &self.values {
                match given {
                    Given::Flag(flag) => writeln!(f, "{name} = {flag}")?,
                    Given::Text(text) => writeln!(f, "{name} = {text:?}")?,
                    Given::List(list) => writeln!(f, "{name} = {list:?}")?,
                }
            }
            writeln!(f, "{fence}\n")?;
        }
        writeln!(f, "{fence}toml config\ninclude = {:?}", self.include)?;
        writeln!(f, "ancestors = {}", self.ancestors)?;
        writeln!(f, "comments = {:?}", if self.strip_comments { "strip" } else { "keep" })?;
        writeln!(f, "{fence}")
    }
}
