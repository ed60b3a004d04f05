//! TOML texts. The only file here that names `toml`.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::{SyntaxError, number};
use crate::value::{MAX_DEPTH, Value, text};

/// Reads a TOML document as a map.
pub(super) fn parse_toml(source: &str) -> Result<Value, SyntaxError> {
    let table = DeTable::parse(source).map_err(|error| {
        let offset = error.span().map_or(source.len(), |span| span.start);
        SyntaxError::new(offset, error.message().replace('\n', ", "))
    })?;
    map(table.get_ref(), MAX_DEPTH)
}

/// `room` is how many tables and arrays may still stand in each other.
fn map(table: &DeTable<'_>, room: usize) -> Result<Value, SyntaxError> {
    let mut entries = BTreeMap::new();
    for (key, value) in table {
        entries.insert(text(key.get_ref()), read(value, room)?);
    }
    Ok(Value::Map(Arc::new(entries)))
}

fn read(value: &Spanned<DeValue<'_>>, room: usize) -> Result<Value, SyntaxError> {
    let refused = |message: String| SyntaxError::new(value.span().start, message);
    let inside = || room.checked_sub(1).ok_or_else(|| refused(super::too_deep()));
    Ok(match value.get_ref() {
        DeValue::String(content) => Value::Text(text(content)),
        DeValue::Integer(digits) => {
            number::integer(digits.as_str(), digits.radix()).map_err(refused)?
        }
        DeValue::Float(digits) => number::float(digits.as_str()).map_err(refused)?,
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(moment) => moment.to_string().into(),
        DeValue::Array(items) => {
            let room = inside()?;
            let items: Result<Vec<Value>, _> = items.iter().map(|item| read(item, room)).collect();
            Value::List(items?.into())
        }
        DeValue::Table(table) => map(table, inside()?)?,
    })
}
