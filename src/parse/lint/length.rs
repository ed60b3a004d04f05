//! Sections that are long.

use crate::diag::{Finding, codes};
use crate::parse::Document;
use crate::parse::document::ItemKind;
use crate::text::Span;

/// The lines that a section may have.
const MOST_LINES: usize = 200;

/// Sections of more than 200 lines: from the heading to the last line of its own text that is not
/// blank, as they are written in this file. What lies below headings of its own, or is included,
/// counts there.
pub(super) fn long_sections(document: &Document) -> Vec<Finding> {
    let text = document.source.text();
    let mut owners = owners(document).into_iter().peekable();
    let mut owner = None;
    let mut lengths = vec![Length::default(); document.body.headings.len()];
    let mut start = document.front.body;
    for line in text[start as usize..].split_inclusive('\n') {
        while let Some((_, next)) = owners.next_if(|&(from, _)| from <= start) {
            owner = next;
        }
        if let Some(heading) = owner {
            let length = &mut lengths[heading as usize];
            length.lines += 1;
            if !line.trim().is_empty() {
                length.solid = length.lines;
            }
        }
        start += Span::at(0, line.len()).end;
    }
    let headings = document.body.headings.iter().zip(lengths);
    let long = headings.filter(|(_, length)| length.solid > MOST_LINES);
    long.map(|(heading, length)| {
        let message = format!("the section `{}` has {} lines", heading.title, length.solid);
        Finding::new(codes::LONG_SECTION, heading.span, message)
            .help("part it with headings of its own, so that a filter can choose")
    })
    .collect()
}

#[derive(Clone, Copy, Default)]
struct Length {
    lines: usize,
    /// The lines up to the last one that is not blank.
    solid: usize,
}

/// From which offset on lines belong to which heading: one in a block ends with it.
fn owners(document: &Document) -> Vec<(u32, Option<u32>)> {
    let mut owners = Vec::new();
    let mut open = Vec::new();
    let mut at: Option<u32> = None;
    for item in &document.body.items {
        let next = match item.kind {
            ItemKind::HeadingOpen(heading) => Some(heading),
            ItemKind::Open(_) => {
                open.push(at);
                continue;
            }
            ItemKind::Branch(..) => open.last().copied().unwrap_or(at),
            ItemKind::Close(_) => open.pop().unwrap_or(at),
            _ => continue,
        };
        at = next;
        owners.push((item.span.start, at));
    }
    owners
}
