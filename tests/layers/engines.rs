//! Finds where third-party crates are named.

use crate::tokens::{Token, is_step, name, tokens};

/// What names an engine outside of its file.
pub(crate) fn strays(sources: &[(String, String)], engines: &[(&str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    for (file, source) in sources {
        let tokens = tokens(source);
        for (engine, home) in engines.iter().filter(|(_, home)| home != file) {
            if let Some(line) = named(&tokens, engine) {
                found.push(format!("{file}:{line}: `{engine}` is named, which stands in {home}"));
            }
        }
    }
    found
}

/// The engines that more than one file of a crate names.
pub(crate) fn spread(sources: &[(String, String)], engines: &[(&str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    for (engine, _) in engines {
        let files: Vec<&str> = sources
            .iter()
            .filter(|(_, source)| named(&tokens(source), engine).is_some())
            .map(|(file, _)| file.as_str())
            .collect();
        if files.len() > 1 {
            found.push(format!("`{engine}` is named in {}", files.join(" and ")));
        }
    }
    found
}

/// The line on which a path begins with a crate, or on which it is imported whole.
fn named(tokens: &[Token], krate: &str) -> Option<usize> {
    let at = (0..tokens.len()).find(|at| {
        let path = is_step(tokens, at + 1) && !(*at >= 3 && inner_step(tokens, *at));
        let whole = *at > 0 && matches!(name(tokens, at - 1), Some("use" | "crate"));
        name(tokens, *at) == Some(krate) && (path || whole)
    })?;
    Some(tokens[at].line)
}

/// Whether `NAME::` stands before an index, so that the path began there.
fn inner_step(tokens: &[Token], at: usize) -> bool {
    is_step(tokens, at - 2) && name(tokens, at - 3).is_some_and(|before| before != "use")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_names_are_found() {
        let home = [("comrak", "parse/markdown.rs")];
        let planted =
            |file: &str, source: &str| strays(&[(file.to_owned(), source.to_owned())], &home).len();
        for source in [
            "use comrak::Arena;",
            "use comrak;",
            "use ::comrak::Arena;",
            "extern crate comrak;",
            "fn f() { let arena = comrak::Arena::new(); }",
            "macro_rules! m { () => { comrak::Arena::new() } }",
            "use {std::fmt, comrak::Arena};",
        ] {
            assert_eq!(planted("parse.rs", source), 1, "{source}");
            assert_eq!(planted("parse/markdown.rs", source), 0, "{source}");
        }
        for source in ["// comrak", "use crate::comrak::x;", "let comrak = 1;", "\"comrak::x\";"] {
            assert_eq!(planted("parse.rs", source), 0, "{source}");
        }
    }

    #[test]
    fn two_files_of_one_engine_are_found() {
        let file = |name: &str| (name.to_owned(), "use lru::LruCache;".to_owned());
        let engines = [("lru", "cache.rs")];
        assert!(spread(&[file("a.rs")], &engines).is_empty());
        assert_eq!(
            spread(&[file("a.rs"), file("b.rs")], &engines),
            ["`lru` is named in a.rs and b.rs"]
        );
    }
}
