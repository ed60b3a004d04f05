//! Linking over files in memory. A small scanner stands in for the parser, so that these tests
//! know no more of a document than linking does.

mod files;
mod scan;

use std::cell::Cell;
use std::sync::Arc;

use super::{
    Answer, FileId, LinkOptions, Linked, Loader, MemoryLoader, Question, Roots, Target, link,
};
use scan::scan;

/// A case: files, options, and what linking says.
struct Case {
    main: MemoryLoader,
    named: Vec<(&'static str, Arc<dyn Loader>)>,
    entry: &'static str,
    options: LinkOptions,
}

fn case(files: &[(&str, &str)]) -> Case {
    Case {
        main: MemoryLoader::new(files.iter().map(|&(path, text)| (path, text))),
        named: Vec::new(),
        entry: "main.md",
        options: LinkOptions { variant: None, max_depth: 64, max_file: 1 << 20 },
    }
}

impl Case {
    fn entry(mut self, entry: &'static str) -> Self {
        self.entry = entry;
        self
    }

    fn linked_to(self, path: &str, target: &str) -> Self {
        self.main.link(path, target);
        self
    }

    fn root(mut self, name: &'static str, files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|&(path, text)| (path, text));
        self.named.push((name, Arc::new(MemoryLoader::new(files))));
        self
    }

    fn variant(mut self, variant: &str) -> Self {
        self.options.variant = Some(variant.to_owned());
        self
    }

    fn max_depth(mut self, max_depth: usize) -> Self {
        self.options.max_depth = max_depth;
        self
    }

    fn max_file(mut self, max_file: u64) -> Self {
        self.options.max_file = max_file;
        self
    }

    fn link(self) -> Linked {
        let mut roots = Roots::new(Arc::new(self.main));
        for (name, loader) in self.named {
            roots.add(name, loader);
        }
        link(self.entry, &self.options, &roots, &roots, &|source, mode| {
            Arc::new(scan(source, mode))
        })
    }

    /// Holds the diagnostics, `code path:line:col` each with a part of its message or help behind
    /// ` — `, against the given ones.
    #[track_caller]
    fn says(self, expected: &[&str]) {
        let linked = self.link();
        let found: Vec<String> = linked
            .diagnostics
            .iter()
            .map(|one| {
                let help = one.help.clone().unwrap_or_default();
                let place = format!("{}:{}", one.place.file, one.place.position());
                format!("{} {place} — {} — {help}", one.code, one.message)
            })
            .collect();
        let fits = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| {
                let (place, part) = expected.split_once(" — ").unwrap_or((expected, ""));
                found
                    .strip_prefix(place)
                    .is_some_and(|rest| rest.starts_with(' ') && rest.contains(part))
            });
        assert!(fits, "expected {expected:#?}\nfound {found:#?}");
    }

    /// Holds the files in the order in which they are reached against the given ones.
    #[track_caller]
    fn reaches(self, expected: &str) {
        let linked = self.link();
        assert!(linked.diagnostics.is_empty(), "{:#?}", linked.diagnostics);
        let names: Vec<&str> = linked.files.iter().map(|file| &*file.name).collect();
        assert_eq!(names.join(" "), expected);
    }
}

/// What the first file leads to, in short: `a.md`, `[a.md b.md]`, `go=a.md`, `-`, `!`.
fn targets(linked: &Linked) -> String {
    let name = |file: FileId| linked.files[file.index()].name.to_string();
    let names =
        |files: &[FileId]| files.iter().map(|&file| name(file)).collect::<Vec<_>>().join(" ");
    let text = |target: &Target| match target {
        Target::File(file) => name(*file),
        Target::Files(files) => format!("[{}]", names(files)),
        Target::Choice(choice) => {
            let cases = choice.cases.iter().map(|case| {
                let values = case.values.iter().filter_map(super::choices::printed);
                format!("{}={}", values.collect::<Vec<_>>().join(","), names(&case.files))
            });
            cases.collect::<Vec<_>>().join(";")
        }
        Target::Nothing => "-".to_owned(),
        Target::Failed => "!".to_owned(),
    };
    linked.files[0].includes.iter().map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn paths_that_are_none_are_refused_before_any_lookup() {
    for (text, said) in [
        ("<<> sub\\a.md>>", "invalid-include-path main.md:1:5 — `sub/a.md`"),
        ("<<> sub\\a.md | optional>>", "invalid-include-path main.md:1:5 — /"),
        ("<<> \\\\srv\\s\\a.md>>", "invalid-include-path main.md:1:5 — /"),
        ("<<> C:a.md>>", "invalid-include-path main.md:1:5 — /"),
        ("<<> ~/x.md>>", "invalid-include-path main.md:1:5 — /"),
        ("<<> https://example.org/x.md>>", "invalid-include-path main.md:1:5 — /"),
        ("<<> a\u{1b}[31m.md>>", "invalid-include-path main.md:1:5 — U+001B"),
        ("<<> //srv/a.md>>", "invalid-include-path main.md:1:5 — `/srv/a.md`"),
        ("<<> rules/>>", "invalid-include-path main.md:1:5 — `rules/*.md`"),
        ("<<> @lib/x.md>>", "unknown-root main.md:1:5 — @lib"),
        ("<<> ../secret.md>>", "include-outside-root main.md:1:5"),
        ("<<> ../secret.md | optional>>", "include-outside-root main.md:1:5"),
        ("<<> a/../../secret.md>>", "include-outside-root main.md:1:5"),
        ("<<> /etc/hostname>>", "include-not-found main.md:1:5 — etc/hostname"),
        ("<<> \"a#b.md\">>", "include-not-found main.md:1:6"),
        ("<<> {{lang}}.md>>", "invalid-include-path main.md:1:5 — lang"),
        ("---\nextends: ../base.md\n---\n", "include-outside-root main.md:2:10"),
        ("---\nextends: gone.md\n---\n", "include-not-found main.md:2:10 — gone.md"),
        ("---\nextends: main.md\n---\n", "include-cycle main.md:2:10 — main.md:2 → main.md"),
    ] {
        case(&[("main.md", text)]).says(&[said]);
    }
}

#[test]
fn links_are_their_targets_and_stay_inside() {
    case(&[("main.md", "<<> l.md>>\n<<> d/s.md>>"), ("x", "")])
        .linked_to("l.md", "../secret.md")
        .linked_to("d", "../other")
        .says(&["include-outside-root main.md:1:5", "include-outside-root main.md:2:5"]);
    case(&[("main.md", "<<> l.md>>"), ("l.md.md", "")])
        .linked_to("l.md", "/etc/passwd")
        .says(&["include-outside-root main.md:1:5"]);
    case(&[("main.md", "<<> a.md | optional>>\n<<> b.md>>")])
        .linked_to("a.md", "gone.md")
        .linked_to("b.md", "b.md")
        .says(&["unreadable-file main.md:2:5 — too many links"]);
    // Relative paths start at the folder of the target, and two names are one file.
    case(&[("main.md", "<<> l.md>>\n<<> d/a.md>>"), ("d/a.md", "<<> b.md>>"), ("d/b.md", "")])
        .linked_to("l.md", "d/a.md")
        .reaches("main.md d/a.md d/b.md");
    case(&[("main.md", "<<> short/../a.md>>"), ("long/d/x.md", ""), ("a.md", "")])
        .linked_to("short", "long/d")
        .reaches("main.md a.md");
    case(&[("main.md", "<<> l.md>>")])
        .linked_to("l.md", "main.md")
        .says(&["include-cycle main.md:1:1"]);
}

#[test]
fn names_are_tried_with_extensions() {
    for (files, reached) in [
        (vec!["part.md"], "main.md part.md"),
        (vec!["part.markdown"], "main.md part.markdown"),
        (vec!["part.md", "part.markdown"], "main.md part.md"),
        (vec!["part", "part.md"], "main.md part"),
        (vec!["part/x.md", "part.md"], "main.md part.md"),
    ] {
        let mut all = vec![("main.md", "<<> part>>")];
        all.extend(files.iter().map(|&path| (path, "")));
        case(&all).reaches(reached);
    }
}

#[test]
fn near_names_are_given() {
    let files = [("rules.md", ""), ("dir/style.txt", ""), ("dir/README.md", ""), ("one/x.md", "")];
    for (path, part) in [
        ("rulez.md", "did you mean `rules.md`?"),
        ("rulez", "did you mean `rules.md`?"),
        ("Rules.md", "did you mean `rules.md`?"),
        ("./dir/../rulez.md", "did you mean `./dir/../rules.md`?"),
        ("/dir/style.md", "did you mean `/dir/style.txt`?"),
        ("dir/readme", "did you mean `dir/README.md`?"),
        ("dri/style.txt", "did you mean `dir/style.txt`?"),
        ("one", "`one/*.md`"),
        ("other", "`other.markdown`"),
        ("main.mdd", "create the file"),
    ] {
        let text = format!("<<> {path}>>");
        let mut all = vec![("main.md", text.as_str())];
        all.extend(files);
        case(&all).says(&[&format!("include-not-found main.md:1:5 — {part}")]);
    }
    let linked = case(&[("main.md", "x\n<<> rulez.md | raw>>"), ("rules.md", "")]).link();
    let edit = linked.diagnostics[0].edit.as_ref();
    assert_eq!(edit.map(|edit| (edit.place.span.range(), &*edit.text)), Some((6..14, "rules.md")));
}

#[test]
fn files_are_told_of_in_the_order_they_are_reached() {
    case(&[
        ("main.md", "<<> z.md>>\n<<> a.md>>\n<<> no.md>>"),
        ("z.md", "---\nextends: b.md\n---\n<<> no.md>>"),
        ("b.md", "<<> no.md>>\n<<> sub/c.md>>"),
        ("sub/c.md", "<<> no.md>>"),
        ("a.md", "<<> no.md>>\n<<> ../x.md>>"),
    ])
    .says(&[
        "include-not-found main.md:3:5",
        "include-not-found z.md:4:5",
        "include-not-found b.md:1:5",
        "include-not-found sub/c.md:1:5 — `sub/no.md`",
        "include-not-found a.md:1:5",
        "include-outside-root a.md:2:5",
    ]);
    let linked =
        case(&[("main.md", "\n<<> a.md>>"), ("a.md", "<<> b.md>>"), ("b.md", "<<> no>>")]).link();
    let chain = linked.diagnostics[0].chain.iter();
    let chain: Vec<String> = chain.map(|at| format!("{}:{}", at.file, at.position())).collect();
    assert_eq!(chain, ["main.md:2:1", "a.md:1:1"]);
}

#[test]
fn cycles_are_told_once_where_they_close() {
    case(&[
        ("main.md", "<<> a.md>>"),
        ("a.md", "\n<<> b.md>>"),
        ("b.md", "<<> c.md>>"),
        ("c.md", "x\n\n<<> a.md>>"),
    ])
    .says(&["include-cycle c.md:3:1 — a.md:2 → b.md:1 → c.md:3 → a.md"]);
    case(&[
        ("main.md", "---\nextends: b.md\n---\n"),
        ("b.md", "<<> p.md>>"),
        ("p.md", "<<> main>>"),
    ])
    .says(&["include-cycle p.md:1:1 — main.md:2 → b.md:1 → p.md:1 → main.md"]);
    case(&[("main.md", "<<> a.md>>\n<<> b.md>>"), ("a.md", "<<> b.md>>"), ("b.md", "<<> a.md>>")])
        .says(&["include-cycle b.md:1:1 — a.md:1 → b.md:1 → a.md"]);
    // Text that is read as it stands leads nowhere.
    case(&[("main.md", "<<> main.md | raw>>\n<<> a.md | code>>"), ("a.md", "<<> main.md>>")])
        .reaches("main.md main.md a.md");
}

#[test]
fn many_cycles_take_no_long_time() {
    let text = "<<> main.md>>\n".repeat(20_000);
    let linked = case(&[("main.md", &text)]).link();
    assert_eq!(linked.diagnostics.len(), 20_000);
    assert!(linked.diagnostics[999].message.ends_with("main.md:1000 → main.md"));
}

#[test]
fn depth_and_size_have_limits() {
    let chain = [
        ("main.md", "<<> a.md>>"),
        ("a.md", "<<> b.md>>"),
        ("b.md", "x\n\n<<> c.md>>"),
        ("c.md", "<<> no.md>>"),
    ];
    case(&chain).max_depth(2).says(&["limit-exceeded b.md:3:1 — max_depth"]);
    case(&chain[..2]).max_depth(2).says(&["include-not-found a.md:1:5"]);
    case(&[("main.md", "<<> a.md>>"), ("a.md", "<<> b.md>>\n<<> b.md>>"), ("b.md", "b")])
        .max_depth(1)
        .says(&["limit-exceeded a.md:1:1", "limit-exceeded a.md:2:1"]);
    case(&[
        ("main.md", "<<> a.md>>\n<<> b.md>>"),
        ("a.md", "<<> b.md>>"),
        ("b.md", "<<> c.md>>"),
        ("c.md", ""),
    ])
    .max_depth(2)
    .says(&["limit-exceeded b.md:1:1"]);
    case(&[("main.md", "---\nextends: b.md\n---\n"), ("b.md", "<<> c.md>>"), ("c.md", "")])
        .max_depth(1)
        .reaches("main.md b.md c.md");
    case(&[("main.md", "a\n\n<<> p.md>>"), ("p.md", "0123456789abcdef")])
        .max_file(15)
        .says(&["limit-exceeded main.md:3:1 — larger than 15 bytes"]);
    case(&[("main.md", "a\n\n<<> p.md>>"), ("p.md", "0123456789abcdef")])
        .max_file(16)
        .reaches("main.md p.md");
    case(&[("main.md", "0123456789")]).max_file(9).says(&["limit-exceeded main.md:1:1"]);
}

#[test]
fn a_deep_chain_of_files_is_not_read_to_its_end() {
    let texts: Vec<(String, String)> = (0..300)
        .map(|at| (format!("{at}.md"), format!("<<> {}.md>>\n<<> {}.md>>", at + 1, at + 1)))
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (&**path, &**text)).collect();
    let linked = case(&files).entry("0.md").link();
    let told: Vec<String> =
        linked.diagnostics.iter().map(|one| one.place.file.to_string()).collect();
    assert_eq!(told, ["64.md", "64.md"]);
    assert_eq!(linked.files.len(), 65);
    assert!(linked.observations.len() < 70, "{}", linked.observations.len());
}

#[test]
fn entries_are_looked_up_like_names() {
    case(&[("main.md", "")]).entry("main").reaches("main.md");
    case(&[("d/main.md", "<<> p.md>>"), ("d/p.md", "")])
        .entry("./d/main.md")
        .reaches("d/main.md d/p.md");
    case(&[("notes.txt", "<<> p.md>>"), ("p.md", "")]).entry("notes.txt").reaches("notes.txt p.md");
    case(&[])
        .root("lib", &[("x.md", "<<> /y.md>>"), ("y.md", "")])
        .entry("@lib/x")
        .reaches("@lib/x.md @lib/y.md");
    case(&[("mian.md", "")]).says(&["include-not-found main.md:1:1 — `mian.md`"]);
    case(&[]).entry("../main.md").says(&["include-outside-root ../main.md:1:1"]);
    case(&[]).entry("d\\main.md").says(&["invalid-include-path d\\main.md:1:1"]);
}

#[test]
fn files_that_are_not_markdown_are_read_as_they_stand() {
    let no = "<<> no.md>>";
    case(&[
        ("main.md", "<<> a.txt>>\n<<> b.mdc>>\n<<> c>>\n<<> D.MD>>\n<<> e.markdown>>\n<<> l>>"),
        ("a.txt", no),
        ("b.mdc", no),
        ("c", no),
        ("D.MD", no),
        ("e.markdown", no),
    ])
    .linked_to("l", "a.txt")
    .says(&[
        "include-not-found b.mdc:1:5",
        "include-not-found c:1:5",
        "include-not-found D.MD:1:5",
        "include-not-found e.markdown:1:5",
    ]);
}

#[test]
fn every_question_is_asked_once_and_kept_with_its_answer() {
    let linked = case(&[
        ("main.md", "<<> p>>\n<<> p>>\n<<> q.md>>\n<<> r/*.md>>\n<<> no.md | optional>>"),
        ("p.md", "<<> q.md>>"),
        ("q.md", ""),
        ("r/a.md", ""),
    ])
    .variant("zh")
    .link();
    let asked: Vec<String> = linked
        .observations
        .iter()
        .map(|one| {
            let answer = match &one.answer {
                Answer::Nothing => "-",
                Answer::File { facts, .. } => &*facts.path,
                Answer::Folder(_) => "listed",
                Answer::Failed(_) => "failed",
            };
            let slash = if one.question == Question::Folder { "/" } else { "" };
            format!("{}{slash} {answer}", one.key.path)
        })
        .collect();
    assert_eq!(
        asked,
        [
            "main.zh.md -",
            "main.md main.md",
            "p.zh -",
            "p.zh.md -",
            "p.zh.markdown -",
            "p -",
            "p.md p.md",
            "q.zh.md -",
            "q.md q.md",
            "r/ listed",
            "r/a.md r/a.md",
            "r/a.zh.md -",
            "no.zh.md -",
            "no.md -",
            "no.md.md -",
            "no.md.markdown -",
        ]
    );
}

#[test]
fn each_text_is_parsed_once_in_each_mode() {
    let loader = MemoryLoader::new([
        ("main.md", "<<> a.md>>\n<<> l.md | raw>>\n<<> l.md>>\n<<> a.md | code>>"),
        ("a.md", ""),
    ]);
    loader.link("l.md", "a.md");
    let main: Arc<dyn Loader> = Arc::new(loader);
    let roots = Roots::new(main);
    let parsed = Cell::new(0);
    let options = LinkOptions { variant: None, max_depth: 64, max_file: 1 << 20 };
    link("main.md", &options, &roots, &roots, &|source, mode| {
        parsed.set(parsed.get() + 1);
        Arc::new(scan(source, mode))
    });
    assert_eq!(parsed.get(), 4);
}

#[test]
fn the_graph_of_the_result_has_no_cycle() {
    let linked = case(&[
        ("main.md", "<<> a.md>>\n<<> b.md>>"),
        ("a.md", "<<> c.md>>"),
        ("b.md", "<<> c.md>>\n<<> main.md>>"),
        ("c.md", ""),
    ])
    .link();
    let order = linked.graph.topological();
    let place = |file: u32| order.iter().position(|&at| at == FileId(file));
    assert!(place(0) < place(1) && place(1) < place(2) && place(3) < place(2), "{order:?}");
    let names = |file| {
        let ways = linked.graph.leading_to(FileId(file)).into_iter();
        ways.map(|way| way.from.0).collect::<Vec<_>>()
    };
    assert_eq!((names(0), names(2)), (vec![], vec![1, 3]));
    assert_eq!(linked.files[3].includes, [Target::File(FileId(2)), Target::Failed]);
}
