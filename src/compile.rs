//! The third stage: a linked file to a [`PromptTree`].

use std::sync::Arc;

use crate::diag::{Diagnostics, Place};

/// A compiled prompt: the entry and all that it includes, ready to be rendered any number of
/// times. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PromptTree {
    pub(crate) inner: Arc<()>,
}

/// A section of a compiled prompt.
#[derive(Clone, Debug)]
pub struct Section {
    /// The title: the heading's text without marks; references stand as written.
    pub title: String,
    /// The titles from the top down to this one.
    pub path: Vec<String>,
    /// The level of the heading in the output, 1 to 6.
    pub level: u8,
    /// How many sections lie above it in the tree; 0 for a top section.
    pub depth: usize,
    /// Where the heading stands.
    pub place: Place,
    /// The conditions and loops around it, as written, the outermost first.
    pub conditions: Vec<String>,
    /// The bytes of its heading and own text in the sources, sub-sections not counted.
    pub bytes: usize,
}

impl PromptTree {
    /// The sections in the order of the text.
    pub fn sections(&self) -> impl Iterator<Item = Section> {
        std::iter::empty()
    }

    /// What loading warned of.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        const { &Diagnostics::none() }
    }
}
