//! The order in which diagnostics are reported (language §10).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::diag::{Code, Diagnostic};

/// What makes two diagnostics one: file, offset, code, and what else tells them apart.
type Told = (Arc<str>, u32, Code, Option<Arc<str>>);

/// Sorts diagnostics: files in the order in which they are first reached, others after them by
/// path, then position, then code. Of several with one place and code the first is kept; those that
/// cover no text, as filter entries and given values, have no place to share.
pub(crate) fn in_order<'a>(
    diagnostics: Vec<Diagnostic>,
    reached: impl IntoIterator<Item = &'a str>,
) -> Vec<Diagnostic> {
    let mut ranks: HashMap<&str, usize> = HashMap::new();
    for file in reached {
        let next = ranks.len();
        ranks.entry(file).or_insert(next);
    }
    let mut kept: HashSet<Told> = HashSet::new();
    let mut is_first = |one: &Diagnostic| {
        let told = one.place.span.is_empty().then(|| one.message.as_str().into());
        kept.insert((one.place.file.clone(), one.place.span.start, one.code, told))
    };
    let mut diagnostics: Vec<(usize, Diagnostic)> = diagnostics
        .into_iter()
        .filter(|one| is_first(one))
        .map(|one| (ranks.get(&*one.place.file).copied().unwrap_or(usize::MAX), one))
        .collect();
    diagnostics.sort_by(|(left_rank, left), (right_rank, right)| {
        left_rank
            .cmp(right_rank)
            .then_with(|| left.place.file.cmp(&right.place.file))
            .then_with(|| left.place.span.start.cmp(&right.place.span.start))
            .then_with(|| left.code.cmp(&right.code))
    });
    diagnostics.into_iter().map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Finding, codes};
    use crate::text::{Source, Span};

    #[test]
    fn reached_files_come_first_and_each_place_once() {
        let source = Source::new(b"0123456789");
        let diagnostic = |(file, at, code): (&str, u32, Code)| {
            let finding = Finding::new(code, Span::new(at, at + 1), "");
            finding.at(&file.into(), &source, Vec::new())
        };
        let found = [
            ("y.md", 1, codes::NUL_BYTE),
            ("x.md", 1, codes::NUL_BYTE),
            ("a.md", 5, codes::NUL_BYTE),
            ("z.md", 9, codes::NUL_BYTE),
            ("z.md", 2, codes::NUL_BYTE),
            ("z.md", 2, codes::INVALID_JSON),
            ("z.md", 9, codes::NUL_BYTE),
        ];
        let sorted = in_order(found.map(diagnostic).into(), ["z.md", "a.md", "z.md"]);
        let sorted: Vec<String> = sorted
            .iter()
            .map(|one| format!("{} {} {}", one.place.file, one.place.span.start, one.code))
            .collect();
        assert_eq!(
            sorted,
            [
                "z.md 2 invalid-json",
                "z.md 2 nul-byte",
                "z.md 9 nul-byte",
                "a.md 5 nul-byte",
                "x.md 1 nul-byte",
                "y.md 1 nul-byte",
            ]
        );
    }
}
