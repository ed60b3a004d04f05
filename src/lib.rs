//! A Markdown prompt-template engine.

mod compile;
mod diag;
mod engine;
mod functions;
mod link;
mod parse;
mod render;
mod section;
mod stubs;
mod text;
mod value;

pub use compile::{PromptTree, Section};
pub use diag::{
    Code, Diagnostic, Diagnostics, Edit, Edited, Github, Human, Place, Severity, apply_edits,
    explain,
};
pub use engine::{Engine, Limits, LoadOptions};
pub use link::{DirLoader, EntryKind, Facts, Listing, LoadError, Loaded, Loader, MemoryLoader};
pub use render::{
    Guard, Message, Origin, OriginKind, RenderOptions, Rendered, Role, render, render_with,
};
pub use section::Include;
pub use stubs::{Input, InputType};
pub use text::{Hash, Position, Source, Span};
pub use value::{Value, ValueError, Vars};

/// The README is compiled and run with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
