//! Foreign texts are brought in: escaped, they render to what they hold.
#![allow(clippy::disallowed_methods, reason = "the test reads files that it is given")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::fs;
use std::path::{Path, PathBuf};

use mdgraft::{Engine, EscapeError, MemoryLoader, Vars, render};

/// Prompts of other projects, where they are there.
const CORPUS: &str = "../shared/corpus";

#[test]
fn every_file_of_the_corpus_renders_to_its_body() {
    let corpus = Path::new(CORPUS);
    if !corpus.exists() {
        println!("skipped: there is no {CORPUS}");
        return;
    }
    let mut wrong = Vec::new();
    let (mut files, mut escaped) = (0, 0);
    for file in files_of(corpus) {
        let bytes = fs::read(&file).expect("a file of the corpus can be read");
        files += 1;
        match brought_in(&bytes) {
            Ok(places) => escaped += usize::from(places > 0),
            Err(why) => wrong.push(format!("{}: {why}", file.display())),
        }
    }
    println!("{files} files, {escaped} of them with escapes");
    assert!(wrong.is_empty(), "{} of {files}:\n{}", wrong.len(), wrong.join("\n"));
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut next = vec![folder.to_owned()];
    while let Some(folder) = next.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the corpus can be read") {
            let entry = entry.expect("a name in a folder");
            match entry.file_type().expect("the kind of a name") {
                kind if kind.is_dir() => next.push(entry.path()),
                kind if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// Escapes a text and renders it; how many places were escaped.
fn brought_in(bytes: &[u8]) -> Result<usize, String> {
    let engine = Engine::new(MemoryLoader::default());
    let escaped = engine.escape("a.md", bytes).map_err(|error| format!("{error:?}"))?;
    let kept = without_front_matter(bytes);
    let front = &bytes[..bytes.len() - kept.len()];
    if !escaped.bytes.starts_with(front) {
        return Err("the front matter changed".to_owned());
    }
    let loader = MemoryLoader::new([("a.md", escaped.bytes.clone())]);
    let tree = Engine::new(loader).load("a.md").map_err(|wrong| format!("{wrong}"))?;
    let printed = render(&tree, &Vars::default(), ()).map_err(|wrong| format!("{wrong}"))?;
    let wanted = wanted(kept);
    if printed.text() != wanted {
        let shown = String::from_utf8_lossy(&escaped.bytes).into_owned();
        return Err(format!("{:?} instead of {wanted:?}, from {shown:?}", printed.text()));
    }
    Ok(escaped.applied)
}

/// The body of a file whose front matter, if it has any, is well formed.
fn without_front_matter(bytes: &[u8]) -> &[u8] {
    let text = std::str::from_utf8(bytes).expect("the files are UTF-8");
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = body.split_inclusive(['\n']);
    let is_marker = |line: &str| matches!(line.trim_end(), "---" | "+++");
    let Some(first) = lines.next().filter(|line| is_marker(line)) else { return body.as_bytes() };
    let mut length = first.len();
    let mut keyed = None;
    for line in lines {
        length += line.len();
        if line.trim_end() == first.trim_end() && !line.starts_with([' ', '\t']) {
            let is_front = keyed.unwrap_or(true);
            return if is_front { &body.as_bytes()[length..] } else { body.as_bytes() };
        }
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            keyed =
                keyed.or(Some(line.contains(':') || line.contains('=') || line.starts_with('[')));
        }
    }
    body.as_bytes()
}

/// A body without blank lines at its ends, with line ends of LF and one at its end.
fn wanted(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body).replace("\r\n", "\n").replace('\r', "\n");
    let is_blank = |line: &&str| line.trim_matches([' ', '\t']).is_empty();
    let lines: Vec<&str> = text.split('\n').skip_while(is_blank).collect();
    let blank = lines.iter().rev().take_while(|line| is_blank(line)).count();
    lines[..lines.len() - blank].iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn whatever_looks_like_syntax_is_escaped() {
    for text in [
        "",
        "\n\n",
        "plain",
        // References
        "{{x}}",
        "a {{x}} b {{x|upper}} {{x|default(\"}}\")}}",
        "\\{{x}} \\\\{{x}} \\\\\\{{x}} C:\\{{d}}",
        "{{ x }} {{X}} {{}} {{{x}}} {{a b}} {{1}} {{#if}} {{/if}} {{else}}",
        "{{{{x}}}} {{{{{{x}}}}}} {{{{ x }}}}",
        "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{x}}}}",
        "${{x}} ${{ x }} $\\{{x}}",
        "\\{\\{ x \\}\\} and \\{\\{x\\}\\} \\\\{\\{x\\}\\} \\\\\\{\\{x\\}\\} \\{\\{ alone",
        "\\{\\{ a \\}\\} {{ b }} \\{\\{{c}}\\}\\}",
        "`{{x}}` `\\{{x}}` `{{ x }}` `\\\\{{x}}` ``\\{\\{ x \\}\\}``",
        "```\n{{x}}\n\\{{x}}\n{{ x }}\n\\{\\{ x \\}\\}\n```",
        "    {{x}}\n    \\{{x}}",
        "# {{x}} {{ y }}\n\n{{x}}\n=====\n\n\\{\\{ x \\}\\}\n---",
        "| {{x}} | b |\n|---|---|\n| {{ y }} | \\{{z}} |",
        "[a]({{url}}) <a href=\"{{url}}\"> <{{x}}>",
        "<div {{x}}>\n{{ y }}\n</div>",
        "{{true}} {{loop.index}} {{and}}",
        // Includes
        "<<> a.md>>",
        "- <<> a.md>>\n> <<> b.md>>\n\n    <<> c.md>>",
        "text <<> a.md>> text",
        "<<> open\n<<> >>\n<<>>\n\\<<> a>>\n\\\\<<> a>>",
        "{{> a}}\n\\{{> b}}\n{{> open",
        "<<<> a>> <<<<> a>>",
        // Directives
        "a\n<!-- if: x -->\nb\n<!-- endif -->\nc",
        "a\n\n<!-- else -->\n\nb",
        "a\n\n\n<!-- else -->\n\n\nb",
        "a\n\n\n\n<!-- if: x -->\n\n\n\nb\n\n\n<!-- endif -->\n\n\nc",
        "<!-- if: x --><!-- else --><!-- endif -->",
        "a <!-- if: x --> b <!-- endif --> c",
        "<!-- if: ) -->\n<!-- for: x -->\n<!-- for: x in y -->\n<!-- endfor -->",
        "<!-- raw -->\n{{x}}\n<!-- endraw -->",
        "<!-- endraw -->",
        "a <!-- endraw --> {{x}} <!-- raw -->",
        "<!-- raw -->",
        "<!-- role: user -->\nhello\n<!-- role: assistant -->\nhi",
        "# A\n<!-- merge: append -->\nb",
        "<!-- else -->\n---\n\n\n# B",
        "a\n\n\n<!-- else -->\n---\n\n\n# B",
        "a\n\n\n<!-- endraw -->\n---\n\n\n# B",
        "- a\n  <!-- else -->\n- b <!-- else -->\n\n> <!-- else -->\n> c",
        "> a\n>\n>\n> <!-- else -->\n>\n>\n> b",
        "<div>\n<!-- else -->\n</div>\n\n<pre>\n<!-- else -->\n</pre>",
        "<script>\n<!-- if: x -->\n",
        "<!-- note\n\n<!-- else -->\n\n{{x}}",
        "<!--\nif: x\n-->\n<!-- if\n:\nx -->",
        "```\n<!-- else -->\n",
        "<!-- else -->\n\n```\nopen {{x}}",
        "<!-- endraw -->\n\n```\nopen {{x}}",
        "<!-- if: x -->\n\n    code\n\n<!-- endif -->\n# H",
        "para\n<!-- else -->\n===",
        "<!-- endfi --> <!-- IF: x --> <!-- if you like -->",
        // Words
        "```md hidden\na\n```",
        "a\n\n\n```json tools\nnone\n```\n\n\nb",
        "```json tools example\n[]\n```",
        "~~~text  hidden  hidden\na\n~~~",
        "- ```md hidden\n  a {{x}}\n  ```",
        // Bytes
        "\u{feff}{{x}}\r\n\r\n<!-- else -->\r\n\r\n\r\nb\r\n",
        "a\r{{x}}\r<!-- else -->\r",
        "\u{feff}---\r\nname: x\r\n---\r\n\r\n{{x}}\r\n",
        // Front matter of others
        "---\nname: {{x}}\ntools: [a]\n---\n{{x}}\n<!-- else -->",
        "---\nname: a\n---\n\n\n<!-- else -->\n---\n\n\nb",
        "---\nname: a\n---\n\n\n<!-- else -->\n\n\n<!-- endraw -->",
        "---\nglobs: **/*\n---\n{{x}}",
        "---\n---\n{{x}}",
        "---\n\nA rule and {{x}}\n\n---\n",
        "---\nnever: closed\n{{x}}",
        "+++\na = 1\n+++\n{{x}}",
        "---\ninterpolate: prose\n---\n`{{x}}` {{x}} \\{{x}} <!-- else -->",
        "---\ninterpolate: none\n---\n{{x}} \\{{x}}\n<<> a>>\n<!-- else -->",
        "---\ndirectives: false\n---\n{{x}}\n<<> a>>\n\\<<> a>>\n<!-- else -->",
    ] {
        if let Err(why) = brought_in(text.as_bytes()) {
            panic!("{text:?}: {why}");
        }
    }
}

#[test]
fn what_front_matter_says_to_the_engine_stays_and_is_told() {
    let escape = |text: &str| Engine::new(MemoryLoader::default()).escape("a.md", text.as_bytes());
    for (text, code) in [
        ("---\nvars: [a, b]\n---\n{{x}}\n", "invalid-declaration"),
        ("---\nvars: a: b\n---\n{{x}}\n", "invalid-front-matter"),
        ("a\0b {{x}}\n", "nul-byte"),
    ] {
        match escape(text) {
            Err(EscapeError::Wrong(told)) => {
                assert!(told.iter().any(|one| one.code.as_str() == code), "{told}")
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
    match escape("---\nextends: base.md\n---\n{{x}}\n") {
        Err(EscapeError::Extends(place)) => assert_eq!(place.position().to_string(), "2:10"),
        other => panic!("{other:?}"),
    }
    let hidden = "---\nvars: {}\n---\na\n\n```md hidden\nb\n```\n";
    match escape(hidden) {
        Err(EscapeError::Differs(place)) => assert_eq!(place.position().to_string(), "6:1"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn any_mixture_is_escaped() {
    const PIECES: [&str; 44] = [
        "\n",
        "\n",
        "\n",
        "\n\n",
        "\n\n\n",
        " ",
        "a",
        "word ",
        "- ",
        "> ",
        "    ",
        "1. ",
        "# ",
        "---",
        "===",
        "***",
        "`",
        "```",
        "```md",
        "~~~",
        "{{x}}",
        "{{ x }}",
        "{{{x}}}",
        "{{",
        "}}",
        "\\",
        "\\{\\{ x \\}\\}",
        "\\{{x}}",
        "${{x}}",
        "<<> a.md>>",
        "<<>",
        "{{> a}}",
        ">>",
        "<!-- if: x -->",
        "<!-- else -->",
        "<!-- endif -->",
        "<!-- raw -->",
        "<!-- role: user -->",
        "<!-- note -->",
        "<!--",
        "-->",
        "<div>",
        "<pre>",
        "| a |",
    ];
    let mut state = 7_u64;
    let mut next = |most: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or_default() % most
    };
    for round in 0..1_000 {
        let mut text = if round % 2 == 0 { "---\nname: a\n---\n" } else { "" }.to_owned();
        for _ in 0..=next(14) {
            text.push_str(PIECES[next(PIECES.len())]);
        }
        // In a comment without end nothing can part escaped braces.
        let open = text.rfind("<!--").is_some_and(|at| !text[at..].contains("-->"));
        if let Err(why) = brought_in(text.as_bytes()) {
            assert!(open && text.contains("\\{\\{"), "{text:?}: {why}");
        }
    }
}
