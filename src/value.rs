//! Values and the variables of a render.

mod bridge;
mod equal;
mod error;
mod formats;
mod from;
mod json;

mod settle;
mod sink;
mod vars;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use error::ValueError;
pub use vars::Vars;

pub(crate) use equal::{compare_numbers, equal};
pub(crate) use formats::parse_json;
pub(crate) use json::write_json;
pub(crate) use settle::settle;
pub(crate) use sink::{Full, Sink};

/// How deep lists and maps may stand in each other.
pub(crate) const MAX_DEPTH: usize = 128;

/// A value: data that is inserted as it is and never read as a template.
///
/// Cheap to clone: texts, lists and maps share their content.
///
/// Values come from Rust types ([`From`], [`Value::from_serialize`]) and from texts
/// ([`Value::from_json`], [`Value::from_toml`], [`Value::from_yaml`]).
///
/// ```
/// use mdgraft::Value;
///
/// assert_eq!(Value::from("one\r\ntwo"), Value::Text("one\ntwo".into()));
/// assert_eq!(Value::from([1, 2]).to_json(None), "[1,2]");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number of 64 bits.
    Integer(i64),
    /// A finite number.
    Float(f64),
    /// A text, with LF as its only line end.
    Text(Arc<str>),
    /// A list.
    List(Arc<[Value]>),
    /// A map, kept in the order of its keys.
    Map(Arc<BTreeMap<Arc<str>, Value>>),
}

impl Value {
    /// The name of the kind of value, as the language calls it.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "boolean",
            Self::Integer(_) => "integer",
            Self::Float(_) => "number",
            Self::Text(_) => "string",
            Self::List(_) => "list",
            Self::Map(_) => "map",
        }
    }

    /// The kind of value as a message says it: `a string`, `an integer`.
    pub(crate) fn described(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }

    /// The value as a reference prints it; `None` for lists, maps and null, which are not
    /// printed without a function.
    pub(crate) fn printed(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Integer(number) => Cow::Owned(number.to_string()),
            Self::Float(number) if number.is_finite() => Cow::Owned(format_float(*number)),
            Self::Boolean(true) => Cow::Borrowed("true"),
            Self::Boolean(false) => Cow::Borrowed("false"),
            Self::Null | Self::Float(_) | Self::List(_) | Self::Map(_) => return None,
        })
    }
}

/// A finite float in decimal digits, always with a point and never with an exponent.
pub(crate) fn format_float(number: f64) -> String {
    let mut text = number.to_string();
    if !text.contains('.') {
        text.push_str(".0");
    }
    text
}

/// A text as a value keeps it: CRLF and lone CR are LF.
pub(crate) fn text(given: &str) -> Arc<str> {
    if given.as_bytes().contains(&b'\r') {
        given.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        given.into()
    }
}

#[cfg(test)]
mod tests;
