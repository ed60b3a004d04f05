//! A text with additions.

use std::collections::BTreeMap;

use crate::diag::{Edit, Place};
use crate::text::Span;

/// A text and what is added to it, by the offset in the text that it stands before.
pub(super) struct Draft {
    original: String,
    added: BTreeMap<u32, String>,
    places: usize,
}

impl Draft {
    pub(super) fn new(text: &str) -> Self {
        Self { original: text.to_owned(), added: BTreeMap::new(), places: 0 }
    }

    /// Adds text before an offset of the original, behind what was added there.
    pub(super) fn insert(&mut self, at: u32, text: &str) {
        self.added.entry(at).or_default().push_str(text);
    }

    /// Counts a place that was escaped.
    pub(super) fn place(&mut self) {
        self.places += 1;
    }

    /// How many places were escaped.
    pub(super) fn count(&self) -> usize {
        self.places
    }

    /// The text with all additions.
    pub(super) fn text(&self) -> String {
        let added: usize = self.added.values().map(String::len).sum();
        let mut text = String::with_capacity(self.original.len() + added);
        let mut copied = 0;
        for (&at, added) in &self.added {
            text.push_str(&self.original[copied..at as usize]);
            text.push_str(added);
            copied = at as usize;
        }
        text.push_str(&self.original[copied..]);
        text
    }

    /// From offsets of [`text`](Draft::text) to those of the original.
    pub(super) fn origins(&self) -> Origins {
        let mut shift = 0;
        let added = self.added.iter().map(|(&at, added)| {
            let start = at + shift;
            shift += Span::at(0, added.len()).end;
            (start, at)
        });
        Origins(added.collect(), shift)
    }

    /// The additions as edits of a file.
    pub(super) fn edits(&self, file: &Place) -> Vec<Edit> {
        let edit = |(&at, text): (&u32, &String)| Edit {
            place: Place { span: Span::new(at, at), ..file.clone() },
            text: text.clone(),
        };
        self.added.iter().map(edit).collect()
    }
}

/// Where additions begin in a text, and the offset of the original that each stands before.
pub(super) struct Origins(Vec<(u32, u32)>, u32);

impl Origins {
    /// The offset in the original; `None` inside of what was added.
    pub(super) fn of(&self, at: u32) -> Option<u32> {
        let next = self.0.partition_point(|&(start, _)| start <= at);
        let Some(&(start, original)) = next.checked_sub(1).and_then(|last| self.0.get(last)) else {
            return Some(at);
        };
        // What was added before the last addition, and by it.
        let before = start - original;
        let by_last =
            self.0.get(next).map_or(self.1, |&(start, original)| start - original) - before;
        at.checked_sub(start + by_last).map(|rest| original + rest)
    }
}
