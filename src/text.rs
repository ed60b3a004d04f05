//! Source texts: decoded bytes, the places in them, and the paths of files.

pub(crate) mod hash;
mod lines;
pub(crate) mod paths;
mod source;

pub use hash::Hash;
pub(crate) use source::Fault;
pub use source::{Position, Source, Span};
