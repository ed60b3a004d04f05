//! TOML as a tree with places. The only file of assembly that names `toml`.

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use crate::text::Span;

/// A value and its place; of a text that is what stands between the quotes.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Text(String),
    /// A number, and how it is written.
    Number(f64, String),
    Boolean(bool),
    Date,
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key and its value, in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) value: Node,
}

impl Node {
    /// What it is, as a message says it.
    pub(super) fn described(&self) -> &'static str {
        match self.kind {
            Kind::Text(_) => "a string",
            Kind::Number(..) => "a number",
            Kind::Boolean(_) => "a boolean",
            Kind::Date => "a date",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
        }
    }
}

/// Reads a document, or says what is wrong and where; the parser bounds how deep it nests.
pub(super) fn parse(text: &str) -> Result<Vec<Entry>, (Span, String)> {
    match DeTable::parse(text) {
        Ok(table) => Ok(entries(text, table.get_ref())),
        Err(error) => {
            let at = error.span().map_or(text.len(), |span| span.start);
            let message = error.message().replace('\n', ", ");
            Err((Span::at(at, at), format!("this is no valid TOML: {message}")))
        }
    }
}

fn entries(text: &str, table: &DeTable<'_>) -> Vec<Entry> {
    let entry = |(key, value): (&Spanned<_>, &Spanned<_>)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        Entry {
            key: name.clone().into_owned(),
            key_span: unquoted(text, key.span()),
            value: node(text, value),
        }
    };
    let mut entries: Vec<Entry> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    entries
}

fn node(text: &str, value: &Spanned<DeValue<'_>>) -> Node {
    let span = Span::at(value.span().start, value.span().end);
    let kind = match value.get_ref() {
        DeValue::String(content) => {
            let kind = Kind::Text(content.clone().into_owned());
            return Node { kind, span: unquoted(text, value.span()) };
        }
        DeValue::Integer(digits) => {
            let whole = i64::from_str_radix(digits.as_str(), digits.radix()).ok();
            // Past 2^53 the order of two sections can be that of their registration.
            #[expect(clippy::cast_precision_loss, reason = "orders are floats")]
            let number = whole.map_or(f64::NAN, |whole| whole as f64);
            Kind::Number(number, whole.map_or_else(|| digits.to_string(), |it| it.to_string()))
        }
        DeValue::Float(digits) => {
            let number = digits.as_str().parse().unwrap_or(f64::NAN);
            Kind::Number(number, digits.as_str().to_owned())
        }
        DeValue::Boolean(value) => Kind::Boolean(*value),
        DeValue::Datetime(_) => Kind::Date,
        DeValue::Array(items) => Kind::List(items.iter().map(|item| node(text, item)).collect()),
        DeValue::Table(table) => Kind::Table(entries(text, table)),
    };
    Node { kind, span }
}

/// The place without the quotes around it.
fn unquoted(text: &str, range: std::ops::Range<usize>) -> Span {
    let written = text.get(range.clone()).unwrap_or_default();
    let quotes = ["\"\"\"", "'''", "\"", "'"]
        .iter()
        .find(|quote| {
            written.len() >= 2 * quote.len()
                && written.starts_with(**quote)
                && written.ends_with(**quote)
        })
        .map_or(0, |quote| quote.len());
    Span::at(range.start + quotes, range.end - quotes)
}
