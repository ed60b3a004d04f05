//! What the human form looks like.

use super::*;
use crate::diag::escape::is_unsafe;
use crate::diag::sample::{full, hostile, list, place, plain};

/// The lines of an excerpt, without the frame around them.
fn pointed(text: &str, from: u32, to: u32, width: usize) -> String {
    let shown = plain(place("a.md", text, from, to), "m").human().width(width).to_string();
    let lines = shown.lines().skip(1).filter(|line| *line != "  |");
    lines.map(|line| line.trim_start_matches("  | ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_caret_stands_under_the_place() {
    for (text, from, to, shown) in [
        ("Hi {{usr}}.\n", 5, 8, " --> a.md:1:6\n1 | Hi {{usr}}.\n     ^^^"),
        // Wide letters take two columns, combining marks none.
        ("日本{{x}}", 8, 9, " --> a.md:1:5\n1 | 日本{{x}}\n      ^"),
        ("日本{{x}}", 3, 6, " --> a.md:1:2\n1 | 日本{{x}}\n  ^^"),
        ("🎯 {{x}}", 7, 8, " --> a.md:1:5\n1 | 🎯 {{x}}\n     ^"),
        ("e\u{301}{{x}}", 5, 6, " --> a.md:1:5\n1 | e\u{301}{{x}}\n   ^"),
        // The parts of a joined pictograph are shown one by one.
        ("👩\u{200d}💻{{x}}", 13, 14, " --> a.md:1:6\n1 | 👩💻{{x}}\n      ^"),
        // A tab is shown as four blanks.
        ("-\t{{x}}\ty", 4, 5, " --> a.md:1:5\n1 | -    {{x}}    y\n       ^"),
        // The end of a line, of a text, and of one that ends in a line end.
        ("ab\ncd", 2, 2, " --> a.md:1:3\n1 | ab\n  ^"),
        ("ab\ncd", 2, 3, " --> a.md:1:3\n1 | ab\n  ^"),
        ("ab", 2, 2, " --> a.md:1:3\n1 | ab\n  ^"),
        ("ab\n", 3, 3, " --> a.md:2:1\n2 |\n^"),
        ("a\n\nb", 2, 2, " --> a.md:2:1\n2 |\n^"),
        // A line end behind the place is not pointed at.
        ("ab\ncd\n", 0, 3, " --> a.md:1:1\n1 | ab\n^^"),
        // Marks and line ends of the file are no columns.
        ("\u{feff}ab\r\ncd\r\n", 4, 5, " --> a.md:2:2\n2 | cd\n ^"),
        ("ab\rcd", 3, 4, " --> a.md:2:1\n2 | cd\n^"),
        // What is escaped is pointed at as it is shown.
        ("\u{1b}[1m{{x}}", 6, 7, " --> a.md:1:7\n1 | \\u{1b}[1m{{x}}\n           ^"),
        ("a\u{200b}b", 1, 4, " --> a.md:1:2\n1 | a\\u{200b}b\n ^^^^^^^^"),
        // No offset is out of bounds or inside of a character.
        ("aé", 2, 99, " --> a.md:1:2\n1 | aé\n ^"),
        ("ab", 99, 1, " --> a.md:1:3\n1 | ab\n  ^"),
        // A file as a whole is not pointed into.
        ("ab", 0, 0, " --> a.md:1:1"),
        ("", 0, 0, " --> a.md:1:1"),
    ] {
        assert_eq!(pointed(text, from, to, 80), shown, "{from}..{to} of {text:?}");
    }
}

#[test]
fn a_place_of_some_lines_is_shown_whole_and_a_longer_one_by_its_first() {
    let text = "x <!-- if:\n  a\n--> y\n";
    let shown = "\
1 |   x <!-- if:
  |  ___^
2 | |   a
3 | | --> y
  | |___^";
    let report = plain(place("a.md", text, 2, 18), "m").human().to_string();
    assert_eq!(report, format!("error[unknown-variable]: m\n --> a.md:1:3\n  |\n{shown}"));
    let long = "ab\n".repeat(9);
    assert_eq!(pointed(&long, 3, 27, 80), " --> a.md:2:1\n2 | ab\n^^");
}

#[test]
fn of_a_long_line_the_part_around_the_place_is_shown() {
    let line = "0123456789".repeat(100_000);
    for (from, to, shown, before, carets) in [
        (0, 1, "01234567890123456789012345678901…", 0, 1),
        (500_000, 500_002, "…45678901234567890123456789012345…", 17, 2),
        (500_000, 600_000, "…45678901234567890123456789012345…", 17, 17),
        (999_999, 1_000_000, "…89012345678901234567890123456789", 32, 1),
        (1_000_000, 1_000_000, "…89012345678901234567890123456789", 33, 1),
    ] {
        let carets = " ".repeat(before) + &"^".repeat(carets);
        let shown = format!(" --> a.md:1:{}\n1 | {shown}\n{carets}", from + 1);
        assert_eq!(pointed(&line, from, to, 38), shown, "{from}..{to}");
    }
}

#[test]
fn a_report_has_every_part() {
    assert_eq!(
        list(vec![full(), full()], 7).human().to_string().split("\n\n").collect::<Vec<_>>(),
        [REPORT, REPORT, "… and 7 more"]
    );
}

const REPORT: &str = "\
error[unknown-variable]: `usr` is declared nowhere
 --> parts/sign.md:2:6
  |
2 | -- {{usr}}
  |      ^^^
  |
 ::: main.md:3:3
  |
3 |   user: string
  |   ---- declared here
  |
  = note: included from end.md:3:1
          included from main.md:5:1
help: did you mean `user`?
  |
2 - -- {{usr}}
2 + -- {{user}}";

#[test]
fn a_related_place_close_by_shares_the_excerpt() {
    let text = "<!-- if: a -->\n\nb\n\n<!-- else -->\n\n<!-- else -->\n";
    let mut diagnostic = plain(place("a.md", text, 34, 47), "a second `else`");
    diagnostic.related.push((place("a.md", text, 19, 32), "the first one".into()));
    diagnostic.help = Some("remove one of them".into());
    let shown = "\
error[unknown-variable]: a second `else`
 --> prompts/a.md:7:1
  |
5 | <!-- else -->
  | ------------- the first one
6 |
7 | <!-- else -->
  | ^^^^^^^^^^^^^
  |
  = help: remove one of them";
    assert_eq!(diagnostic.human().folder("prompts").to_string(), shown);
}

#[test]
fn a_file_as_a_whole_has_no_excerpt() {
    let mut diagnostic = plain(place("a.md", "# Rules\n", 0, 0), "no section `Rule`");
    diagnostic.help = Some("did you mean `Rules`?".into());
    let shown = "\
error[unknown-variable]: no section `Rule`
 --> a.md:1:1
  |
  = help: did you mean `Rules`?";
    assert_eq!(diagnostic.human().to_string(), shown);
}

#[test]
fn of_a_long_chain_the_ends_are_shown() {
    let mut diagnostic = plain(place("z.md", "x", 0, 1), "m");
    let link = |index| place(&format!("{index}.md"), "<<> x>>", 0, 7);
    diagnostic.chain = (0..9).map(link).collect();
    let report = diagnostic.human().to_string();
    let chain: Vec<_> = report.lines().skip(7).map(str::trim).collect();
    assert_eq!(chain[..2], ["included from 7.md:1:1", "included from 6.md:1:1"]);
    assert_eq!(chain[2..], ["… 4 more …", "included from 1.md:1:1", "included from 0.md:1:1"]);
}

#[test]
fn colours_are_all_that_a_report_has_of_controls() {
    let plain = hostile().human().to_string();
    assert!(!plain.contains(|c| is_unsafe(c) && c != '\n'), "{plain:?}");
    let mut painted = hostile().human().color(true).to_string();
    while let Some(at) = painted.find("\u{1b}[") {
        let end = at + painted[at..].find('m').expect("the end of a colour");
        assert!(painted[at + 2..end].chars().all(|c| c.is_ascii_digit() || c == ';'));
        painted.replace_range(at..=end, "");
    }
    assert_eq!(painted, plain);
}

#[test]
fn no_place_and_no_edit_is_too_odd_to_be_shown() {
    let pieces =
        ["a", "é", "日", "\n", "\n", "\t", "\u{1b}", "e\u{301}", "👩\u{200d}💻", " ", "{{x}}"];
    let mut state = 1_u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state as usize / 65_536 % below
    };
    for _ in 0..500 {
        let length = next(40);
        let text: String = (0..length).map(|_| pieces[next(pieces.len())]).collect();
        let mut at = |file| {
            let from = Span::at(next(text.len() + 2), 0).start;
            place(file, &text, from, from + Span::at(next(12), 0).start)
        };
        let mut diagnostic = plain(at("a.md"), "m");
        diagnostic.related = vec![
            (at("a.md"), "one".into()),
            (at("a.md"), "two".into()),
            (at("b.md"), "three".into()),
        ];
        diagnostic.edit =
            Some(Edit { place: at("a.md"), text: ["", "x", "\n", "x\ny\n"][next(4)].into() });
        for width in [0, 30, 100] {
            let report = diagnostic.human().width(width).to_string();
            assert!(!report.contains(|c| is_unsafe(c) && c != '\n'), "{text:?} {report:?}");
        }
    }
}
