//! Fixture pages: tests of prompts, written as Markdown.
//!
//! A page is read with [`Page::parse`]; each of its [tests](Page::tests) is [run](run()) for
//! itself, in a folder of its own, and gives an [`Outcome`]. [`update()`] writes what came out
//! into the page. A harness takes the [`cases`] of a folder.
//!
//! ```
//! let text = "\
//! ## A greeting
//!
//! ~~~md
//! Hello.
//! ~~~
//!
//! ~~~text output
//! Hello.
//! ~~~
//! ";
//! let page = mdgraft_pages::Page::parse("greeting.md", text)?;
//! assert_eq!(page.tests()[0].name(), "A greeting");
//! # Ok::<(), mdgraft_pages::PageError>(())
//! ```

mod compare;
mod config;
mod console;
mod diff;
mod error;
mod expect;
mod find;
mod info;
mod layout;
mod markdown;
mod observe;
mod origins;
mod page;
mod run;
mod stages;
mod suite;
mod update;

pub use error::{Fault, PageError};
pub use origins::origin_lines;
pub use page::{Page, Test};
pub use run::{Failure, Outcome, RunOptions, run};
pub use suite::{Case, cases, update_pages, update_wanted};
pub use update::{Update, update};
