//! The key `extends` (language §5.1).

use super::tree::Entry;
use crate::diag::Finding;
use crate::diag::codes::INVALID_DECLARATION;
use crate::parse::include::{self, IncludePath};
use crate::parse::names::Names;
use crate::text::{Source, Span};

/// The path of the base. What a path may hold is for the stage that looks it up; here it must only
/// be a text.
pub(super) fn read(
    entry: &Entry,
    source: &Source,
    names: &mut Names,
    findings: &mut Vec<Finding>,
) -> Option<IncludePath> {
    let path = entry.value.text().filter(|text| !text.is_empty());
    let Some(text) = path else {
        let message = match entry.value.text() {
            None if !entry.value.is_null() => {
                format!("`extends` must be the path of one file, not {}", entry.value.describe())
            }
            _ => "`extends` has no path".to_owned(),
        };
        findings.push(
            Finding::new(INVALID_DECLARATION, entry.key_span, message)
                .help("write the path of the base, as in `extends: base.md`"),
        );
        return None;
    };
    let span = unquoted(source, entry.value.span);
    // A base is one file, so no sign of a glob is special in its path.
    let quoted = true;
    if source.slice(span) == &**text {
        return Some(include::path(source.text(), span, quoted, names));
    }
    // An escape or a folded line stands between the file and the path, so that only the path as a
    // whole has a place.
    let mut path = include::path(text, Span::at(0, text.len()), quoted, names);
    path.span = span;
    path.references.iter_mut().for_each(|(place, _)| *place = span);
    Some(path)
}

/// The part of a scalar between its quotes.
fn unquoted(source: &Source, span: Span) -> Span {
    let written = source.slice(span);
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        if written.len() >= 2 * quote.len()
            && written.starts_with(quote)
            && written.ends_with(quote)
        {
            let width = Span::at(0, quote.len()).end;
            return Span::new(span.start + width, span.end - width);
        }
    }
    span
}
