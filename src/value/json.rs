//! Values as JSON.

use std::collections::btree_map;
use std::slice;
use std::sync::Arc;

use super::Value;
use super::sink::{Full, Sink};

impl Value {
    /// The value as JSON: keys in code point order, floats with a point; `indent` is the number
    /// of blanks a level, and without it (or with 0) all stands on one line.
    ///
    /// A float that is not finite, which only a value built by hand can hold, is written as null.
    ///
    /// ```
    /// use mdgraft::vars;
    /// use mdgraft::Value;
    ///
    /// let value = Value::from(vars! { b: 1.0, a: ["x"] });
    /// assert_eq!(value.to_json(None), r#"{"a":["x"],"b":1.0}"#);
    /// assert_eq!(Value::from([1]).to_json(Some(2)), "[\n  1\n]");
    /// ```
    #[must_use]
    pub fn to_json(&self, indent: Option<usize>) -> String {
        let mut sink = Sink::new(usize::MAX);
        match write_json(self, indent.unwrap_or(0), &mut sink) {
            Ok(()) | Err(Full) => sink.into_text(),
        }
    }
}

/// What is still to be written of a list or map.
enum Open<'a> {
    List(slice::Iter<'a, Value>),
    Map(btree_map::Iter<'a, Arc<str>, Value>),
}

impl Open<'_> {
    fn closer(&self) -> &'static str {
        match self {
            Self::List(_) => "]",
            Self::Map(_) => "}",
        }
    }
}

/// Writes a value as JSON, on one line if `indent` is 0. Does not recurse.
pub(crate) fn write_json(value: &Value, indent: usize, out: &mut Sink) -> Result<(), Full> {
    let mut open = Vec::new();
    start(value, &mut open, out)?;
    let mut is_first = true;
    while let Some(innermost) = open.last_mut() {
        let (key, value) = match innermost {
            Open::List(items) => (None, items.next()),
            Open::Map(entries) => entries.next().map_or((None, None), |(k, v)| (Some(k), Some(v))),
        };
        let Some(value) = value else {
            let closer = innermost.closer();
            open.pop();
            if !is_first {
                new_line(indent, open.len(), out)?;
            }
            out.push(closer)?;
            is_first = false;
            continue;
        };
        if !is_first {
            out.push(",")?;
        }
        new_line(indent, open.len(), out)?;
        if let Some(key) = key {
            write_text(key, out)?;
            out.push(if indent > 0 { ": " } else { ":" })?;
        }
        is_first = start(value, &mut open, out)?;
    }
    Ok(())
}

/// Writes a scalar, or the opening of a list or map; true if something has been opened.
fn start<'a>(value: &'a Value, open: &mut Vec<Open<'a>>, out: &mut Sink) -> Result<bool, Full> {
    match value {
        Value::List(items) => {
            open.push(Open::List(items.iter()));
            out.push("[")?;
        }
        Value::Map(entries) => {
            open.push(Open::Map(entries.iter()));
            out.push("{")?;
        }
        Value::Text(text) => {
            write_text(text, out)?;
            return Ok(false);
        }
        scalar => {
            out.push(&scalar.printed().unwrap_or("null".into()))?;
            return Ok(false);
        }
    }
    Ok(true)
}

fn new_line(indent: usize, level: usize, out: &mut Sink) -> Result<(), Full> {
    if indent == 0 {
        return Ok(());
    }
    out.push("\n")?;
    out.repeat(" ", indent.saturating_mul(level))
}

fn write_text(text: &str, out: &mut Sink) -> Result<(), Full> {
    out.push("\"")?;
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
    {
        out.push(&rest[..at])?;
        match rest.as_bytes()[at] {
            b'"' => out.push("\\\"")?,
            b'\\' => out.push("\\\\")?,
            b'\n' => out.push("\\n")?,
            b'\t' => out.push("\\t")?,
            b'\r' => out.push("\\r")?,
            0x08 => out.push("\\b")?,
            0x0c => out.push("\\f")?,
            control => out.push(&format!("\\u{control:04x}"))?,
        }
        rest = &rest[at + 1..];
    }
    out.push(rest)?;
    out.push("\"")
}
