//! The second stage: a file and all that it includes or extends, as a graph without cycles.

mod dir;
mod follow;
pub(crate) mod loader;
mod memory;

pub use dir::DirLoader;
pub use loader::{EntryKind, Facts, Listing, LoadError, Loaded, Loader};
pub use memory::MemoryLoader;
