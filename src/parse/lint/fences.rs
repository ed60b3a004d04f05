//! Fences in fences.

use super::invisible::is_hidden;
use crate::diag::{Finding, codes};
use crate::parse::Document;
use crate::parse::document::FenceMark;
use crate::text::Span;

/// Opening lines inside a code block that is no longer than they are: the block ends where the
/// inner one was meant to. The first one of each block is told.
pub(super) fn nested(document: &Document) -> Vec<Finding> {
    let fences = document.body.fences.iter();
    fences.filter_map(|fence| inner_opening(document, fence)).map(finding).collect()
}

fn inner_opening(document: &Document, fence: &FenceMark) -> Option<Span> {
    let mut start = fence.content.start as usize;
    for line in document.source.slice(fence.content).split_inclusive('\n') {
        let text = content(line, fence);
        let indent = text.len() - text.trim_start_matches(' ').len();
        let signs = text.trim_start_matches(' ');
        let info = signs.trim_start_matches(char::from(fence.character));
        let length = signs.len() - info.len();
        let info = info.trim_matches([' ', '\t', '\n']);
        let opens = info.contains(|letter| !is_hidden(letter))
            && (fence.character == b'~' || !info.contains('`'));
        if indent <= 3 && length >= fence.length as usize && opens {
            let at = start + line.len() - signs.len();
            return Some(Span::at(at, at + signs.trim_end_matches(['\n', ' ', '\t']).len()));
        }
        start += line.len();
    }
    None
}

/// A line without what its containers put before it.
pub(super) fn content<'t>(line: &'t str, fence: &FenceMark) -> &'t str {
    let marks = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
    &line[marks.min(fence.prefix as usize)..]
}

fn finding(span: Span) -> Finding {
    let message = "a code block cannot hold the fence of another one of its own length";
    Finding::new(codes::NESTED_FENCE, span, message)
        .help("make both fences of the outer block one sign longer")
}
