//! The four tools: list, search, grep and read. Requests in, typed results out; `text.rs` and
//! `wire.rs` hold the forms that a model and a program are given.

mod grep;
mod list;
mod read;
mod search;
mod text;
mod wire;

pub(crate) use text::cut_in_the_middle;

pub use grep::{ContextLine, GrepRequest, Match, Matches};
pub use list::{Entry, EntryKind, ListRequest, Listing};
pub use read::{Content, ReadRequest};
pub use search::{FoundFile, FoundFiles, SearchRequest};
