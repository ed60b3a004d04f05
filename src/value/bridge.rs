//! The serde bridge: anything `Serialize` to a value, or to variables.

mod builders;

use std::marker::PhantomData;
use std::sync::Arc;

use serde::ser::{Serialize, Serializer};

use super::error::Reason;
use super::{MAX_DEPTH, Value, ValueError, Vars, from, text};
use builders::{List, Map, Variant};

impl Value {
    /// The value of anything `Serialize`.
    ///
    /// Structs and maps become maps, with keys as text; a variant of an enum with content is a
    /// map of one entry, one without is its name; `None` and units are null. Costs one allocation
    /// a text.
    ///
    /// # Errors
    ///
    /// What a value cannot hold is refused, naming its place inside `given`: an integer outside
    /// of 64 bits, a float that is not finite, a key that is no text, number or boolean, a key
    /// that is given twice, bytes, and more than 128 lists and maps in each other.
    ///
    /// # Example: what does not fit
    ///
    /// ```
    /// use mdgraft::Value;
    ///
    /// let error = Value::from_serialize(&[1, u64::MAX]).unwrap_err();
    /// assert_eq!(error.to_string(), "`1`: 18446744073709551615 does not fit into 64 bits");
    /// ```
    pub fn from_serialize<T: Serialize + ?Sized>(given: &T) -> Result<Self, ValueError> {
        given.serialize(To::new(MAX_DEPTH))
    }
}

/// Variables from a struct or map.
pub(super) fn vars<T: Serialize + ?Sized>(given: &T) -> Result<Vars, ValueError> {
    // A value stands below the variables, so they are no level of their own.
    given.serialize(To::new(MAX_DEPTH + 1))
}

/// What a serializer makes.
trait Made: Sized {
    fn from_value(value: Value) -> Result<Self, ValueError>;

    fn from_entries(entries: Vec<(Arc<str>, Value)>) -> Result<Self, ValueError>;
}

impl Made for Value {
    fn from_value(value: Value) -> Result<Self, ValueError> {
        Ok(value)
    }

    fn from_entries(entries: Vec<(Arc<str>, Value)>) -> Result<Self, ValueError> {
        Ok(Vars::from_settled(entries)?.into())
    }
}

impl Made for Vars {
    fn from_value(value: Value) -> Result<Self, ValueError> {
        Err(ValueError::new(Reason::NotAMap(value.described())))
    }

    fn from_entries(entries: Vec<(Arc<str>, Value)>) -> Result<Self, ValueError> {
        Self::from_settled(entries)
    }
}

/// Makes an `M`; `room` is how many lists and maps may still stand in each other.
struct To<M> {
    room: usize,
    made: PhantomData<M>,
}

impl<M: Made> To<M> {
    fn new(room: usize) -> Self {
        Self { room, made: PhantomData }
    }

    /// What makes the parts of a list or map.
    fn inside(self) -> Result<To<Value>, ValueError> {
        self.room.checked_sub(1).map(To::new).ok_or_else(|| ValueError::new(Reason::TooDeep))
    }
}

fn integer<M: Made, T: Copy + ToString + TryInto<i64>>(given: T) -> Result<M, ValueError> {
    match given.try_into() {
        Ok(number) => M::from_value(Value::Integer(number)),
        Err(_) => Err(ValueError::new(Reason::Integer(given.to_string()))),
    }
}

fn float<M: Made>(given: f64) -> Result<M, ValueError> {
    if given.is_finite() {
        M::from_value(Value::Float(given))
    } else {
        Err(ValueError::new(Reason::Float(given.to_string())))
    }
}

macro_rules! integers {
    ($($method:ident $kind:ty,)*) => {$(
        fn $method(self, given: $kind) -> Result<M, ValueError> {
            integer(given)
        }
    )*};
}

impl<M: Made> Serializer for To<M> {
    type Ok = M;
    type Error = ValueError;
    type SerializeSeq = List<M>;
    type SerializeTuple = List<M>;
    type SerializeTupleStruct = List<M>;
    type SerializeTupleVariant = Variant<List<Value>, M>;
    type SerializeMap = Map<M>;
    type SerializeStruct = Map<M>;
    type SerializeStructVariant = Variant<Map<Value>, M>;

    integers! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128,
    }

    fn serialize_bool(self, given: bool) -> Result<M, ValueError> {
        M::from_value(Value::Boolean(given))
    }

    fn serialize_f32(self, given: f32) -> Result<M, ValueError> {
        float(from::widen(given))
    }

    fn serialize_f64(self, given: f64) -> Result<M, ValueError> {
        float(given)
    }

    fn serialize_char(self, given: char) -> Result<M, ValueError> {
        M::from_value(given.into())
    }

    fn serialize_str(self, given: &str) -> Result<M, ValueError> {
        M::from_value(Value::Text(text(given)))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<M, ValueError> {
        Err(ValueError::new(Reason::Bytes))
    }

    fn serialize_none(self) -> Result<M, ValueError> {
        M::from_value(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, given: &T) -> Result<M, ValueError> {
        given.serialize(self)
    }

    fn serialize_unit(self) -> Result<M, ValueError> {
        M::from_value(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<M, ValueError> {
        M::from_value(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<M, ValueError> {
        M::from_value(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        given: &T,
    ) -> Result<M, ValueError> {
        given.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        given: &T,
    ) -> Result<M, ValueError> {
        let content = given.serialize(self.inside()?).map_err(|error| error.under(variant))?;
        M::from_entries(vec![(variant.into(), content)])
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<List<M>, ValueError> {
        Ok(List::new(self.inside()?.room, length.unwrap_or(0)))
    }

    fn serialize_tuple(self, length: usize) -> Result<List<M>, ValueError> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<List<M>, ValueError> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Variant<List<Value>, M>, ValueError> {
        Ok(Variant::new(variant, self.inside()?.serialize_seq(Some(length))?))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Map<M>, ValueError> {
        Ok(Map::new("", self.inside()?.room, length.unwrap_or(0)))
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Map<M>, ValueError> {
        Ok(Map::new(name, self.inside()?.room, length))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Variant<Map<Value>, M>, ValueError> {
        Ok(Variant::new(variant, self.inside()?.serialize_struct(name, length)?))
    }
}
