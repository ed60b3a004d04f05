//! Which files a path takes: globs, enum inputs, variants, other roots.

use super::{case, targets};

#[test]
fn globs_take_files_in_byte_order() {
    for (path, taken) in [
        ("*.md", "[C.md a.md b.md]"),
        ("./*.md", "[C.md a.md b.md]"),
        ("/r/../?.md", "[C.md a.md b.md]"),
        ("**/*.md", "[C.md a.md b.md r/a.md r/s/a.md]"),
        ("r/**", "[r/a.md r/s/a.md r/x.txt]"),
        ("no/*.md | optional", "-"),
        ("\"*.md\" | optional", "-"),
    ] {
        let linked = case(&[
            ("main.md", &format!("<<> {path}>>")),
            ("b.md", ""),
            ("a.md", ""),
            ("C.md", ""),
            (".d.md", ""),
            ("r/s/a.md", ""),
            ("r/a.md", ""),
            ("r/x.txt", ""),
            ("r/.s/a.md", ""),
        ])
        .link();
        assert_eq!(targets(&linked), taken, "{path}");
        assert!(linked.diagnostics.is_empty(), "{path} {:?}", linked.diagnostics);
    }
    case(&[("main.md", "<<> r/*.md>>")]).says(&["include-not-found main.md:1:5 — `r/*.md`"]);
    case(&[("r/main.md", "<<> *.md>>")])
        .entry("r/main.md")
        .says(&["include-not-found r/main.md:1:5 — `r/*.md`"]);
    case(&[("main.md", "<<> r/*.md>>"), ("r/a.md", "")])
        .linked_to("r/b.md", "../../out.md")
        .says(&["include-outside-root main.md:1:5"]);
    case(&[("main.md", "<<> r/*.md>>"), ("r/a.md", "too large")])
        .max_file(12)
        .reaches("main.md r/a.md");
    case(&[("main.md", "<<> r/*.md>>"), ("r/a.md", "this one is too large")])
        .max_file(12)
        .says(&["limit-exceeded main.md:1:1 — `r/a.md`"]);
    case(&[("main.md", "<<> r/*.md>>"), ("r/a.md", ""), ("x.md", "")])
        .linked_to("r/b.md", "../x.md")
        .linked_to("r/c.md", "a.md")
        .linked_to("r/d.md", "gone.md")
        .reaches("main.md r/a.md x.md");
}

#[test]
fn globs_take_variants_in_the_place_of_plain_files() {
    let files = [
        ("main.md", "<<> r/*.md>>"),
        ("r/a.md", ""),
        ("r/a.zh.md", ""),
        ("r/b.md", ""),
        ("r/c.de.md", ""),
    ];
    case(&files).reaches("main.md r/a.md r/b.md r/c.de.md");
    case(&files).variant("zh").reaches("main.md r/a.zh.md r/b.md r/c.de.md");
    // A variant that holds a glob takes neither itself nor the file that it is a variant of.
    let files = [("r/all.md", "<<> *.md>>"), ("r/all.zh.md", "<<> *.md>>"), ("r/b.md", "")];
    case(&files).entry("r/all.md").reaches("r/all.md r/b.md");
    case(&files).entry("r/all.md").variant("zh").reaches("r/all.zh.md r/b.md");
}

#[test]
fn variants_come_before_plain_files() {
    let files = [
        ("main.md", "<<> rules.md>>\n<<> end>>"),
        ("rules.md", ""),
        ("rules.zh.md", ""),
        ("end.md", ""),
        ("end.b-2.md", ""),
    ];
    case(&files).reaches("main.md rules.md end.md");
    case(&files).variant("zh").reaches("main.md rules.zh.md end.md");
    case(&files).variant("b-2").reaches("main.md rules.md end.b-2.md");
    case(&files).variant("de").says(&["unused-variant main.md:1:1 — `de`"]);
    case(&files).variant("../x").says(&["unused-variant main.md:1:1 — no name of a variant"]);
    case(&[("main.md", ""), ("main.de.md", "")]).variant("de").reaches("main.de.md");
    // In a variant its own plain name means the plain file.
    case(&[
        ("main.md", "<<> rules.md>>"),
        ("rules.md", "<<> end>>"),
        ("rules.zh.md", "---\nextends: rules.md\n---\n<<> rules | raw>>"),
        ("end", ""),
        ("end.zh", ""),
    ])
    .variant("zh")
    .reaches("main.md rules.zh.md rules.md end.zh rules.md");
}

#[test]
fn other_roots_are_closed_worlds() {
    let lib = [("x.md", "<<> /y.md>>\n<<> d/z>>"), ("y.md", ""), ("d/z.md", "<<> ../y.md>>")];
    case(&[("main.md", "<<> @lib/x.md>>"), ("y.md", "")])
        .root("lib", &lib)
        .reaches("main.md @lib/x.md @lib/y.md @lib/d/z.md");
    case(&[("main.md", "<<> @lib/*.md>>")])
        .root("lib", &lib)
        .reaches("main.md @lib/x.md @lib/y.md @lib/d/z.md");
    case(&[("main.md", "<<> @a/x>>")])
        .root("a", &[("x.md", "<<> @b/y>>")])
        .root("b", &[("y.md", "<<> z>>"), ("z.md", "<<> @a/x>>")])
        .says(&["include-cycle @b/z.md:1:1 — @a/x.md:1 → @b/y.md:1 → @b/z.md:1 → @a/x.md"]);
    for (path, said) in [
        ("@lob/x.md", "unknown-root main.md:1:5 — `@lib`"),
        ("@other", "unknown-root main.md:1:5 — `./@other`"),
        ("@lib/../y.md", "include-outside-root main.md:1:5"),
        ("@lib", "invalid-include-path main.md:1:5 — `@lib/*.md`"),
        ("@lib/z.md", "include-not-found main.md:1:5 — `@lib/z.md`"),
        ("@lib/d/y.md", "include-not-found main.md:1:5 — `@lib/d/z.md`"),
        ("@lib/no/*.md", "include-not-found main.md:1:5 — `@lib/no/*.md`"),
    ] {
        let text = format!("<<> {path}>>");
        case(&[("main.md", &text), ("y.md", "")]).root("lib", &lib).says(&[said]);
    }
    case(&[("main.md", "<<> ./@x/a.md>>\n<<> /@x/a.md>>"), ("@x/a.md", "")])
        .reaches("main.md @x/a.md");
}

#[test]
fn every_value_of_an_enum_is_linked() {
    let front = "---\nlang: [go, rust]\nsize: [1, 2]\n---\n";
    for (path, files, taken) in [
        ("r/{{lang}}.md", "r/go.md r/rust.md", "go=r/go.md;rust=r/rust.md"),
        ("{{lang}}{{lang}}", "gogo.md rustrust.md", "go=gogo.md;rust=rustrust.md"),
        ("\"{{lang}}\"", "go rust", "go=go;rust=rust"),
        ("{{lang}}/*.md", "go/a.md go/b.md rust/c.md", "go=go/a.md go/b.md;rust=rust/c.md"),
        ("{{lang}} | optional", "go.md", "go=go.md;rust="),
        (
            "{{lang}}-{{size}}",
            "go-1.md go-2.md rust-1.md rust-2.md",
            "go,1=go-1.md;go,2=go-2.md;rust,1=rust-1.md;rust,2=rust-2.md",
        ),
    ] {
        let text = format!("{front}<<> {path}>>");
        let mut all = vec![("main.md", text.as_str())];
        all.extend(files.split(' ').map(|path| (path, "")));
        let linked = case(&all).link();
        assert!(linked.diagnostics.is_empty(), "{path} {:?}", linked.diagnostics);
        assert_eq!(targets(&linked), taken, "{path}");
    }
}

#[test]
fn missing_values_and_other_references_are_errors() {
    let front = "---\nlang: [go, rust]\nfree: string\nbad: [a\\b, ~x]\nstar: [*]\nup: [..]\nroot: [@lob]\n---\n";
    for (path, said) in [
        ("r/{{lang}}.md", "include-not-found main.md:9:5 — cannot find `r/rust.md`"),
        ("q/{{lang}}.md", "include-not-found main.md:9:5 — cannot find `q/go.md`, `q/rust.md`"),
        ("{{lang}}/{{lang}}.md", "include-not-found main.md:9:5 — `go/go.md`, `rust/rust.md`"),
        ("r/{{free}}.md", "invalid-include-path main.md:9:5 — `free`"),
        ("r/{{none}}.md", "invalid-include-path main.md:9:5 — `none`"),
        ("r/{{lang|upper}}.md", "invalid-include-path main.md:9:5 — `{{lang|upper}}`"),
        ("{{bad}}.md", "invalid-include-path main.md:9:5 — `a\\b.md` holds a backslash"),
        ("{{root}}/é.md", "unknown-root main.md:9:5 — `@lob`"),
        ("{{star}}.md", "include-not-found main.md:9:5 — `*.md`"),
        ("{{star}}/*.md", "invalid-include-path main.md:9:5 — `*`"),
        ("{{up}}/x.md", "include-outside-root main.md:9:5"),
    ] {
        let text = format!("{front}<<> {path}>>");
        case(&[("main.md", &text), ("r/go.md", ""), ("r/rust.md.txt", "")]).says(&[said]);
    }
    case(&[("main.md", "---\nlang: [a]\nextends: {{lang}}.md\n---\n"), ("a.md", "")])
        .says(&["invalid-include-path main.md:3:10"]);
}

#[test]
fn enums_are_seen_from_includers_and_bases() {
    let lang = "---\nlang: [go, rust]\n---\n";
    let includer = format!("{lang}<<> mid.md>>");
    let base = "---\nextends: base.md\n---\n<<> {{lang}}>>";
    for files in [
        // In a file that includes it, however far up.
        vec![("main.md", includer.as_str()), ("mid.md", "<<> p.md>>"), ("p.md", "<<> {{lang}}>>")],
        // In a base, and in a file that extends it.
        vec![("main.md", base), ("base.md", lang)],
        vec![
            ("main.md", "---\nextends: b.md\nlang: [go, rust]\n---\n"),
            ("b.md", "<<> {{lang}}>>"),
        ],
        // In a base of one that includes it.
        vec![
            ("main.md", "---\nextends: b.md\n---\n<<> p.md>>"),
            ("b.md", lang),
            ("p.md", "<<> {{lang}}>>"),
        ],
    ] {
        let mut all = files.clone();
        all.extend([("go.md", ""), ("rust.md", "")]);
        assert_eq!(case(&all).link().files.len(), files.len() + 2, "{files:?}");
        case(&files).says(&[&format!(
            "include-not-found {}:{}",
            last_include(&files),
            "5 — `go`, `rust`"
        )]);
    }
    // A sibling's declaration is not seen.
    case(&[("main.md", "<<> a.md>>\n<<> p.md>>"), ("a.md", lang), ("p.md", "<<> {{lang}}>>")])
        .says(&["invalid-include-path p.md:1:5"]);
    // A child's enum hides that of its base; several includers add up.
    case(&[
        ("main.md", "---\nextends: b.md\nlang: [go]\n---\n"),
        ("b.md", "---\nlang: [c]\n---\n<<> {{lang}}>>"),
        ("go.md", ""),
    ])
    .reaches("main.md b.md go.md");
    case(&[
        ("main.md", "<<> a.md>>\n<<> b.md>>"),
        ("a.md", "---\nlang: [go]\n---\n<<> p.md>>"),
        ("b.md", "---\nlang: [rust]\n---\n<<> p.md>>"),
        ("p.md", "<<> {{lang}}>>"),
        ("go.md", ""),
    ])
    .says(&["include-not-found p.md:1:5 — `rust`"]);
    // A file that only an enum leads to may hold another enum path.
    case(&[
        ("main.md", "---\nlang: [go]\n---\n<<> {{lang}}>>"),
        ("go.md", "---\nsize: [1]\n---\n<<> {{lang}}-{{size}}>>"),
        ("go-1.md", "<<> {{size}}{{lang}}>>"),
        ("1go.md", ""),
    ])
    .reaches("main.md go.md go-1.md 1go.md");
}

/// The file and line of the one include with a reference.
fn last_include(files: &[(&str, &str)]) -> String {
    let holds = |(path, text): &(&str, &str)| {
        let line = text.lines().position(|line| line.starts_with("<<> {{"))?;
        Some(format!("{path}:{}", line + 1))
    };
    files.iter().find_map(holds).unwrap_or_default()
}

#[test]
fn what_multiplies_is_bounded() {
    let values: Vec<String> = (0..200).map(|number| number.to_string()).collect();
    let front = format!("---\na: [{0}]\nb: [{0}]\nc: [{0}]\n---\n", values.join(", "));
    let text = format!("{front}<<> {{{{a}}}}{{{{b}}}}{{{{c}}}} | optional>>");
    case(&[("main.md", &text)]).says(&["limit-exceeded main.md:6:1 — combinations"]);
}
