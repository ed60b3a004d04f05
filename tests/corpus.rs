//! Real prompts: a file without syntax of the language comes out as it is, and in every other one
//! each error lies on such syntax. The outline is that of a second reading.
#![expect(clippy::print_stdout, reason = "the numbers are the point")]
#![expect(clippy::disallowed_methods, reason = "the test reads the corpus")]

mod oracle;

use std::fs;
use std::path::{Path, PathBuf};

use mdgraft::{Diagnostic, Diagnostics, DirLoader, Engine, PromptTree, Severity, Vars, render};

const CORPUS: &str = "../shared/corpus";

/// The words that begin a directive.
const WORDS: [&str; 12] = [
    "if", "elif", "else", "endif", "for", "endfor", "raw", "endraw", "role", "merge", "elseif",
    "elsif",
];

#[test]
fn real_prompts_come_out_as_they_are_or_name_the_syntax_in_the_way() {
    let mut seen = Seen::default();
    for path in prompts() {
        let text = oracle::normalised(&read(&path));
        match load(&path) {
            Ok(tree) => seen.loaded(&path, &text, &tree),
            Err(diagnostics) => seen.refused(&path, &text, &diagnostics),
        }
    }
    println!("{} prompts without syntax of ours come out as they are", seen.plain);
    println!("{} have some; {} of them are refused, each time for it", seen.other, seen.refused);
    println!(
        "{} headings of {} prompts are those of a second reading",
        seen.headings, seen.outlines
    );
    assert!(seen.wrong.is_empty(), "\n{}", seen.wrong.join("\n"));
}

#[derive(Default)]
struct Seen {
    plain: usize,
    other: usize,
    refused: usize,
    outlines: usize,
    headings: usize,
    wrong: Vec<String>,
}

impl Seen {
    fn loaded(&mut self, path: &Path, text: &str, tree: &PromptTree) {
        self.outline(path, text, tree);
        let rendered = match render(tree, &Vars::new(), ()) {
            Ok(rendered) => rendered,
            Err(diagnostics) => return self.refused(path, text, &diagnostics),
        };
        if openers(text).is_empty() {
            self.plain += 1;
            let body = &text[oracle::front_matter(text).len()..];
            if rendered.text() != oracle::ends_rule(body) {
                self.wrong.push(format!("{}: not as it was", path.display()));
            }
        } else {
            self.other += 1;
        }
    }

    fn refused(&mut self, path: &Path, text: &str, diagnostics: &Diagnostics) {
        if openers(text).is_empty() {
            self.wrong.push(format!("{}: refused\n{diagnostics}", path.display()));
        }
        self.other += 1;
        self.refused += 1;
        self.wrong.extend(strays(diagnostics));
    }

    fn outline(&mut self, path: &Path, text: &str, tree: &PromptTree) {
        let front = oracle::front_matter(text);
        let above = "\n".repeat(front.matches('\n').count());
        let expected = oracle::outline(&format!("{above}{}", &text[front.len()..]));
        let found: Vec<_> = tree.sections().map(|section| (section.level, section.title)).collect();
        self.outlines += 1;
        self.headings += found.len();
        if found != expected {
            let differs = found.iter().zip(&expected).find(|(found, expected)| found != expected);
            self.wrong.push(format!("{}: {differs:?}", path.display()));
        }
    }
}

fn prompts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(CORPUS)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md" || end == "mdc") {
                found.push(path);
            }
        }
    }
    if found.is_empty() {
        println!("skipped: there is no {CORPUS}");
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8(bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn load(path: &Path) -> Result<PromptTree, Diagnostics> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let loader = DirLoader::open(folder).unwrap_or_else(|error| panic!("{error}"));
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    Engine::new(loader).load(&name)
}

/// Where syntax of the language may begin: references, includes and comments with its words.
fn openers(text: &str) -> Vec<usize> {
    let at = |sign: &str| text.match_indices(sign).map(|(at, _)| at).collect::<Vec<_>>();
    let mut found = at("{{");
    found.extend(at("<<>"));
    found.extend(at("<!--").into_iter().filter(|&at| {
        let first = text[at + 4..].trim_start();
        let word = first.split(|sign: char| !sign.is_ascii_alphabetic()).next().unwrap_or_default();
        WORDS.contains(&word.to_ascii_lowercase().as_str())
    }));
    found.sort_unstable();
    found
}

/// The errors that lie on no syntax.
fn strays(diagnostics: &Diagnostics) -> Vec<String> {
    let is_stray = |diagnostic: &&Diagnostic| {
        let (text, at) = (diagnostic.place.source.text(), diagnostic.place.span.start as usize);
        let openers = openers(text);
        let before = openers.partition_point(|&opener| opener <= at);
        let opener = before.checked_sub(1).map(|last| openers[last]);
        diagnostic.severity == Severity::Error
            && opener.is_none_or(|opener| ends(text, opener) <= at)
    };
    diagnostics.iter().filter(is_stray).map(|one| format!("{one:?}")).collect()
}

/// Where what begins at an opener ends at the latest.
fn ends(text: &str, opener: usize) -> usize {
    let closer = if text[opener..].starts_with("<!--") { "-->" } else { "\n" };
    text[opener..].find(closer).map_or(text.len(), |at| opener + at + closer.len())
}
