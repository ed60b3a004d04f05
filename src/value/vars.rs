//! The variables of a render.

use std::sync::Arc;

use serde::Serialize;

use super::error::Reason;
use super::{Value, ValueError, bridge, settle, text};

/// The variables of a render: names and values, sorted by name.
///
/// Cheap to clone.
///
/// # Example: names and values
///
/// ```
/// use mdgraft::{Vars, vars};
///
/// let mut variables = vars! { user: "Ada", count: 3, tags: ["a", "b"] };
/// variables.insert("tone", "dry");
/// assert_eq!(variables.get("count"), Some(&3.into()));
/// assert_eq!(Vars::from([("user", "Ada")]).iter().len(), 1);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Vars {
    entries: Arc<Vec<(Arc<str>, Value)>>,
}

impl Vars {
    /// No variables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The fields of a struct, or the entries of a map, as variables.
    ///
    /// # Errors
    ///
    /// What is no struct or map, and what [`Value::from_serialize`] refuses.
    ///
    /// # Example: a struct
    ///
    /// ```
    /// #[derive(serde::Serialize)]
    /// struct Answers {
    ///     user: String,
    ///     count: u32,
    /// }
    ///
    /// let given = Answers { user: "Ada".to_owned(), count: 3 };
    /// let variables = mdgraft::Vars::from_serialize(&given)?;
    /// assert_eq!(variables.get("user"), Some(&"Ada".into()));
    /// # Ok::<(), mdgraft::ValueError>(())
    /// ```
    pub fn from_serialize<T: Serialize + ?Sized>(given: &T) -> Result<Self, ValueError> {
        bridge::vars(given)
    }

    /// Gives a variable a value, in the place of one that it had.
    ///
    /// What no template can use becomes null: a float that is not finite, or what is nested
    /// deeper than 128 lists and maps ([`Vars::from_serialize`] refuses these and says where).
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: impl Into<Value>) {
        let entries = Arc::make_mut(&mut self.entries);
        let entry = (name.into(), settle(value.into()).unwrap_or_default());
        match entries.binary_search_by(|(name, _)| name.cmp(&entry.0)) {
            Ok(at) => entries[at] = entry,
            Err(at) => entries.insert(at, entry),
        }
    }

    /// The names and values in the order of the names (code points).
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.entries.binary_search_by(|(key, _)| (**key).cmp(name)).ok()?;
        Some(&self.entries[at].1)
    }

    /// Whether there are no variables.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Variables in any order; names must not repeat.
    pub(super) fn from_settled(mut entries: Vec<(Arc<str>, Value)>) -> Result<Self, ValueError> {
        if !entries.is_sorted_by(|(left, _), (right, _)| left < right) {
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(ValueError::new(Reason::Repeated(pair[0].0.to_string())));
            }
        }
        Ok(Self { entries: Arc::new(entries) })
    }

    pub(super) fn into_entries(self) -> impl Iterator<Item = (Arc<str>, Value)> {
        Arc::unwrap_or_clone(self.entries).into_iter()
    }
}

/// A later value of a name comes in the place of an earlier one.
impl<K: AsRef<str>, V: Into<Value>> FromIterator<(K, V)> for Vars {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut vars = Self::new();
        vars.extend(pairs);
        vars
    }
}

impl<K: AsRef<str>, V: Into<Value>> Extend<(K, V)> for Vars {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        let entries = Arc::make_mut(&mut self.entries);
        for (name, value) in pairs {
            entries.push((text(name.as_ref()), settle(value.into()).unwrap_or_default()));
        }
        // Stable: of equal names, the one that was given last stands last and stays.
        entries.sort_by(|(left, _), (right, _)| left.cmp(right));
        entries.reverse();
        entries.dedup_by(|later, kept| later.0 == kept.0);
        entries.reverse();
    }
}

impl<K: AsRef<str>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Vars {
    fn from(pairs: [(K, V); N]) -> Self {
        pairs.into_iter().collect()
    }
}

/// The entries of a map as variables.
impl TryFrom<Value> for Vars {
    type Error = ValueError;

    fn try_from(value: Value) -> Result<Self, ValueError> {
        match settle(value)? {
            Value::Map(entries) => {
                Self::from_settled(Arc::unwrap_or_clone(entries).into_iter().collect())
            }
            other => Err(ValueError::new(Reason::NotAMap(other.described()))),
        }
    }
}

/// Variables, written as names and values.
///
/// A value is anything that [`Value`](crate::Value) is made [`From`]; a map is written as another
/// `vars!`.
///
/// ```
/// use mdgraft::vars;
///
/// let variables = vars! {
///     user: "Ada",
///     count: 3,
///     tags: ["a", "b"],
///     home: vars! { town: "London" },
/// };
/// assert_eq!(variables.iter().len(), 4);
/// ```
#[macro_export]
macro_rules! vars {
    ($($name:ident: $value:expr),* $(,)?) => {
        <$crate::Vars as ::core::iter::FromIterator<(&str, $crate::Value)>>::from_iter([
            $((::core::stringify!($name), $crate::Value::from($value)),)*
        ])
    };
}
