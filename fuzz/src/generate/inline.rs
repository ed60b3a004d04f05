//! What stands in a line: words, references, code spans, inline directives.

use super::Writer;

/// The names that always have a value: texts, a number, a boolean, a list and a map; `e` is an
/// enum where it is declared.
pub(super) const TEXTS: [&str; 3] = ["x", "y", "e"];

/// A run of inline pieces, without line end unless a value of code brings one.
pub(super) fn inline(w: &mut Writer<'_, '_>) {
    for _ in 0..=w.below(3) {
        piece(w);
    }
}

fn piece(w: &mut Writer<'_, '_>) {
    match w.below(14) {
        0..=2 => {
            let word = w.pick(&["word", "text ", " and ", "é", "1. ", "- ", "x", "_em_", "**b**"]);
            w.push(word);
        }
        3..=6 => reference(w),
        7 => {
            let span = w.pick(&["`code`", "`{{x}}`", "`", "``", "`{{ no }}`"]);
            w.push(span);
        }
        8 => {
            let test = w.aside(condition);
            w.push(&format!("<!-- if: {test} -->in<!-- endif -->"));
        }
        9 => w.push("<!-- note -->"),
        10 => {
            let escape = w.pick(&[
                "\\{{x}}",
                "\\\\{{x}}",
                "\\{\\{ a \\}\\}",
                "${{x}}",
                "$",
                "{{",
                "}}",
                "\\",
                "\\<!-- if: x -->",
                "{{{{",
            ]);
            w.push(escape);
        }
        11 => {
            let odd = w.pick(&[
                "<b>",
                "</b>",
                "[a](/u)",
                "[a]({{x}})",
                "![i](u)",
                "<http://a.b>",
                "&amp;",
                "|",
                "#",
                "\t",
            ]);
            w.push(odd);
        }
        12 => w.push(" "),
        _ => {
            let odd = w.pick(&[
                "{{ x }}",
                "{{x",
                "<<> a.md>>",
                "{{none}}",
                "{{X}}",
                "word",
                "word",
                "word",
                "word",
                "word",
            ]);
            w.push(odd);
        }
    }
}

fn reference(w: &mut Writer<'_, '_>) {
    w.push("{{");
    let path = w.pick(&["x", "y", "n", "x", "y", "flag", "m.k", "items.0", "f"]);
    w.push(path);
    let calls = w.pick(&[
        "",
        "",
        "",
        "",
        "|upper",
        "|trim",
        "|json",
        "|plain",
        "|quote",
        "|fence(\"\")",
        "|indent(2)",
        "|xml",
        "|default(\"\")",
        "|default(\"d\")|plain",
        "|len",
        "|first",
    ]);
    w.push(calls);
    w.push("}}");
}

/// A condition.
pub(super) fn condition(w: &mut Writer<'_, '_>) {
    let test = w.pick(&[
        "flag",
        "not flag",
        "true",
        "false",
        "x == \"\"",
        "x != y",
        "n > 1",
        "items",
        "defined(x)",
        "\"a\" in items",
        "flag and x == \"a\"",
        "flag or n == 0",
        "x|contains(\"a\")",
        "m",
        "null",
        "(flag)",
        "x",
        "[]",
        "flag ==",
        "x in m",
    ]);
    w.push(test);
}
