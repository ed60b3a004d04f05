//! Metadata of databases as a folder of small Markdown files, and the tools a model reads it with.

mod disk;
mod error;
mod names;
mod objects;
mod path;
mod rules;
mod sandbox;
mod tools;
mod walk;

pub use error::{ContextError, Denied};
pub use sandbox::ContextFolder;
pub use tools::{
    Content, ContextLine, Entry, EntryKind, FoundFile, FoundFiles, GrepRequest, ListRequest,
    Listing, Match, Matches, ReadRequest, SearchRequest,
};
pub use walk::Skipped;
