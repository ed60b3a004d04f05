//! The page of every code: what it means, examples that bring it about, and how to mend them.

use super::Code;
use super::codes::PAGES;

/// The page of a code, in Markdown. Its first heading is the code, its first paragraph says what
/// the code means, and each section below shows an example or how it is mended.
///
/// ```
/// let code = mdgraft::Code::named("unknown-variable").expect("a code of the engine");
/// assert!(mdgraft::explain(code).starts_with("# unknown-variable\n"));
/// ```
#[must_use]
pub fn explain(code: Code) -> &'static str {
    Code::all().zip(PAGES).find(|&(listed, _)| listed == code).map_or("", |(_, &page)| page)
}
