//! What no page can show: metadata, inputs as they are kept, edits, and which TOML parses.

use super::{FrontMatter, Input, InputKind, Interpolate, read};
use crate::diag::Severity;
use crate::parse::names::Names;
use crate::text::{Source, Span};
use crate::value::Value;

fn front(text: &str) -> FrontMatter {
    read(&Source::new(text.as_bytes()), &mut Names::default())
}

/// The findings as `code line:col`, with the text that the edit puts in place of another.
fn found(text: &str) -> Vec<String> {
    let source = Source::new(text.as_bytes());
    let findings = read(&source, &mut Names::default()).findings;
    findings
        .into_iter()
        .map(|finding| {
            let mut line = format!("{} {}", finding.code, source.position(finding.span.start));
            if finding.severity != finding.code.severity() {
                line.push_str(match finding.severity {
                    Severity::Error => " error",
                    Severity::Warning => " warning",
                });
            }
            if let Some((span, text)) = finding.edit {
                line.extend([" [", source.slice(span), "] → [", &text, "]"]);
            }
            line
        })
        .collect()
}

#[test]
fn the_body_begins_behind_the_closing_marker() {
    for (text, body) in [
        ("", 0),
        ("--", 0),
        ("---", 0),
        ("text", 0),
        ("---\n---", 7),
        ("---\n---\nBody", 8),
        ("--- \t\n--- \nBody", 11),
        ("---\r\nname: a\r\n---\r\nBody", 16),
        ("\u{feff}---\nname: a\n---\nBody", 16),
        ("---\n\n# nothing yet\n---\n", 23),
        ("----\nname: a\n---\n", 0),
        (" ---\nname: a\n---\n", 0),
        ("---\nname: a\n ---\n", 0),
        ("---\nname: a\n----\n", 0),
        ("---\nname: a\n+++\n", 0),
        ("---\n{name: a}\n---\n", 18),
        ("---\n? name\n: a\n---\n", 19),
        ("---\n- a\n---\n", 0),
        ("---\nJust: one: line\n---\n", 24),
        ("---\nTwo words: one: line\n---\n", 0),
        ("---\nhttps://example.org\n---\n", 0),
        ("+++\n+++\n", 8),
        ("+++\nname = \"a\"\n+++\n", 19),
        ("+++\nname: a\n+++\n", 0),
        ("+++\n[link](there)\n+++\n", 22),
    ] {
        assert_eq!(front(text).body, body, "{text:?}");
    }
}

#[test]
fn metadata_keeps_every_key_and_reads_scalars_by_their_format() {
    let text = "---\nname: 123\nversion: 1.10\non: push\nflags: [yes, ~, 0x1F, \"7\", ! 8]\n---\n";
    let metadata = front(text).metadata;
    assert_eq!(metadata.name.as_deref(), Some("123"));
    let Value::Map(values) = metadata.values else { panic!("no map") };
    let text = |text: &str| Value::Text(text.into());
    let flags = [text("yes"), Value::Null, Value::Integer(31), text("7"), text("8")];
    assert_eq!(values.get("name"), Some(&Value::Integer(123)));
    assert_eq!(values.get("version"), Some(&Value::Float(1.1)));
    assert_eq!(values.get("on"), Some(&text("push")));
    assert_eq!(values.get("flags"), Some(&Value::List(flags.into())));
}

#[test]
fn metadata_of_toml_keeps_dates_and_what_does_not_fit_as_text() {
    let text = "+++\ndate = 2024-01-02T03:04:05Z\nbig = 99999999999999999999\nx = 1_000\n+++\n";
    let Value::Map(values) = front(text).metadata.values else { panic!("no map") };
    assert_eq!(values.get("date"), Some(&Value::Text("2024-01-02T03:04:05Z".into())));
    assert_eq!(values.get("big"), Some(&Value::Text("99999999999999999999".into())));
    assert_eq!(values.get("x"), Some(&Value::Integer(1000)));
}

#[test]
fn settings_are_read() {
    let text = "---\ninterpolate: prose\ndirectives: False\ncomments: strip\n---\n";
    let settings = front(text).settings;
    assert_eq!(settings.interpolate, Interpolate::Prose);
    assert!(!settings.directives);
    assert_eq!(settings.strip_comments, Some(true));
}

#[test]
fn inputs_keep_their_order_place_and_written_text() {
    let text =
        "---\nvars:\n  b: string\n  a: { type: string, default: 1.10, enum: [1.10, no] }\n---\n";
    let front = front(text);
    let input = |name: &str, start| Input {
        name: name.into(),
        span: Span::new(start, start + 1),
        kind: InputKind::String,
        default: None,
        choices: None,
        description: None,
        faulty: false,
    };
    let text = |text: &str| Value::Text(text.into());
    let default = Some(text("1.10"));
    let choices = Some(vec![text("1.10"), text("no")]);
    assert!(front.closed);
    assert_eq!(front.inputs, [input("b", 12), Input { default, choices, ..input("a", 24) }]);
}

#[test]
fn a_merge_key_brings_in_the_entries_that_are_missing() {
    let text = "---\nbase: &b { x: string, y: list }\nvars:\n  <<: *b\n  y: map\n---\n";
    let inputs = front(text).inputs;
    let kinds: Vec<_> = inputs.iter().map(|input| (&*input.name, input.kind)).collect();
    assert_eq!(kinds, [("y", InputKind::Map), ("x", InputKind::String)]);
}

#[test]
fn the_path_of_the_base_has_its_place_and_references() {
    let text = "---\nextends: \"b/{{lang}}/{{A}}.md\"\n---\n";
    let mut names = Names::default();
    let Some(path) = read(&Source::new(text.as_bytes()), &mut names).extends else {
        panic!("no path")
    };
    assert_eq!(&*path.text, "b/{{lang}}/{{A}}.md");
    assert_eq!(path.span, Span::new(14, 33));
    let lang = names.intern("lang");
    assert_eq!(path.references, [(Span::new(16, 24), Some(lang)), (Span::new(25, 30), None)]);
}

#[test]
fn an_edit_mends_what_has_one_meaning() {
    for (inner, expected) in [
        ("globs: **/*", "invalid-front-matter 2:8 [**/*] → [\"**/*\"]"),
        ("a: b: \"c\" # d", "invalid-front-matter 2:5 [b: \"c\"] → ['b: \"c\"']"),
        ("l:\n - [A] - b", "invalid-front-matter 3:8 [[A] - b] → [\"[A] - b\"]"),
        ("extends:base.md", "invalid-front-matter 2:1 error [] → [ ]"),
        ("vars: @x", "invalid-front-matter 2:7 error"),
        ("vars: {a: b", "invalid-front-matter 2:7 error"),
        ("name: a\nname: b", "invalid-front-matter 3:1"),
        ("interpolate: Prose", "invalid-declaration 2:1 [Prose] → [prose]"),
        ("directives: no", "invalid-declaration 2:1 [no] → [false]"),
        ("directives: 'true'", "invalid-declaration 2:1 ['true'] → [true]"),
        ("vars: {x: strnig}", "invalid-declaration 2:8 [strnig] → [string]"),
        ("vars: {x: Int}", "invalid-declaration 2:8 [Int] → [integer]"),
        ("vars: {my-x: any}", "invalid-declaration 2:8 [my-x] → [my_x]"),
        ("vars: {X: any, x: any}", "invalid-declaration 2:8"),
        ("vars: {x: {defualt: 1}}", "invalid-declaration 2:12 [defualt] → [default]"),
        ("vars: {x: {choices: [a]}}", "invalid-declaration 2:12 [choices] → [enum]"),
        ("vars: {x: {required: true}}", "invalid-declaration 2:12"),
        ("vars: {x: {type: integer, default: '3'}}", "invalid-declaration 2:8 ['3'] → [3]"),
        ("vars: {x: {type: boolean, default: off}}", "invalid-declaration 2:8 [off] → [false]"),
        ("vars: {x: {enum: [dry], default: dy}}", "invalid-declaration 2:8 [dy] → [dry]"),
    ] {
        assert_eq!(found(&format!("---\n{inner}\n---\n")), [expected], "{inner}");
    }
    let rules = "unclosed-front-matter 1:1 [] → [\n]";
    assert_eq!(found("---\n\nwords\n\n---\n"), [rules]);
}

#[test]
fn a_fault_in_the_bytes_is_not_reported_as_one_of_the_front_matter() {
    let source = Source::new(b"---\nname: \xff\n---\n");
    assert!(read(&source, &mut Names::default()).findings.is_empty());
    assert!(found("---\nvars: a\0\n---\n").is_empty());
}

#[test]
fn what_reaches_a_bound_is_read_and_what_passes_it_is_not() {
    let nested = |levels: usize| format!("a: {}{}", "[".repeat(levels - 1), "]".repeat(levels - 1));
    let keys = |count: usize| {
        let lines: Vec<_> = (0..count).map(|key| format!("k{key}: v")).collect();
        lines.join("\n")
    };
    let long = |bytes: usize| format!("a: {}", "b".repeat(bytes - 4));
    let dotted = |levels: usize| format!("{}a = 1", "a.".repeat(levels - 1));
    for (marker, within, past) in [
        ("---", nested(32), nested(33)),
        ("---", keys(4_999), keys(5_000)),
        ("---", long(64 << 10), long((64 << 10) + 1)),
        ("---", "a: v".to_owned(), nested(10_000)),
        ("---", "a: v".to_owned(), format!("a:\n{}-", "- ".repeat(10_000))),
        ("+++", dotted(32), dotted(33)),
        ("+++", dotted(32), dotted(10_000)),
        ("+++", "a = [[]]".to_owned(), format!("a = {}", "[".repeat(10_000))),
        ("+++", "a = {}".to_owned(), format!("a = {}", "{a=".repeat(10_000))),
    ] {
        let found = |inner: &str| found(&format!("{marker}\n{}\n{marker}\n", inner.trim_end()));
        assert!(found(&within).is_empty(), "{within:.40}");
        assert!(found(&past) == ["limit-exceeded 1:1"], "{past:.40}");
    }
}

#[test]
fn prose_between_two_rules_may_be_of_any_length() {
    let text = format!("---\n\n{}\n---\n", "some words\n".repeat(10_000));
    assert_eq!(front(&text).body, 0);
}

#[test]
fn tables_and_keys_of_toml_may_be_added_to_as_toml_says() {
    for (inner, expected) in [
        ("a.b = 1\na.c = 2", None),
        ("[a.b]\nx = 1\n[a]\ny = 1", None),
        ("[a]\nb.c = 1\n[a.b.d]\ne = 1", None),
        ("[[a]]\nx = 1\n[a.b]\ny = 1\n[[a]]\n[a.b]\nz = 1", None),
        ("a = { b.c = 1, b.d = 2 }", None),
        ("a = 1\na = 2\nb = @", Some("3:1")),
        ("a = @\na = 2\na = 2", Some("2:5")),
        ("[a]\n[a]", Some("3:2")),
        ("[a]\nx = 1\n[[a]]", Some("4:3")),
        ("a = {}\n[a.b]", Some("3:2")),
        ("a = []\n[[a]]", Some("3:3")),
        ("[a.b]\n[a]\nb.c = 1", Some("4:1")),
        ("[a]\nb.c = 1\n[a.b]", Some("4:4")),
        ("a = { b = 1, b.c = 2 }", Some("2:14")),
        ("a = { b = 1, b = 2 }", Some("2:14")),
    ] {
        let expected = expected.map(|place| format!("invalid-front-matter {place}"));
        assert_eq!(found(&format!("+++\n{inner}\n+++\n")).pop(), expected, "{inner}");
    }
}
