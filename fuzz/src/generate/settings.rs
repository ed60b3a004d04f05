//! What stands around the texts: front matter, values, filters and limits.

use mdgraft::{Value, Vars, vars};

use super::inline::TEXTS;
use super::{Shape, Writer};
use crate::cases::{Entry, Options};

pub(super) fn front_matter(w: &mut Writer<'_, '_>) {
    let extends = match (w.shape, w.file) {
        (Shape::Extends, 0) => "extends: base.md\n",
        (Shape::Extends, 1) if !w.one_in(3) => "extends: root.md\n",
        (Shape::Includes, 0) if w.one_in(16) => "extends: a.md\n",
        _ => "",
    };
    let other = w.pick(&[
        "",
        "",
        "",
        "",
        "",
        "",
        "comments: strip\n",
        "interpolate: prose\n",
        "interpolate: none\n",
        "directives: false\n",
        "vars:\n  e: {type: string, enum: [a, t]}\n",
        "vars:\n  x: string\n  y: string\n  n: integer\n  flag: boolean\n  items: list\n  m: map\n  f: number\n",
    ]);
    let other =
        if w.shape == Shape::Extends && other.starts_with("directives") { "" } else { other };
    if !extends.is_empty() || !other.is_empty() {
        w.push(&format!("---\n{extends}{other}---\n"));
    }
}

/// Values of all names, and of the right types: what is wrong with values is for other tests.
pub(super) fn vars(w: &mut Writer<'_, '_>) -> Vars {
    let mut vars = vars! {
        n: i64::try_from(w.below(4)).unwrap_or(0),
        f: 1.5,
        flag: w.one_in(2),
        m: vars! { k: text(w), l: text(w) },
    };
    let items: Vec<Value> = (0..w.below(4)).map(|_| Value::from(text(w))).collect();
    vars.insert("items", items);
    for name in TEXTS {
        if !w.one_in(20) {
            vars.insert(name, text(w));
        }
    }
    vars
}

fn text(w: &mut Writer<'_, '_>) -> String {
    let count = w.pick(&[1, 1, 1, 2, 3]);
    let mut text = String::new();
    for _ in 0..count {
        let piece = w.pick(&[
            "a",
            "",
            "one\ntwo",
            "# H",
            "\n",
            "\n\n",
            "- a\n- b",
            "```",
            "~~~\nx",
            "<div>",
            "===",
            "---",
            "> q",
            "    c",
            "\n\n# X\n",
            "a\n---",
            "1. x",
            "<!--",
            "-->",
            "|a|\n|-|",
            "{{x}}",
            "<<> a.md>>",
            " ",
            "\t",
            "*e*",
            "<!-- endif -->",
            "`",
            "\\",
            "#",
            "</pre>",
            "<pre>",
            "]]>",
            "é\u{301}",
            "\r\n",
            "  # H",
            "=",
            "-",
            "+",
            "\u{a0}",
            "[a]: /u",
            "<x>",
            "&#35; H",
            "a\\\n# H",
            "x\n===\ny",
        ]);
        text.push_str(piece);
    }
    text
}

pub(super) fn options(w: &mut Writer<'_, '_>) -> Options {
    let mut options = Options::default();
    let kind = w.below(16);
    if kind >= 10 {
        for _ in 0..=w.below(3) {
            options.include.push(entry(w));
        }
    }
    match kind {
        7 => options.tidy = true,
        8 => options.guard = true,
        9 => options.strip = true,
        13 => options.ancestors = true,
        14 => (options.tidy, options.guard) = (true, true),
        15 => (options.ancestors, options.tidy) = (true, true),
        4 => options.max_output = Some(w.below(200)),
        5 => options.max_expansions = Some(w.below(6)),
        6 => options.max_depth = Some(w.below(3)),
        _ => {}
    }
    options
}

fn entry(w: &mut Writer<'_, '_>) -> Entry {
    let path = w.pick(&[
        "A", "B", "A/B", "!A", "!A/B", "/", "!/", "A[2]", "C", "B c", "D/e", "\\!F", "A/B/C", "!C",
        "g",
    ]);
    if w.one_in(6) {
        return Entry::Titles(path.split('/').map(ToOwned::to_owned).collect());
    }
    Entry::Path(path.to_owned())
}
