//! Values and the variables of a render.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A value: data that is inserted as it is and never read as a template.
///
/// Cheap to clone: texts, lists and maps share their content.
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
}

/// The variables of a render: names and values, sorted by name.
///
/// Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Vars {
    entries: Arc<Vec<(Arc<str>, Value)>>,
}

impl Vars {
    /// The names and values in the order of the names (code points).
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.entries.binary_search_by(|(key, _)| (**key).cmp(name)).ok()?;
        Some(&self.entries[at].1)
    }
}
