//! The first stage: one text to a [`Document`]. It never fails, and knows no path, no other file
//! and no values.

pub(crate) mod expr;
pub(crate) mod front_matter;
pub(crate) mod include;
pub(crate) mod names;

use crate::diag::Finding;
use crate::text::Source;

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Mode {
    /// As a prompt: front matter, references, directives, includes.
    Template,
    /// As it stands.
    Raw,
}

/// A text that was read.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) source: Source,
    pub(crate) front: front_matter::FrontMatter,
    /// The usable include directives in the order of the text.
    pub(crate) includes: Vec<include::Include>,
    pub(crate) names: names::Names,
    pub(crate) findings: Vec<Finding>,
}

/// Reads a text; never fails.
pub(crate) fn parse(source: Source, _mode: Mode) -> Document {
    Document {
        source,
        front: front_matter::FrontMatter::default(),
        includes: Vec::new(),
        names: names::Names::default(),
        findings: Vec::new(),
    }
}
