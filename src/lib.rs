//! A Markdown prompt-template engine.

mod text;
mod diag;
mod value;
mod functions;
mod parse;
mod section;
mod link;
mod compile;
mod render;
mod engine;
