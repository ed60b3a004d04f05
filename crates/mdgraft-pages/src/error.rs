//! What makes a page unusable.

use std::fmt;

/// All that is wrong with a page, which then has no tests.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct PageError {
    /// The path of the page, as it was given.
    pub path: String,
    /// What is wrong, in the order of the lines; never empty.
    pub faults: Vec<Fault>,
}

/// One thing that is wrong with a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line of the page, counted from 1.
    pub line: usize,
    /// One line that says what is wrong.
    pub message: String,
    /// What to do, or what is known.
    pub help: Option<String>,
}

impl Fault {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The help for a word that is not known: the nearest known one, or all of them.
    pub(crate) fn help_known<'a>(
        self,
        word: &str,
        known: impl IntoIterator<Item = &'a str> + Clone,
    ) -> Self {
        let near = known
            .clone()
            .into_iter()
            .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
            .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
            .min();
        if let Some((_, candidate)) = near {
            return self.help(format!("did you mean `{candidate}`?"));
        }
        let list: Vec<String> = known.into_iter().map(|one| format!("`{one}`")).collect();
        self.help(format!("known are {}", list.join(", ")))
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}:{}: {}", self.path, fault.line, fault.message)?;
            if let Some(help) = &fault.help {
                write!(f, " ({help})")?;
            }
        }
        Ok(())
    }
}
