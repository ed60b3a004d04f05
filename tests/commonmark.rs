//! The examples of the `CommonMark` specification: the outline of each is that of a second reading,
//! and that of the HTML which the specification expects.
#![expect(clippy::print_stdout, reason = "the numbers are the point")]
#![expect(clippy::disallowed_methods, reason = "the test reads the specification")]

mod oracle;

use std::fs;
use std::path::Path;

use mdgraft::{Engine, MemoryLoader};
use oracle::Heading;

const SPECIFICATION: &str = "../shared/peers/commonmark/spec.txt";

#[test]
fn the_outline_of_every_example_is_the_expected_one() {
    if !Path::new(SPECIFICATION).exists() {
        return println!("skipped: there is no {SPECIFICATION}");
    }
    let text = fs::read_to_string(SPECIFICATION).unwrap_or_else(|error| panic!("{error}"));
    let examples = examples(&text);
    assert!(examples.len() > 600, "only {} examples are found", examples.len());
    let (mut headings, mut ours) = (0, 0);
    let mut wrong = Vec::new();
    for (number, (markdown, html)) in (1..).zip(&examples) {
        if ["{{", "<<>"].iter().any(|sign| markdown.contains(sign)) {
            ours += 1;
            continue;
        }
        let engine = Engine::new(MemoryLoader::new([("main.md", markdown.as_str())]));
        let tree = engine.load("main.md").unwrap_or_else(|error| panic!("{number}: {error}"));
        let found: Vec<Heading> =
            tree.sections().map(|section| (section.level, section.title)).collect();
        headings += found.len();
        if found != oracle::outline(markdown) {
            wrong.push(format!("{number}: {found:?} is not what comrak says"));
        }
        let expected = outline_of_html(html);
        if found != expected {
            wrong.push(format!("{number}: {found:?} and not {expected:?}"));
        }
    }
    println!("{} examples, {headings} headings; {ours} examples hold our syntax", examples.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The examples of the specification: Markdown and HTML.
fn examples(text: &str) -> Vec<(String, String)> {
    let fence = "`".repeat(32);
    let (opening, closing) = (format!("{fence} example\n"), format!("\n{fence}\n"));
    let parts = text.split(&*opening).skip(1);
    let example = |part: &str| {
        let (example, _) = part.split_once(&*closing)?;
        let example = format!("{example}\n").replace('→', "\t");
        let (markdown, html) = match example.strip_prefix(".\n") {
            Some(html) => ("", html),
            None => example.split_once("\n.\n")?,
        };
        Some((format!("{markdown}\n"), html.to_owned()))
    };
    parts.filter_map(example).collect()
}

/// The headings of a piece of HTML that are in no list and no quote.
fn outline_of_html(html: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut depth = 0;
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let opens = ["<ul>", "<ol", "<blockquote>"].iter().any(|tag| rest.starts_with(tag));
        let closes = ["</ul>", "</ol>", "</blockquote>"].iter().any(|tag| rest.starts_with(tag));
        depth = depth + usize::from(opens) - usize::from(closes);
        match level_of_tag(rest).filter(|_| depth == 0) {
            Some((level, behind)) => {
                let (title, behind) =
                    behind.split_once(&format!("</h{level}>")).unwrap_or((behind, ""));
                found.push((level, unescaped(&without_tags(title))));
                rest = behind;
            }
            None => rest = &rest[1..],
        }
    }
    found
}

/// The level of the heading that a tag opens, and what stands behind the tag.
fn level_of_tag(html: &str) -> Option<(u8, &str)> {
    let rest = html.strip_prefix("<h")?;
    let level = rest.bytes().next()?.checked_sub(b'0').filter(|level| (1..=6).contains(level))?;
    Some((level, rest[1..].strip_prefix('>')?))
}

/// The text of a piece of HTML.
fn without_tags(title: &str) -> String {
    let mut text = String::new();
    let mut rest = title;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    oracle::clean(&text)
}

fn unescaped(html: &str) -> String {
    let text = html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}
