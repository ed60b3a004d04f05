//! What the fuzz targets share: prompts made from bytes, and what must be true of each.
//!
//! Each target is a module with one function, `check(bytes)`, which panics where a property does
//! not hold. `cases` is the form in which a set of prompts is kept and shown, `generate` makes one
//! out of arbitrary bytes.

pub mod cases;
pub mod diagnostics;
pub mod expressions;
pub mod filter;
pub mod generate;
pub mod merge;
pub mod pages;
pub mod parse;
pub mod render;
