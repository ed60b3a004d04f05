//! Metadata of databases as a folder of small Markdown files, and the tools a model reads it with.

mod bridge;
mod database;
mod disk;
mod error;
mod git;
mod glob;
mod init;
mod loader;
mod names;
mod objects;
mod path;
mod rules;
mod sandbox;
mod settings;
mod sync;
mod tools;
mod walk;

pub use bridge::{ToolSchema, tool_schemas, tools_json};
pub use error::{ContextError, Denied};
pub use init::{Made, init};
pub use objects::Object;
pub use sandbox::ContextFolder;
pub use settings::{
    DatabaseSettings, Environment, Profiling, RepositorySettings, SETTINGS_FILE, Setting, Settings,
    process_environment,
};
pub use sync::{
    Counts, DatabaseReport, Provider, ProviderKind, RepositoryReport, Step, SyncReport,
    SyncRequest, Trouble, sync,
};
pub use tools::{
    Content, ContextLine, Entry, EntryKind, FoundFile, FoundFiles, GrepRequest, ListRequest,
    Listing, Match, Matches, ReadRequest, SearchRequest,
};
pub use walk::Skipped;
