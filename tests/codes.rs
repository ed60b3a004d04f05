//! Every code has a page, every page is that of a code, and `docs/diagnostics.md` is made of them.
//!
//! The tests on the pages run with those of the other fixtures. After a change of a page,
//! `UPDATE=1 cargo test --test codes` writes the document anew.
#![allow(clippy::disallowed_methods, reason = "the test reads and writes files of the project")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::{env, fs};

use mdgraft::{Code, Severity, explain};

const PAGES: &str = "fixtures/codes";
const DOCUMENT: &str = "docs/diagnostics.md";

#[test]
fn every_code_has_a_page_and_every_page_is_that_of_a_code() {
    let codes: BTreeSet<String> = Code::all().map(|code| format!("{code}.md")).collect();
    let pages: BTreeSet<String> = fs::read_dir(PAGES)
        .expect("the folder of the pages")
        .map(|entry| entry.expect("a page").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(codes, pages);
}

#[test]
fn codes_are_listed_in_alphabetical_order() {
    let codes: Vec<&str> = Code::all().map(Code::as_str).collect();
    assert!(codes.is_sorted_by(|one, next| one < next), "{codes:?}");
}

#[test]
fn a_code_is_found_by_its_name_or_near_it() {
    for code in Code::all() {
        assert_eq!(Code::named(code.as_str()), Some(code));
    }
    for (name, near) in [
        ("unknown-varible", Some("unknown-variable")),
        ("Unknown-Variable", Some("unknown-variable")),
        ("hello", None),
        ("", None),
    ] {
        assert_eq!(Code::named(name), None);
        assert_eq!(Code::near(name).map(Code::as_str), near, "{name}");
    }
}

#[test]
fn a_page_begins_with_its_code_and_what_it_means() {
    for code in Code::all() {
        let page = explain(code);
        assert!(page.starts_with(&format!("# {code}\n\n")), "{code}");
        assert!(page.ends_with('\n') && !page.ends_with("\n\n"), "{code}");
        assert!(meaning(page).ends_with('.'), "{code}: {}", meaning(page));
    }
}

#[test]
fn a_page_shows_its_code_and_how_it_is_mended() {
    for code in Code::all() {
        let tests = tests(explain(code));
        let role = match code.severity() {
            Severity::Error => "errors",
            Severity::Warning => "warnings",
        };
        let shown = tests.iter().any(|test| test.expects(code, Some(role)));
        assert!(shown, "no test of {code} has it among its {role}");
        let mended = || tests.iter().filter(|test| test.heading.starts_with("Mended"));
        assert!(mended().next().is_some(), "no test of {code} says that it is mended");
        for test in mended() {
            let heading = test.heading;
            assert!(!test.expected.is_empty(), "{code}: {heading} expects nothing");
            assert!(!test.expects(code, None), "{code}: {heading} is not");
        }
    }
}

#[test]
fn the_document_is_made_of_the_pages() {
    let document = document();
    if fs::read_to_string(DOCUMENT).is_ok_and(|stored| stored == document) {
        return;
    }
    let update = env::var_os("UPDATE").is_some_and(|value| value == "1");
    assert!(update, "{DOCUMENT} is not up to date; run UPDATE=1 cargo test --test codes");
    assert!(env::var_os("CI").is_none(), "nothing is updated where CI is set");
    fs::write(DOCUMENT, document).expect("the document can be written");
}

const INTRODUCTION: &str = "\
# Diagnostics

Whatever is wrong with a prompt has a code, which never changes. An error stops rendering; a warning
travels with the output. Here is every code: what it means, what brings it about, and how to mend
it. `mdgraft explain CODE` prints one of these pages.

In the examples, a block without a name is the file `main.md`. `vars` are the values given, and
`config` the options. Then comes what is expected of them: the `output`, or each error or warning
with its file, line and column, and sometimes a part of its message.

<!-- Made of fixtures/codes/*.md by tests/codes.rs. -->

| Code | Severity | Meaning |
|---|---|---|
";

fn document() -> String {
    let mut document = INTRODUCTION.to_owned();
    for code in Code::all() {
        let meaning = meaning(explain(code)).replace('|', "\\|");
        let _ = writeln!(document, "| [`{code}`](#{code}) | {} | {meaning} |", code.severity());
    }
    for code in Code::all() {
        document.push('\n');
        for line in lines(explain(code)) {
            let lower = if line.heading { "#" } else { "" };
            let _ = writeln!(document, "{lower}{}", line.text);
        }
    }
    document
}

/// The first sentence of a page.
fn meaning(page: &str) -> String {
    let paragraph = page.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].to_owned(),
        None => paragraph,
    }
}

/// A test of a page.
struct Test<'a> {
    heading: &'a str,
    expected: Vec<Block<'a>>,
}

/// Something that a test expects.
struct Block<'a> {
    role: &'a str,
    text: String,
}

impl Test<'_> {
    /// Whether a code is expected, in blocks of a role or in any.
    fn expects(&self, code: Code, role: Option<&str>) -> bool {
        let blocks =
            self.expected.iter().filter(|block| role.is_none_or(|role| block.role == role));
        let mut lines = blocks.flat_map(|block| block.text.lines());
        lines.any(|line| line.split(' ').next() == Some(code.as_str()))
    }
}

fn tests(page: &str) -> Vec<Test<'_>> {
    const EXPECTATIONS: [&str; 7] =
        ["output", "errors", "warnings", "diagnostics", "messages", "outline", "origins"];
    let mut tests: Vec<Test> = Vec::new();
    let mut in_expectation = false;
    for line in lines(page) {
        if let Some(heading) = line.text.strip_prefix("## ").filter(|_| line.heading) {
            tests.push(Test { heading, expected: Vec::new() });
        }
        let Some(test) = tests.last_mut() else { continue };
        if let Some(info) = line.opens {
            let role = info.split(' ').nth(1).filter(|role| EXPECTATIONS.contains(role));
            in_expectation = role.is_some();
            test.expected.extend(role.map(|role| Block { role, text: String::new() }));
        } else if let Some(block) = test.expected.last_mut().filter(|_| in_expectation && line.code)
        {
            let _ = writeln!(block.text, "{}", line.text);
        }
    }
    tests
}

/// A line of a page.
struct Line<'a> {
    text: &'a str,
    heading: bool,
    /// The info string, where the line opens a code block.
    opens: Option<&'a str>,
    /// Whether the line stands in a code block.
    code: bool,
}

fn lines(page: &str) -> impl Iterator<Item = Line<'_>> {
    let mut fence = 0;
    page.lines().map(move |text| {
        let info = text.trim_start_matches('`');
        let run = text.len() - info.len();
        let plain = Line { text, heading: false, opens: None, code: false };
        match fence {
            0 if run >= 3 => {
                fence = run;
                Line { opens: Some(info), ..plain }
            }
            0 => Line { heading: text.starts_with('#'), ..plain },
            _ if run >= fence && info.is_empty() => {
                fence = 0;
                plain
            }
            _ => Line { code: true, ..plain },
        }
    })
}
