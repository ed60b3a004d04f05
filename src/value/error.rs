//! Why a value was refused.

use std::fmt;

/// Why something does not fit into a [`Value`](super::Value).
///
/// The message names the place inside the value, written as a path of the language
/// (`users.2.age`), or the line and column of the text it was read from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct ValueError {
    /// Keys and indices from the innermost outwards.
    path: Vec<String>,
    reason: Reason,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// A whole number outside of 64 bits, as it was given.
    Integer(String),
    /// A float that is not finite, as it was given.
    Float(String),
    /// What stands for a key and is no text, number or boolean.
    Key,
    /// A key that was given before.
    Repeated(String),
    Bytes,
    TooDeep,
    /// The variables are given as something without names.
    NotAMap(&'static str),
    /// A text does not parse: line, column, what was wrong.
    Syntax(usize, usize, String),
    /// What a `Serialize` implementation says itself.
    Other(String),
}

impl ValueError {
    pub(super) fn new(reason: Reason) -> Self {
        Self { path: Vec::new(), reason }
    }

    /// Whether it is a number that does not fit.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.reason, Reason::Integer(_) | Reason::Float(_))
    }

    /// The same error, seen from the list or map that holds the place under this key or index.
    pub(super) fn under(mut self, key: impl fmt::Display) -> Self {
        self.path.push(key.to_string());
        self
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            let path: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
            write!(f, "`{}`: ", path.join("."))?;
        }
        match &self.reason {
            Reason::Integer(number) => write!(f, "{number} does not fit into 64 bits"),
            Reason::Float(number) => write!(f, "{number} is no finite number"),
            Reason::Key => f.write_str("a key of a map must be a text, a number or a boolean"),
            Reason::Repeated(key) => write!(f, "the key `{key}` is given twice"),
            Reason::Bytes => f.write_str("bytes are no value; give them as a text"),
            Reason::TooDeep => {
                write!(f, "lists and maps are nested deeper than {}", super::MAX_DEPTH)
            }
            Reason::NotAMap(kind) => write!(f, "variables are given as a map, not as {kind}"),
            Reason::Syntax(line, column, message) => {
                write!(f, "line {line}, column {column}: {message}")
            }
            Reason::Other(message) => f.write_str(message),
        }
    }
}

impl serde::ser::Error for ValueError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Reason::Other(message.to_string()))
    }
}
