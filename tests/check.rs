//! A check of any files, however broken: it ends, and what it tells is in order.
#![expect(clippy::print_stdout, reason = "the numbers are for reading")]

use std::fmt::Write as _;

use mdgraft::{CheckOptions, Diagnostics, Engine, MemoryLoader, apply_edits};

const PIECES: [&str; 56] = [
    "\n",
    "\n",
    "\n",
    "\n\n",
    " ",
    "a",
    "word ",
    "- ",
    "> ",
    "    ",
    "# A",
    "# A\n",
    "## B\n",
    "### C\n",
    "#\u{a0}D",
    "---\n",
    "===",
    "```",
    "```json\n",
    "```md hidden\n",
    "```json tools\n",
    "{\"a\": ",
    "}",
    "~~~",
    "{{x}}",
    "{{x|default(1 < \"a\")}}",
    "{{ x }}",
    "{\u{200b}{x}}",
    "\\",
    "<<> a.md>>\n",
    "<<> b.md#A>>\n",
    "<<> c.md with x=1>>\n",
    "<<> *.md | optional>>\n",
    "<<> b.md | raw>>\n",
    "<<>",
    "<!-- if: x -->\n",
    "<!-- if: true -->",
    "<!-- elif: 1 and x -->\n",
    "<!-- else -->\n",
    "<!-- endif -->\n",
    "<!-- for: x in xs -->\n",
    "<!-- for: x in \"a\" -->\n",
    "<!-- endfor -->\n",
    "<!-- raw -->\n",
    "<!-- endraw -->\n",
    "<!-- IF: x -->\n",
    "<!-- endif\u{a0}-->\n",
    "<!-- merge: append -->\n",
    "<!-- role: user -->\n",
    "<!-- note -->",
    "<!--",
    "-->",
    "<div>\n",
    "</div>\n",
    "<pre>",
    "| a |\n",
];

const FRONTS: [&str; 6] = [
    "",
    "",
    "---\nname: a\n---\n",
    "---\nvars:\n  x: string\n  xs: list\n---\n",
    "---\nextends: b.md\n---\n",
    "---\ncomments: strip\n---\n",
];

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % most
    }

    fn text(&mut self) -> String {
        let mut text = FRONTS[self.below(FRONTS.len())].to_owned();
        for _ in 0..=self.below(24) {
            text.push_str(PIECES[self.below(PIECES.len())]);
        }
        text
    }
}

#[test]
fn any_files_can_be_checked() {
    let mut random = Random(11);
    for _ in 0..2_000 {
        let files: Vec<(&str, String)> =
            ["a.md", "b.md", "c.md"].map(|name| (name, random.text())).into();
        let engine =
            Engine::new(MemoryLoader::new(files.iter().map(|(name, text)| (*name, text.as_str()))));
        for (entries, orphans) in [(&[][..], false), (&["a.md"][..], true)] {
            let options = CheckOptions { orphans, ..CheckOptions::default() };
            let found = engine.check(entries, &options);
            in_order(&found);
            assert_eq!(found.to_string(), engine.check(entries, &options).to_string());
            for (name, text) in &files {
                let edits = found.iter().filter_map(|one| one.edit.as_ref());
                let _ =
                    apply_edits(text.as_bytes(), edits.filter(|edit| &*edit.place.file == *name));
            }
        }
    }
}

/// Places of one file come together, by position, and none twice.
fn in_order(found: &Diagnostics) {
    let list: Vec<_> = found.iter().collect();
    for pair in list.windows(2) {
        let (one, next) = (&pair[0].place, &pair[1].place);
        if one.file == next.file {
            let key = |place: &mdgraft::Place, code| (place.span.start, code);
            assert!(key(one, pair[0].code) < key(next, pair[1].code), "{found}");
        }
    }
    let mut files: Vec<&str> = list.iter().map(|one| &*one.place.file).collect();
    files.dedup();
    let count = files.len();
    files.sort_unstable();
    files.dedup();
    assert_eq!(files.len(), count, "{found}");
}

#[test]
fn the_cost_grows_with_the_text() {
    let blocks = |count: usize, inside: &str| {
        let mut text = String::new();
        (0..count).for_each(|_| text.push_str("<!-- if: x -->\n"));
        for _ in 0..count {
            let _ = write!(text, "{inside}<!-- endif -->\n\n");
        }
        text
    };
    let line = |piece: &str| format!("\u{200b}{}\n", piece.repeat(20_000));
    for (what, text) in [
        ("equal titles", "# A\n".repeat(20_000)),
        (
            "equal titles in blocks side by side",
            "<!-- if: x -->\n# A\n<!-- endif -->\n\nb\n".repeat(5_000),
        ),
        ("equal titles in nested blocks", blocks(3_000, "# A\n")),
        ("skipped levels", "# A\n### B\n".repeat(10_000)),
        ("fences", "```json\n{\n```\n".repeat(10_000)),
        ("a fence full of fences", format!("```\n{}", "```a\n".repeat(20_000))),
        (
            "references in JSON",
            format!("```json\n{{\"a\": \"{}\"}}\n```\n", "{{x}}".repeat(10_000)),
        ),
        ("hidden characters", "#\u{a0}A {{\u{200b}x}}\n".repeat(10_000)),
        ("hidden characters on a line", line("{{\u{200b}x}} ")),
        ("openers on a line", line("{{")),
        ("comments on a line", line("<!-- if: x -->")),
        ("open comments on a line", line("<!-- if: x ")),
        (
            "constant conditions",
            "<!-- if: 1 == 1 and true or x -->\na\n<!-- endif -->\n".repeat(5_000),
        ),
    ] {
        let engine = Engine::new(MemoryLoader::new([("a.md", text.as_str())]));
        let found = engine.check(&[], &CheckOptions::default());
        in_order(&found);
        println!("{what}: {} found", found.len());
    }
}
