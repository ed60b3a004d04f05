//! Values from the usual Rust types.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{Value, Vars, text};

impl From<bool> for Value {
    fn from(given: bool) -> Self {
        Self::Boolean(given)
    }
}

macro_rules! from_small_integers {
    ($($kind:ty)*) => {$(
        impl From<$kind> for Value {
            fn from(given: $kind) -> Self {
                Self::Integer(i64::from(given))
            }
        }
    )*};
}
from_small_integers!(i8 i16 i32 i64 u8 u16 u32);

macro_rules! from_wide_integers {
    ($($kind:ty)*) => {$(
        /// A number outside of 64 bits becomes null; [`Value::from_serialize`] refuses it.
        impl From<$kind> for Value {
            fn from(given: $kind) -> Self {
                i64::try_from(given).map_or(Self::Null, Self::Integer)
            }
        }
    )*};
}
from_wide_integers!(u64 usize isize);

/// A number that is not finite becomes null, as in JSON; [`Value::from_serialize`] refuses it.
impl From<f64> for Value {
    fn from(given: f64) -> Self {
        if given.is_finite() { Self::Float(given) } else { Self::Null }
    }
}

impl From<f32> for Value {
    fn from(given: f32) -> Self {
        widen(given).into()
    }
}

/// The number that the digits of an `f32` mean: 0.1, and not 0.10000000149011612.
pub(super) fn widen(given: f32) -> f64 {
    given.to_string().parse().unwrap_or_else(|_| f64::from(given))
}

impl From<&str> for Value {
    fn from(given: &str) -> Self {
        Self::Text(text(given))
    }
}

impl From<&String> for Value {
    fn from(given: &String) -> Self {
        given.as_str().into()
    }
}

impl From<String> for Value {
    fn from(given: String) -> Self {
        given.as_str().into()
    }
}

impl From<Box<str>> for Value {
    fn from(given: Box<str>) -> Self {
        (&*given).into()
    }
}

impl From<Cow<'_, str>> for Value {
    fn from(given: Cow<'_, str>) -> Self {
        (&*given).into()
    }
}

impl From<char> for Value {
    fn from(given: char) -> Self {
        (&*given.encode_utf8(&mut [0; 4])).into()
    }
}

/// Without a copy, unless the text holds a CR.
impl From<Arc<str>> for Value {
    fn from(given: Arc<str>) -> Self {
        if given.contains('\r') { (&*given).into() } else { Self::Text(given) }
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(given: Option<T>) -> Self {
        given.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(given: Vec<T>) -> Self {
        given.into_iter().collect()
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(given: [T; N]) -> Self {
        given.into_iter().collect()
    }
}

impl<T: Into<Value> + Clone> From<&[T]> for Value {
    fn from(given: &[T]) -> Self {
        given.iter().cloned().collect()
    }
}

/// A list.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<K: AsRef<str>, V: Into<Value>> From<BTreeMap<K, V>> for Value {
    fn from(given: BTreeMap<K, V>) -> Self {
        map(given)
    }
}

impl<K: AsRef<str>, V: Into<Value>, S> From<HashMap<K, V, S>> for Value {
    fn from(given: HashMap<K, V, S>) -> Self {
        map(given)
    }
}

/// A map, so that `vars!` writes maps too.
impl From<Vars> for Value {
    fn from(given: Vars) -> Self {
        Self::Map(Arc::new(given.into_entries().collect()))
    }
}

fn map<K: AsRef<str>, V: Into<Value>>(given: impl IntoIterator<Item = (K, V)>) -> Value {
    let entries = given.into_iter().map(|(key, value)| (text(key.as_ref()), value.into()));
    Value::Map(Arc::new(entries.collect()))
}
