//! Prompts out of arbitrary bytes: pieces of Markdown and of the language, put beside and into
//! each other as authors would, and as they would not.
//!
//! Every choice costs one byte, and the first choice of each list is the plainest, so that the
//! fuzzer can take a prompt apart by zeroing bytes.

mod blocks;
mod inline;
mod settings;

use std::fmt::Write as _;

use arbitrary::Unstructured;

use crate::cases::Case;

/// What kind of prompts is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Files that include each other, and all of the language.
    Includes,
    /// Three files that extend each other and include a fourth; each line of text is unique.
    Extends,
}

/// A set of files with values and options.
#[must_use]
pub fn case(u: &mut Unstructured<'_>, shape: Shape) -> Case {
    let mut writer = Writer { u, out: String::new(), lines: 0, depth: 0, shape, file: 0 };
    let mut files = Vec::new();
    let mut case = Case { options: settings::options(&mut writer), ..Case::default() };
    case.vars = settings::vars(&mut writer);
    let names: &[&str] = match shape {
        Shape::Includes => &FILES[..=writer.below(FILES.len())],
        Shape::Extends => &["main.md", "base.md", "root.md", "a.md"],
    };
    for (file, name) in names.iter().enumerate() {
        writer.file = file;
        settings::front_matter(&mut writer);
        blocks::blocks(&mut writer, 8);
        let mut text = std::mem::take(&mut writer.out);
        if writer.one_in(16) {
            text = text.replace('\n', "\r\n");
        }
        files.push(((*name).to_owned(), text.into_bytes()));
    }
    case.files = files;
    case
}

/// The files, the entry first.
pub(crate) const FILES: [&str; 5] = ["main.md", "a.md", "d/b.md", "d/c.md", "t.txt"];

/// Writes a file, choice by choice.
pub(crate) struct Writer<'u, 'a> {
    u: &'u mut Unstructured<'a>,
    out: String,
    /// Counts the lines of text, which are numbered where each must be told from the others.
    lines: usize,
    /// How deep blocks stand in each other.
    depth: usize,
    shape: Shape,
    /// The number of the file at hand.
    file: usize,
}

impl Writer<'_, '_> {
    /// A number below `end`; 0 where the bytes are used up.
    fn below(&mut self, end: usize) -> usize {
        self.u.int_in_range(0..=end.saturating_sub(1)).unwrap_or(0)
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn is_done(&self) -> bool {
        self.u.is_empty() || self.out.len() > 6_000
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn unique(&mut self) {
        self.lines += 1;
        let _ = write!(self.out, "w{}f{} ", self.lines, self.file);
    }

    /// What `write` writes, without its being in the file.
    fn aside(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        self.depth += 1;
        write(self);
        self.depth -= 1;
        std::mem::replace(&mut self.out, before)
    }
}
