//! Blocks: headings, paragraphs, containers, code, HTML, directives and includes.

use super::inline::{self, inline};
use super::{FILES, Shape, Writer};

/// Up to `most` blocks.
pub(super) fn blocks(w: &mut Writer<'_, '_>, most: usize) {
    let count = w.below(most + 1);
    for _ in 0..count {
        if w.is_done() {
            break;
        }
        block(w);
        let blank = w.pick(&["\n", "", "\n\n", "\n", "  \n", "\n", "\t\n\n\n"]);
        w.push(blank);
    }
}

fn block(w: &mut Writer<'_, '_>) {
    let deep = w.depth > 3;
    match w.below(if deep { 10 } else { 16 }) {
        0 | 1 => paragraph(w),
        2 | 3 => heading(w),
        4 => setext(w),
        5 => fence(w),
        6 => html(w),
        7 => include(w),
        8 => marker(w),
        9 => odd_line(w),
        10 | 11 => condition(w),
        12 => repeat(w),
        13 => item(w),
        14 => quote(w),
        _ => raw(w),
    }
}

fn paragraph(w: &mut Writer<'_, '_>) {
    for _ in 0..=w.below(3) {
        let indent = w.pick(&["", "", "", " ", "   ", "    ", "\t"]);
        w.push(indent);
        text_line(w);
    }
}

fn text_line(w: &mut Writer<'_, '_>) {
    if w.shape == Shape::Extends {
        w.unique();
    }
    inline(w);
    w.push("\n");
}

fn heading(w: &mut Writer<'_, '_>) {
    let indent = w.pick(&["", "", "", " ", "   "]);
    w.push(indent);
    let level = w.pick(&["#", "##", "###", "#", "##", "######"]);
    w.push(level);
    let blank = w.pick(&[" ", " ", "  ", "\t"]);
    w.push(blank);
    title(w);
    let end = w.pick(&["\n", "\n", "\n", " #\n", " ##  \n", "#\n"]);
    w.push(end);
}

fn title(w: &mut Writer<'_, '_>) {
    let text = w.pick(&["A", "B", "C", "A", "B c", "D/e", "!F", "A[2]", "", "`g`", "*h*"]);
    w.push(text);
    if w.one_in(6) {
        w.push(" ");
        inline(w);
    }
}

fn setext(w: &mut Writer<'_, '_>) {
    title(w);
    w.push("\n");
    if w.one_in(4) {
        text_line(w);
    }
    let underline = w.pick(&["===\n", "---\n", "-\n", "  =  \n", "    ---\n"]);
    w.push(underline);
}

fn fence(w: &mut Writer<'_, '_>) {
    let sign = w.pick(&["```", "~~~", "````", "    "]);
    let info =
        w.pick(&["", "md", "raw", "json tools", "text example", "hidden", "{{x}}", "raw hidden"]);
    w.push(sign);
    if !sign.starts_with(' ') {
        w.push(info);
    }
    w.push("\n");
    for _ in 0..w.below(3) {
        let indent = if sign.starts_with(' ') { "    " } else { "" };
        w.push(indent);
        let line = w.pick(&[
            "code",
            "# no",
            "{{x}}",
            "```",
            "[]",
            "<!-- endraw -->",
            "{{ z }}",
            "<<> a.md>>",
            "",
        ]);
        w.push(line);
        w.push("\n");
    }
    if !w.one_in(8) {
        w.push(if sign.starts_with(' ') { "" } else { sign });
        w.push("\n");
    }
}

fn html(w: &mut Writer<'_, '_>) {
    let open = w.pick(&[
        "<!-- note -->",
        "<div>",
        "</div>",
        "<!-- a\nb\n\nc -->",
        "<pre>",
        "<script>",
        "<?php",
        "<!X",
        "<![CDATA[",
        "<x-y>",
        "</pre>",
        "]]>",
        "?>",
        "-->",
        "<!--",
    ]);
    w.push(open);
    if w.one_in(3) {
        inline(w);
    }
    w.push("\n");
}

fn include(w: &mut Writer<'_, '_>) {
    let indent = w.pick(&["", "", "", "  ", "- ", "> ", "    ", "1. "]);
    w.push(indent);
    let mustache = w.one_in(8);
    w.push(if mustache { "{{> " } else { "<<> " });
    let paths: &[&str] = match w.shape {
        Shape::Extends => &["a.md"],
        Shape::Includes => &[
            FILES[1], FILES[2], "/d/c.md", "t.txt", "d/*.md", "a", "\"a.md\"", "none.md",
            "{{e}}.md",
        ],
    };
    // A file leads to later ones, so that circles are rare.
    let later =
        if w.shape == Shape::Includes && w.file > 0 && !w.one_in(8) { "/t.txt" } else { "" };
    let path = w.pick(paths);
    w.push(if later.is_empty() || path == FILES[2] { path } else { later });
    let section = w.pick(&["", "", "", "", "#A", "#A/B", "#B[2]"]);
    w.push(section);
    let option = w.pick(&[
        "",
        "",
        "",
        " | optional",
        " | keep",
        " | raw",
        " | code",
        " | code(x)",
        " | keep | optional",
    ]);
    w.push(option);
    let with = w.pick(&["", "", "", "", " with x=\"v\"", " with x=y, n=1", " with items=[1]"]);
    w.push(with);
    w.push(if mustache { "}}" } else { ">>" });
    let end = w.pick(&["\n", "\n", "\n", " \n", " x\n"]);
    w.push(end);
}

/// A marker that stands for itself, or for nothing.
fn marker(w: &mut Writer<'_, '_>) {
    let merge = w.pick(&["append", "prepend", "replace", "remove"]);
    let markers: &[&str] = match w.shape {
        Shape::Extends => &["merge"],
        Shape::Includes => &[
            "role: user",
            "role: assistant",
            "role: system",
            "role: user",
            "role: assistant",
            "role: system",
            "merge",
            "endif",
            "else",
            "endraw",
            "raw",
            "endfor",
            "if x",
        ],
    };
    let marker = w.pick(markers);
    let indent = w.pick(&["", "", "  ", "> "]);
    w.push(indent);
    w.push("<!-- ");
    if marker == "merge" {
        w.push("merge: ");
        w.push(merge);
    } else {
        w.push(marker);
    }
    w.push(" -->");
    let end = w.pick(&["\n", "\n", "\n", " x\n"]);
    w.push(end);
}

fn odd_line(w: &mut Writer<'_, '_>) {
    let line = w.pick(&[
        "---",
        "***",
        "| a | b |\n|---|---|\n| {{x}} | {{y}} |",
        "[a]: /u",
        "===",
        "#",
        "\u{a0}",
        "\u{feff}",
        "\\<<> a.md>>",
        "<<>>",
        "- ",
        ">",
        "\\{{x}}",
        "#\u{a0}T",
        "a\\",
        "+++",
    ]);
    w.push(line);
    w.push("\n");
}

fn condition(w: &mut Writer<'_, '_>) {
    let inside = inside(w);
    let mut text = String::new();
    let marker = |w: &mut Writer<'_, '_>, marker: String| w.push(&marker);
    let test = w.aside(|w| inline::condition(w));
    marker(w, format!("<!-- if: {test} -->{inside}"));
    blocks(w, 3);
    if w.one_in(3) {
        let test = w.aside(|w| inline::condition(w));
        marker(w, format!("<!-- elif: {test} -->{inside}"));
        blocks(w, 2);
    }
    if w.one_in(3) {
        marker(w, format!("<!-- else -->{inside}"));
        blocks(w, 2);
    }
    if !w.one_in(40) {
        text.push_str("<!-- endif -->\n");
    }
    w.push(&text);
}

fn repeat(w: &mut Writer<'_, '_>) {
    let inside = inside(w);
    let header = w.pick(&["i in items", "i in [1, 2]", "k, v in m", "x in items", "i in []"]);
    w.push(&format!("<!-- for: {header} -->{inside}"));
    blocks(w, 3);
    if w.one_in(3) {
        let line = w.pick(&["{{loop.index}}\n", "- {{loop.last}}\n", "# {{loop.index}}\n"]);
        w.push(line);
    }
    w.push("<!-- endfor -->\n");
}

/// What stands behind an opening marker: mostly its line ends there.
fn inside(w: &mut Writer<'_, '_>) -> &'static str {
    w.pick(&["\n", "\n", "\n\n", "\n", ""])
}

fn item(w: &mut Writer<'_, '_>) {
    let text = w.aside(|w| blocks(w, 3));
    let (marker, rest) =
        w.pick(&[("- ", "  "), ("1. ", "   "), ("-   ", "    "), ("* ", ""), ("-\t", "\t")]);
    contain(w, &text, marker, rest);
}

fn quote(w: &mut Writer<'_, '_>) {
    let text = w.aside(|w| blocks(w, 3));
    let (marker, rest) = w.pick(&[("> ", "> "), (">", ">"), ("> ", ""), (" > ", "> ")]);
    contain(w, &text, marker, rest);
}

fn contain(w: &mut Writer<'_, '_>, text: &str, marker: &str, rest: &str) {
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let prefix = if index == 0 { marker } else { rest };
        w.push(if line == "\n" { prefix.trim_end_matches(' ') } else { prefix });
        w.push(line);
    }
}

fn raw(w: &mut Writer<'_, '_>) {
    w.push("<!-- raw -->\n");
    blocks(w, 2);
    w.push("<!-- endraw -->\n");
}
