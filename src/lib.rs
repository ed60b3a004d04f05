//! A Markdown prompt-template engine.

pub mod assemble;
mod cache;
mod compile;
mod diag;
mod engine;
mod functions;
#[doc(hidden)]
pub mod fuzzing;
mod link;
mod pack;
mod parse;
mod render;
mod section;
mod text;
mod value;

pub use cache::MemoStats;
pub use compile::{Input, InputType, PromptTree, Section};
pub use diag::{
    Code, Diagnostic, Diagnostics, Edit, Edited, Github, Human, Place, Severity, apply_edits,
    explain,
};
pub use engine::{
    CacheLimits, CheckOptions, Engine, EscapeError, FileGraph, Freshness, GraphFile, GraphWay,
    LoadOptions, PreparedVars, Stats,
};
pub use functions::{FunctionError, Functions};
pub use link::{
    DirLoader, EntryKind, Facts, Limits, Listing, LoadError, Loaded, Loader, MemoryLoader,
};
pub use pack::PackError;
pub use render::{
    Guard, Message, Origin, OriginKind, RenderOptions, Rendered, RenderedSection, Role, render,
    render_with,
};
pub use section::Include;
pub use text::{Hash, Position, Source, Span};
pub use value::{Value, ValueError, Vars};

/// The README is compiled and run with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// So are the programs of the cookbook.
#[cfg(doctest)]
#[doc = include_str!("../docs/cookbook.md")]
struct Cookbook;
