//! Target `merge`: a child, its base and that one's base, and a file that each may include.

use std::collections::HashSet;

use mdgraft::PromptTree;

use crate::cases::Case;
use crate::generate::Shape;
use crate::render;

/// What `render` asserts; the sections of the result have unique paths where those of each file
/// do; every line of the child's text is in the output.
pub fn check(data: &[u8]) {
    let mut case = Case::of(data, Shape::Extends);
    case.options.include.clear();
    case.options.tidy = false;
    let Some((tree, rendered)) = render::case(&case) else { return };
    unique(&tree, &case);
    nothing_lost(rendered.text(), &case);
}

fn unique(tree: &PromptTree, case: &Case) {
    if case.mentions("<<>") || case.mentions("{{>") {
        return;
    }
    let alone = |path: &str| {
        let alone = Case { files: with_path_first(case, path), ..case.clone() };
        let tree = alone.engine().load_with(path, &alone.load_options());
        tree.is_ok_and(|tree| has_unique_paths(&tree))
    };
    let files = case.files.iter().skip(1);
    // The paths of the child itself are known only without its base.
    if files.clone().all(|(path, _)| alone(path)) && own_paths_are_unique(case) {
        assert!(has_unique_paths(tree), "a path came twice\n{case}");
    }
}

fn with_path_first(case: &Case, path: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = case.files.clone();
    files.sort_by_key(|(other, _)| other != path);
    files
}

fn own_paths_are_unique(case: &Case) -> bool {
    let mut alone = case.clone();
    for (_, text) in &mut alone.files {
        let mended =
            String::from_utf8_lossy(text).replace("extends:", "other_:").replace("merge:", "mark:");
        *text = mended.into_bytes();
    }
    alone.files.iter().all(|(path, _)| {
        let tree = alone.engine().load_with(path, &alone.load_options());
        tree.is_ok_and(|tree| has_unique_paths(&tree))
    })
}

fn has_unique_paths(tree: &PromptTree) -> bool {
    let mut seen = HashSet::new();
    tree.sections().all(|section| seen.insert(section.path))
}

/// Lines of text are numbered by the generator: `w1f0` is the first of the first file.
fn nothing_lost(output: &str, case: &Case) {
    let Some((_, child)) = case.files.first() else { return };
    let child = String::from_utf8_lossy(child);
    let leaves_out = ["remove", "if:", "for:", "strip", "hidden", "raw"];
    if leaves_out.iter().any(|word| child.contains(word))
        || !child.contains("extends:")
        || case.options.strip
    {
        return;
    }
    for word in child.split_whitespace().filter(|word| is_number(word)) {
        let found = output.split_whitespace().any(|other| other.contains(word));
        assert!(found, "`{word}` of the child is lost: {output:?}\n{case}");
    }
}

fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word.strip_prefix('w')
        .and_then(|rest| rest.split_once('f'))
        .is_some_and(|(line, file)| digits(line) && digits(file))
}
