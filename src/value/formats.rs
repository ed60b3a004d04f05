//! Values from JSON, TOML and YAML texts.

mod json;
mod number;
mod toml;
mod yaml;

use super::error::Reason;
use super::{MAX_DEPTH, Value, ValueError};

pub(crate) use json::parse_json;

/// What does not parse: the offset in the text, and what was wrong there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SyntaxError {
    pub(crate) offset: usize,
    pub(crate) message: String,
}

impl SyntaxError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }

    /// The error of a text that has this error.
    fn of(self, text: &str) -> ValueError {
        let mut offset = self.offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        ValueError::new(Reason::Syntax(line, column, self.message))
    }
}

fn too_deep() -> String {
    format!("lists and maps are nested deeper than {MAX_DEPTH}")
}

impl Value {
    /// The value that a JSON text holds.
    ///
    /// # Errors
    ///
    /// What does not parse, with line and column; and what a value cannot hold: integers outside
    /// of 64 bits, floats that are not finite, a key that stands twice in one object, and more
    /// than 128 lists and objects in each other.
    ///
    /// ```
    /// use mdgraft::Value;
    ///
    /// assert_eq!(Value::from_json("[1, \"a\"]")?.to_json(None), "[1,\"a\"]");
    /// let error = Value::from_json("[1,\n 2,]").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 4: expected a value, found `]`");
    /// # Ok::<(), mdgraft::ValueError>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, ValueError> {
        json::parse_json(text).map_err(|error| error.of(text))
    }

    /// The map that a TOML text holds; dates and times become texts.
    ///
    /// # Errors
    ///
    /// What does not parse, with line and column, and what a value cannot hold (`nan`, `inf`).
    ///
    /// ```
    /// use mdgraft::Value;
    ///
    /// let value = Value::from_toml("day = 2024-02-29\nn = 1.0")?;
    /// assert_eq!(value.to_json(None), r#"{"day":"2024-02-29","n":1.0}"#);
    /// # Ok::<(), mdgraft::ValueError>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self, ValueError> {
        toml::parse_toml(text).map_err(|error| error.of(text))
    }

    /// The value that a YAML text holds, by the core schema of YAML 1.2: `no` and `on` are texts,
    /// `012` is twelve, `0o14` is twelve too.
    ///
    /// # Errors
    ///
    /// What does not parse, with line and column; a second document; and what a value cannot
    /// hold: `.nan` and `.inf`, integers outside of 64 bits, keys that are lists or maps, a key
    /// that stands twice in one map, more than 128 lists and maps in each other, and more than a
    /// million parts after aliases.
    ///
    /// ```
    /// use mdgraft::Value;
    ///
    /// let value = Value::from_yaml("on: [push, no]\nversion: 1.10")?;
    /// assert_eq!(value.to_json(None), r#"{"on":["push","no"],"version":1.1}"#);
    /// # Ok::<(), mdgraft::ValueError>(())
    /// ```
    pub fn from_yaml(text: &str) -> Result<Self, ValueError> {
        yaml::parse_yaml(text).map_err(|error| error.of(text))
    }
}
