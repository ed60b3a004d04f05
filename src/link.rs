//! The second stage: a file and all that it includes or extends, as a graph without cycles.

pub(crate) mod loader;

pub use loader::{Facts, LoadError, Loaded, Loader, Lookup};
