//! Bringing in a text that was not written for this language: what would be read as ours is
//! escaped, so that the file prints what it holds.
//!
//! Every attempt only adds text, and counts only if the result renders to the body as it was. The
//! first one that does is taken, and they go from what reads best to what is rarely needed.

mod draft;
mod find;

use crate::compile::PromptTree;
use crate::diag::{Diagnostics, Edited, Place, apply_edits};
use crate::link::MemoryLoader;
use crate::parse::{Document, Mode, parse};
use crate::render::{RenderOptions, render_with};
use crate::text::{Source, Span};
use crate::value::Vars;
use draft::Draft;
use find::{Comments, Find};

use super::{Engine, LoadOptions};

/// Why a text cannot be brought in as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EscapeError {
    /// Something is wrong with it that no escape mends: its front matter, or its bytes.
    #[error("{0}")]
    Wrong(Diagnostics),
    /// It extends another file, as only files of this language do.
    #[error("{}:{}: a file that extends another one is of this language already", .0.file, .0.position())]
    Extends(Place),
    /// It can be loaded, but something of it would be printed otherwise, from this place on.
    #[error("{}:{}: this would be printed otherwise, and nothing escapes it", .0.file, .0.position())]
    Differs(Place),
}

/// So often a text is escaped and looked at again: an escape may uncover a construct behind it.
const ROUNDS: usize = 8;

/// Escapes a text; see [`Engine::escape`].
pub(super) fn escape(engine: &Engine, name: &str, bytes: &[u8]) -> Result<Edited, EscapeError> {
    let source = Source::new(bytes);
    let document = parse(source.clone(), Mode::Template);
    let wanted = body(&document);
    let place = |at| Place { file: name.into(), source: source.clone(), span: Span::at(at, at) };
    if let Some(base) = &document.front.extends {
        return Err(EscapeError::Extends(place(base.span.range().start)));
    }
    let mut failed = None;
    for attempt in [Attempt::Lines, Attempt::Splits, Attempt::Raw, Attempt::Settings] {
        let Some(draft) = attempt.draft(&document) else { continue };
        let edited = apply_edits(bytes, &draft.edits(&place(0)));
        let edited = Edited { applied: draft.count(), ..edited };
        match printed(engine, name, &edited.bytes) {
            Ok(text) if text == wanted => return Ok(edited),
            Ok(text) => {
                failed.get_or_insert(EscapeError::Differs(place(difference(&document, &text))));
            }
            Err(wrong) => {
                failed.get_or_insert(EscapeError::Wrong(wrong));
            }
        }
    }
    Err(failed.unwrap_or_else(|| EscapeError::Differs(place(0))))
}

/// What a text without anything of ours in it prints: the body without blank lines at its ends,
/// and with a line end.
fn body(document: &Document) -> String {
    let text = &document.source.text()[document.front.body as usize + leading(document)..];
    let end = text.trim_end_matches([' ', '\t', '\n']).len();
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    if end == 0 { String::new() } else { format!("{}\n", &text[..line_end]) }
}

/// Where in the source the first text stands that is printed otherwise.
fn difference(document: &Document, printed: &str) -> usize {
    let start = document.front.body as usize + leading(document);
    let text = &document.source.text()[start..];
    let same = text.chars().zip(printed.chars()).take_while(|(one, other)| one == other);
    let same: usize = same.map(|(one, _)| one.len_utf8()).sum();
    start + text.len() - text[same..].trim_start().len()
}

/// The bytes of the blank lines that the body begins with.
fn leading(document: &Document) -> usize {
    let body = &document.source.text()[document.front.body as usize..];
    let blank = body.len() - body.trim_start_matches([' ', '\t', '\n']).len();
    body[..blank].rfind('\n').map_or(0, |at| at + 1)
}

/// What the file prints on its own, without values.
fn printed(engine: &Engine, name: &str, bytes: &[u8]) -> Result<String, Diagnostics> {
    let alone = Engine {
        roots: std::sync::Arc::new(crate::link::Roots::new(std::sync::Arc::new(
            MemoryLoader::new([(name, bytes)]),
        ))),
        ..engine.clone()
    };
    let tree: PromptTree = alone.load_with(name, &LoadOptions::default())?;
    let rendered = render_with(&tree, &Vars::default(), &RenderOptions::default())?;
    Ok(rendered.text().to_owned())
}

/// A way to escape a text.
#[derive(Clone, Copy)]
enum Attempt {
    /// Backslashes; directives alone on their lines stand between lines of `raw` and `endraw`.
    Lines,
    /// Backslashes; directives are split by an empty `raw`.
    Splits,
    /// The whole body is `raw`.
    Raw,
    /// Front matter says that nothing is read.
    Settings,
}

impl Attempt {
    /// The text with all that the attempt adds; `None` where it cannot be made.
    fn draft(self, document: &Document) -> Option<Draft> {
        let text = document.source.text();
        match self {
            Self::Lines => settled(document, Comments::Lines),
            Self::Splits => settled(document, Comments::Splits),
            Self::Raw => {
                let mut draft = Draft::new(text);
                draft.insert(document.front.body, "<!-- raw -->\n");
                let end =
                    if text.ends_with('\n') { "<!-- endraw -->\n" } else { "\n<!-- endraw -->\n" };
                draft.insert(Span::at(0, text.len()).end, end);
                draft.place();
                Some(draft)
            }
            Self::Settings if document.front.body == 0 => {
                let mut draft = Draft::new(text);
                draft.insert(0, "---\ninterpolate: none\ndirectives: false\n---\n");
                draft.place();
                Some(draft)
            }
            Self::Settings => None,
        }
    }
}

/// Escapes all constructs, and those that come to light by that.
fn settled(document: &Document, comments: Comments) -> Option<Draft> {
    let mut draft = Draft::new(document.source.text());
    let mut find = Find::new(comments);
    for _ in 0..ROUNDS {
        let source = Source::new(draft.text().as_bytes());
        let found = find.constructs(&parse(source, Mode::Template), &draft);
        if found.is_empty() {
            return Some(draft);
        }
        for construct in found {
            construct.escape(&mut draft);
        }
    }
    None
}
