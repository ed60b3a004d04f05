//! The stored form of values: little-endian, without padding, and read with a check of every
//! length. What does not read is no value; nothing here panics on any bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes that are being written.
pub(super) type Writer = Vec<u8>;

/// Bytes that are being read.
pub(super) struct Reader<'b> {
    rest: &'b [u8],
    /// How deep values still may nest.
    depth: usize,
}

/// Expressions and values nest less deep than this.
const MAX_DEPTH: usize = 512;

/// A value with a stored form.
pub(super) trait Wire: Sized {
    fn write(&self, to: &mut Writer);

    /// Reads a value; `None` if there is none.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes, depth: MAX_DEPTH }
    }

    pub(super) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = u32::read(self)? as usize;
        std::str::from_utf8(self.take(length)?).ok()
    }

    /// A reader for something that may hold more of its kind; none where that goes too deep.
    pub(super) fn nested(&self) -> Option<Self> {
        Some(Self { rest: self.rest, depth: self.depth.checked_sub(1)? })
    }

    /// Goes on where another reader stopped.
    pub(super) fn go_on_behind(&mut self, inner: &Self) {
        self.rest = inner.rest;
    }
}

/// Reads a value that takes all of the bytes.
pub(super) fn read_all<T: Wire>(bytes: &[u8]) -> Option<T> {
    let mut reader = Reader::new(bytes);
    T::read(&mut reader).filter(|_| reader.is_at_end())
}

/// Writes a length; lists are bounded by the size of sources, which 32 bits can count.
pub(super) fn write_length(length: usize, to: &mut Writer) {
    u32::try_from(length).unwrap_or(u32::MAX).write(to);
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Wire for $number {
            fn write(&self, to: &mut Writer) {
                to.extend_from_slice(&self.to_le_bytes());
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                Some(Self::from_le_bytes(from.array()?))
            }
        }
    )*};
}

numbers!(u8, u32, u64, i64, i128);

/// Structs by their fields, in order.
macro_rules! structs {
    ($($name:path { $($field:ident),* $(,)? })*) => {$(
        impl $crate::pack::wire::Wire for $name {
            fn write(&self, to: &mut $crate::pack::wire::Writer) {
                let Self { $($field),* } = self;
                $($crate::pack::wire::Wire::write($field, to);)*
            }

            fn read(from: &mut $crate::pack::wire::Reader<'_>) -> Option<Self> {
                Some(Self { $($field: $crate::pack::wire::Wire::read(from)?),* })
            }
        }
    )*};
}

/// Enums by a number for each variant, and what it holds.
macro_rules! enums {
    ($($name:path {
        $($number:literal $variant:ident $(($($part:ident),*))? $({ $($field:ident),* })?,)*
    })*) => {$(
        impl $crate::pack::wire::Wire for $name {
            fn write(&self, to: &mut $crate::pack::wire::Writer) {
                match self {
                    $(Self::$variant $(($($part),*))? $({ $($field),* })? => {
                        to.push($number);
                        $($($crate::pack::wire::Wire::write($part, to);)*)?
                        $($($crate::pack::wire::Wire::write($field, to);)*)?
                    })*
                }
            }

            fn read(from: &mut $crate::pack::wire::Reader<'_>) -> Option<Self> {
                let number = <u8 as $crate::pack::wire::Wire>::read(from)?;
                let mut inner = from.nested()?;
                // An enum whose variants hold nothing reads nothing more.
                let _ = &mut inner;
                let value = match number {
                    $($number => {
                        $($(let $part = $crate::pack::wire::Wire::read(&mut inner)?;)*)?
                        $($(let $field = $crate::pack::wire::Wire::read(&mut inner)?;)*)?
                        Self::$variant $(($($part),*))? $({ $($field),* })?
                    })*
                    _ => return None,
                };
                from.go_on_behind(&inner);
                Some(value)
            }
        }
    )*};
}

pub(super) use {enums, structs};

impl Wire for bool {
    fn write(&self, to: &mut Writer) {
        to.push(u8::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match u8::read(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Wire for usize {
    fn write(&self, to: &mut Writer) {
        (*self as u64).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Self::try_from(u64::read(from)?).ok()
    }
}

impl Wire for f64 {
    fn write(&self, to: &mut Writer) {
        self.to_bits().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self::from_bits(u64::read(from)?))
    }
}

impl Wire for String {
    fn write(&self, to: &mut Writer) {
        write_length(self.len(), to);
        to.extend_from_slice(self.as_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.text().map(str::to_owned)
    }
}

impl Wire for Arc<str> {
    fn write(&self, to: &mut Writer) {
        write_length(self.len(), to);
        to.extend_from_slice(self.as_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.text().map(Self::from)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn write(&self, to: &mut Writer) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        if bool::read(from)? { T::read(from).map(Some) } else { Some(None) }
    }
}

impl<T: Wire> Wire for Box<T> {
    fn write(&self, to: &mut Writer) {
        T::write(self, to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        T::read(from).map(Self::new)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn write(&self, to: &mut Writer) {
        write_length(self.len(), to);
        for value in self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let length = u32::read(from)? as usize;
        // Every value takes a byte at the least, so that no length makes room for more than that.
        let mut values = Self::with_capacity(length.min(from.rest.len()));
        for _ in 0..length {
            values.push(T::read(from)?);
        }
        Some(values)
    }
}

impl<T: Wire> Wire for Arc<[T]> {
    fn write(&self, to: &mut Writer) {
        write_length(self.len(), to);
        for value in self.iter() {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Vec::read(from).map(Self::from)
    }
}

impl<K: Wire + Ord, V: Wire> Wire for Arc<BTreeMap<K, V>> {
    fn write(&self, to: &mut Writer) {
        write_length(self.len(), to);
        for (key, value) in self.iter() {
            key.write(to);
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let entries: Vec<(K, V)> = Vec::read(from)?;
        Some(Self::new(entries.into_iter().collect()))
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn write(&self, to: &mut Writer) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::read(from)?, B::read(from)?))
    }
}

impl<A: Wire, B: Wire, C: Wire> Wire for (A, B, C) {
    fn write(&self, to: &mut Writer) {
        self.0.write(to);
        self.1.write(to);
        self.2.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::read(from)?, B::read(from)?, C::read(from)?))
    }
}
