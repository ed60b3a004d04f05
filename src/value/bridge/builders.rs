//! Lists and maps while serde hands over their parts.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::ser::{self, Serialize};

use super::{Made, To};
use crate::value::error::Reason;
use crate::value::{Value, ValueError, parse_json, text};

/// The most that is reserved on the word of a `Serialize` implementation.
const MOST_RESERVED: usize = 4_096;

pub(super) struct List<M> {
    room: usize,
    items: Vec<Value>,
    made: PhantomData<M>,
}

impl<M: Made> List<M> {
    pub(super) fn new(room: usize, length: usize) -> Self {
        let items = Vec::with_capacity(length.min(MOST_RESERVED));
        Self { room, items, made: PhantomData }
    }

    fn push<T: Serialize + ?Sized>(&mut self, given: &T) -> Result<(), ValueError> {
        let item = given.serialize(To::new(self.room));
        self.items.push(item.map_err(|error: ValueError| error.under(self.items.len()))?);
        Ok(())
    }

    fn finish(self) -> Result<M, ValueError> {
        M::from_value(Value::List(self.items.into()))
    }
}

impl<M: Made> ser::SerializeSeq for List<M> {
    type Ok = M;
    type Error = ValueError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, given: &T) -> Result<(), ValueError> {
        self.push(given)
    }

    fn end(self) -> Result<M, ValueError> {
        self.finish()
    }
}

impl<M: Made> ser::SerializeTuple for List<M> {
    type Ok = M;
    type Error = ValueError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, given: &T) -> Result<(), ValueError> {
        self.push(given)
    }

    fn end(self) -> Result<M, ValueError> {
        self.finish()
    }
}

impl<M: Made> ser::SerializeTupleStruct for List<M> {
    type Ok = M;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, given: &T) -> Result<(), ValueError> {
        self.push(given)
    }

    fn end(self) -> Result<M, ValueError> {
        self.finish()
    }
}

pub(super) struct Map<M> {
    /// The name of the struct that it is made from.
    name: &'static str,
    room: usize,
    key: Arc<str>,
    entries: Vec<(Arc<str>, Value)>,
    made: PhantomData<M>,
}

impl<M: Made> Map<M> {
    pub(super) fn new(name: &'static str, room: usize, length: usize) -> Self {
        let entries = Vec::with_capacity(length.min(MOST_RESERVED));
        Self { name, room, key: Arc::default(), entries, made: PhantomData }
    }

    fn insert<T: Serialize + ?Sized>(
        &mut self,
        key: Arc<str>,
        given: &T,
    ) -> Result<(), ValueError> {
        match given.serialize(To::new(self.room)) {
            Ok(value) => self.entries.push((key, value)),
            Err(error) => return Err(ValueError::under(error, key)),
        }
        Ok(())
    }

    fn finish(self) -> Result<M, ValueError> {
        if self.name.starts_with('$')
            && let [(_, Value::Text(inner))] = &*self.entries
        {
            return M::from_value(private(self.name, inner)?);
        }
        M::from_entries(self.entries)
    }
}

/// The structs by which `toml` and `serde_json` hand over what serde has no type for: a date with
/// its time, and a number of any length.
fn private(name: &str, inner: &Arc<str>) -> Result<Value, ValueError> {
    if name.ends_with("::Number") {
        return parse_json(inner).map_err(|_| ValueError::new(Reason::Integer(inner.to_string())));
    }
    Ok(Value::Text(Arc::clone(inner)))
}

impl<M: Made> ser::SerializeMap for Map<M> {
    type Ok = M;
    type Error = ValueError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, given: &T) -> Result<(), ValueError> {
        self.key = match given.serialize(To::<Value>::new(0)) {
            Ok(Value::Text(key)) => key,
            Err(error) if error.is_number() => return Err(error),
            Ok(Value::Null) | Err(_) => return Err(ValueError::new(Reason::Key)),
            Ok(scalar) => scalar.printed().unwrap_or_default().into(),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, given: &T) -> Result<(), ValueError> {
        let key = std::mem::take(&mut self.key);
        self.insert(key, given)
    }

    fn end(self) -> Result<M, ValueError> {
        self.finish()
    }
}

impl<M: Made> ser::SerializeStruct for Map<M> {
    type Ok = M;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        given: &T,
    ) -> Result<(), ValueError> {
        self.insert(text(key), given)
    }

    fn end(self) -> Result<M, ValueError> {
        self.finish()
    }
}

/// The content of a variant of an enum, which becomes the one entry of a map.
pub(super) struct Variant<Content, M> {
    name: &'static str,
    content: Content,
    made: PhantomData<M>,
}

impl<Content, M: Made> Variant<Content, M> {
    pub(super) fn new(name: &'static str, content: Content) -> Self {
        Self { name, content, made: PhantomData }
    }

    fn finish(name: &'static str, content: Result<Value, ValueError>) -> Result<M, ValueError> {
        let content = content.map_err(|error| error.under(name))?;
        M::from_entries(vec![(name.into(), content)])
    }
}

impl<M: Made> ser::SerializeTupleVariant for Variant<List<Value>, M> {
    type Ok = M;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, given: &T) -> Result<(), ValueError> {
        self.content.push(given).map_err(|error| error.under(self.name))
    }

    fn end(self) -> Result<M, ValueError> {
        Self::finish(self.name, self.content.finish())
    }
}

impl<M: Made> ser::SerializeStructVariant for Variant<Map<Value>, M> {
    type Ok = M;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        given: &T,
    ) -> Result<(), ValueError> {
        self.content.insert(text(key), given).map_err(|error| error.under(self.name))
    }

    fn end(self) -> Result<M, ValueError> {
        Self::finish(self.name, self.content.finish())
    }
}
