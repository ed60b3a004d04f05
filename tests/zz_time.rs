use mdgraft::{CheckOptions, Engine, MemoryLoader};
use std::fmt::Write as _;
use std::time::Instant;
#[test]
fn times() {
    let blocks = |count: usize, inside: &str| {
        let mut text = String::new();
        (0..count).for_each(|_| text.push_str("<!-- if: x -->\n"));
        for _ in 0..count {
            let _ = write!(text, "{inside}<!-- endif -->\n\n");
        }
        text
    };
    for n in [1usize, 2, 4] {
        let line = |piece: &str| format!("\u{200b}{}\n", piece.repeat(5_000 * n));
        for (what, text) in [
            ("equal", "# A\n".repeat(5_000 * n)),
            ("side by side", "<!-- if: x -->\n# A\n<!-- endif -->\n\nb\n".repeat(1_000 * n)),
            ("nested", blocks(1_000 * n, "# A\n")),
            ("skipped", "# A\n### B\n".repeat(2_500 * n)),
            ("fences", "```json\n{\n```\n".repeat(2_500 * n)),
            ("hidden", "#\u{a0}A {{\u{200b}x}}\n".repeat(2_500 * n)),
            ("hidden line", line("{{\u{200b}x}} ")),
            ("openers", line("{{")),
            ("comments", line("<!-- if: x -->")),
            ("open comments", line("<!-- if: x ")),
            (
                "constant",
                "<!-- if: 1 == 1 and true or x -->\na\n<!-- endif -->\n".repeat(1_250 * n),
            ),
        ] {
            let engine = Engine::new(MemoryLoader::new([("a.md", text.as_str())]));
            let start = Instant::now();
            let _ = engine.load("a.md");
            let load = start.elapsed();
            let start = Instant::now();
            let found = engine.check(&[], &CheckOptions::default());
            println!("{n} {what}: load {load:?} check {:?} {}", start.elapsed(), found.len());
        }
    }
}
