//! An assembly rendered part by part, to measure and to compare.

use super::assembly::{Assembly, Part, Tool};
use super::error::{AssembleError, PartKind};
use super::json;
use super::render::interpolate;

/// How large a part is, as it is rendered.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PartSize {
    /// What the part is.
    pub kind: PartKind,
    /// Its name.
    pub name: String,
    /// The bytes of its text in UTF-8; of a tool those of its JSON, of a variable those of its
    /// value.
    pub bytes: usize,
    /// The characters of the same text.
    pub characters: usize,
}

impl Assembly {
    /// How large each part is, with its variables put in: sections, contexts, tools and variables,
    /// each in their order. Blank lines between the parts do not count.
    ///
    /// ```
    /// use mdgraft::assemble::Assembler;
    ///
    /// let prompts = Assembler::<()>::bare();
    /// let _kept = [
    ///     prompts.section("place", 0, "In {{cwd}}.")?,
    ///     prompts.variable("cwd", |_| "/é")?,
    /// ];
    /// let sizes = prompts.assemble(&())?.sizes()?;
    /// assert_eq!((sizes[0].bytes, sizes[0].characters), (7, 6));
    /// assert_eq!(sizes[1].name, "cwd");
    /// # Ok::<(), mdgraft::assemble::AssembleError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`render_prompt`](Self::render_prompt).
    pub fn sizes(&self) -> Result<Vec<PartSize>, AssembleError> {
        let size = |kind, name: &str, text: &str| PartSize {
            kind,
            name: name.to_owned(),
            bytes: text.len(),
            characters: text.chars().count(),
        };
        let mut sizes = Vec::new();
        for (kind, parts) in
            [(PartKind::Section, &self.sections), (PartKind::Context, &self.contexts)]
        {
            for part in parts {
                sizes.push(size(kind, part.name(), &self.pieces(part, kind)?.text()));
            }
        }
        let tool = |tool: &Tool| size(PartKind::Tool, &tool.name, &json::tool(tool));
        sizes.extend(self.tools.iter().map(tool));
        let variables = self.variables.iter();
        sizes.extend(
            variables
                .map(|(name, value)| size(PartKind::Variable, name, value.unwrap_or_default())),
        );
        Ok(sizes)
    }

    /// A part as it is rendered, piece by piece.
    pub(super) fn pieces<'a>(
        &'a self,
        part: &'a Part,
        kind: PartKind,
    ) -> Result<Pieces<'a>, AssembleError> {
        let mut pieces = Pieces { name: part.name(), pieces: Vec::new() };
        interpolate(part, kind, &self.variables, &mut |text, variable| {
            if !text.is_empty() {
                pieces.pieces.push((text, variable));
            }
        })?;
        Ok(pieces)
    }
}

/// A part as it is rendered: runs of its text, and values with the names of their variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pieces<'a> {
    pub(super) name: &'a str,
    pub(super) pieces: Vec<(&'a str, Option<&'a str>)>,
}

impl Pieces<'_> {
    pub(super) fn text(&self) -> String {
        self.pieces.iter().map(|(text, _)| *text).collect()
    }
}
