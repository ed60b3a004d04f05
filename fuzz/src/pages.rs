//! Target `pages`: any text as a fixture page.

use mdgraft_pages::{Outcome, Page, Update, update};

/// A page reads or says why, on a line that it has; nothing to update changes nothing; a page
/// that was updated reads, has the same tests, and an update made again changes nothing.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let page = match Page::parse("page.md", &text) {
        Ok(page) => page,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    let names: Vec<String> = page.tests().iter().map(|test| test.name().to_owned()).collect();
    assert_eq!(update(&page, &[]), None, "nothing changes something: {text:?}");
    let new = replacement(&text);
    for line in 1..=text.lines().count() {
        let outcome =
            || Outcome { failures: Vec::new(), updates: vec![Update { line, text: new.clone() }] };
        let Some(updated) = update(&page, &[outcome()]) else { continue };
        // A new text may be none that its block can hold; then the page says so.
        let Ok(again) = Page::parse("page.md", &updated) else {
            assert!(!new.is_empty(), "an empty block does not read: {text:?} became {updated:?}");
            continue;
        };
        let now: Vec<String> = again.tests().iter().map(|test| test.name().to_owned()).collect();
        assert_eq!(names, now, "the tests changed: {text:?} became {updated:?}");
        if let Some(twice) = update(&again, &[outcome()]) {
            assert_eq!(updated, twice, "updating is not stable: {text:?}");
        }
    }
}

/// A text to put into blocks: a line of the page, or nothing.
fn replacement(page: &str) -> String {
    let line = page.lines().nth(page.len() % 7).unwrap_or_default().replace('\r', "");
    match page.len() % 3 {
        0 => format!("{line}\n"),
        1 => line,
        _ => String::new(),
    }
}
