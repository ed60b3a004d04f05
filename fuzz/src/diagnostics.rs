//! What must be true of any diagnostics.

use std::collections::HashSet;

use mdgraft::{Diagnostics, Place};

use crate::cases::Case;

/// Places are in bounds and on character boundaries; files come as runs, the entry first; in each
/// the order is that of positions, then codes, and none repeats; all forms can be made.
pub fn check(told: &Diagnostics, case: &Case) {
    let mut closed: HashSet<&str> = HashSet::new();
    let mut last: Option<(&str, u32, &str)> = None;
    for one in told {
        place(&one.place, case);
        for related in one.related.iter().map(|(place, _)| place).chain(&one.chain) {
            place(related, case);
        }
        if let Some(edit) = &one.edit {
            place(&edit.place, case);
        }
        let printable = |text: &str| !text.chars().any(|c| c.is_control() && c != '\n');
        assert!(printable(&one.to_string()), "control character printed: {one:?}\n{case}");
        let key = (&*one.place.file, one.place.span.start, one.code.as_str());
        if let Some(last) = last {
            if last.0 == key.0 {
                assert!(
                    (last.1, last.2) < (key.1, key.2),
                    "order of diagnostics: {told:?}\n{case}"
                );
            } else {
                closed.insert(last.0);
                assert!(
                    !closed.contains(key.0),
                    "files of diagnostics are mixed: {told:?}\n{case}"
                );
                assert!(key.0 != case.entry(), "the entry comes later: {told:?}\n{case}");
            }
        }
        last = Some(key);
    }
    let _ = (told.to_string(), told.json());
    if told.len() < 5 {
        let _ = (told.human().to_string(), told.github().to_string());
    }
}

fn place(place: &Place, case: &Case) {
    let text = place.source.text();
    let span = place.span.range();
    assert!(
        text.get(span.clone()).is_some(),
        "place out of bounds: {span:?} of {}\n{case}",
        place.file
    );
    assert!(place.position() <= place.end(), "place ends before it begins: {span:?}\n{case}");
}
