//! Finds the paths of a source that begin with `crate` or `super`, and where they lead.

use std::collections::BTreeMap;

use crate::tokens::{Kind, Token, is_sign, is_step, name, tokens};

/// What in a file (`parse/expr.rs`) leads to a module above its own, or past the modules.
///
/// `layers` are the modules, lowest first; `reexports` says in which module each public name
/// stands, for macros of the public interface, which can name nothing else.
pub(crate) fn upward(
    file: &str,
    source: &str,
    layers: &[&str],
    reexports: &BTreeMap<String, String>,
) -> Vec<String> {
    let own = module_path(file);
    let Some(top) = own.first() else {
        // lib.rs is the table of contents: it names everything.
        return Vec::new();
    };
    let layer = |module: &str| layers.iter().position(|one| *one == module);
    let mut found = Vec::new();
    for path in paths(&tokens(source), &own) {
        let target = match &path.target {
            Target::Name(target) => target,
            Target::All => {
                found.push(format!("src/{file}:{}: everything of the crate is named", path.line));
                continue;
            }
        };
        let module = match layer(target) {
            Some(_) => Some(target),
            // A macro of the public interface stands at the top, wherever it is written.
            None if path.from_macro => reexports.get(target).or(reexports.get(&macro_name(target))),
            None => reexports.get(&macro_name(target)),
        };
        let Some(module) = module else {
            let place = format!("src/{file}:{}", path.line);
            found.push(format!("{place}: `{target}` is named, but not by its module"));
            continue;
        };
        if layer(module) > layer(top) {
            let place = format!("src/{file}:{}", path.line);
            found.push(format!("{place}: `{top}` names `{module}`, which stands above it"));
        }
    }
    found
}

/// The macros that a file exports, with its module, as [`reexports`] has them.
pub(crate) fn exported_macros(file: &str, source: &str) -> BTreeMap<String, String> {
    let tokens = tokens(source);
    let Some(module) = module_path(file).into_iter().next() else { return BTreeMap::new() };
    let macros = (0..tokens.len()).filter(|at| name(&tokens, *at) == Some("macro_export"));
    macros
        .filter_map(|at| (at..tokens.len()).find(|at| name(&tokens, *at) == Some("macro_rules")))
        .filter_map(|at| name(&tokens, at + 2))
        .map(|name| (macro_name(name), module.clone()))
        .collect()
}

fn macro_name(name: &str) -> String {
    format!("{name}!")
}

/// The modules that a source declares with `mod name;`.
pub(crate) fn declared(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let declared = (0..tokens.len()).filter(|at| name(&tokens, *at) == Some("mod"));
    declared
        .filter(|at| is_sign(&tokens, at + 2, ';'))
        .filter_map(|at| name(&tokens, at + 1))
        .map(str::to_owned)
        .collect()
}

/// The public names of lib.rs and the module of each: `pub use value::{Value, Vars};`.
pub(crate) fn reexports(source: &str) -> BTreeMap<String, String> {
    let tokens = tokens(source);
    let mut names = BTreeMap::new();
    for at in 0..tokens.len() {
        if name(&tokens, at) != Some("use") {
            continue;
        }
        let Some(module) = name(&tokens, at + 1) else { continue };
        let end = (at..tokens.len()).find(|end| is_sign(&tokens, *end, ';'));
        for inner in at + 2..end.unwrap_or(tokens.len()) {
            if let Some(public) = name(&tokens, inner) {
                names.insert(public.to_owned(), module.to_owned());
            }
        }
    }
    names
}

/// A path, seen from the top of the crate.
struct Path {
    target: Target,
    line: usize,
    /// It begins with `$crate`.
    from_macro: bool,
}

enum Target {
    /// The first name below the top of the crate.
    Name(String),
    /// `crate::*`, or the crate itself under another name.
    All,
}

/// The module of a file, as names below the top of the crate.
fn module_path(file: &str) -> Vec<String> {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    if stem == "lib" { Vec::new() } else { stem.split('/').map(str::to_owned).collect() }
}

/// All paths that begin with `crate` or `super`. Blocks `mod name { … }` are followed, since
/// `super` means another module in them.
fn paths(tokens: &[Token], own: &[String]) -> Vec<Path> {
    let mut found = Vec::new();
    let mut module: Vec<String> = own.to_vec();
    // How many brackets are open, and at which count each inner module began.
    let mut depth = 0_usize;
    let mut inner: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match &token.kind {
            Kind::Open(_) => {
                depth += 1;
                if token.kind == Kind::Open('{') && at >= 2 && name(tokens, at - 2) == Some("mod") {
                    module.extend(name(tokens, at - 1).map(str::to_owned));
                    inner.push(depth);
                }
            }
            Kind::Close(_) => {
                if inner.last() == Some(&depth) {
                    inner.pop();
                    module.pop();
                }
                depth = depth.saturating_sub(1);
            }
            Kind::Name(word) if word == "crate" => {
                let from_macro = at > 0 && is_sign(tokens, at - 1, '$');
                // `extern crate` is checked with the engines; `pub(crate)` leads nowhere.
                if is_step(tokens, at + 1) {
                    follow(tokens, at + 3, &mut found, from_macro);
                } else if name(tokens, at + 1) == Some("as") {
                    let line = token.line;
                    found.push(Path { target: Target::All, line, from_macro });
                }
            }
            Kind::Name(word) if word == "super" && is_first(tokens, at) => {
                supers(tokens, at, &module, &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Whether a word begins its path, apart from `self`.
fn is_first(tokens: &[Token], at: usize) -> bool {
    at < 2 || !is_step(tokens, at - 2) || (at >= 3 && name(tokens, at - 3) == Some("self"))
}

/// Follows `super::super::…` from a module.
fn supers(tokens: &[Token], start: usize, module: &[String], found: &mut Vec<Path>) {
    let mut at = start;
    let mut left = module.len();
    while name(tokens, at) == Some("super") {
        left = left.saturating_sub(1);
        if !is_step(tokens, at + 1) {
            // `pub(super)`, or a module under another name.
            break;
        }
        at += 3;
    }
    match module.get(..left).and_then(|module| module.first()) {
        Some(top) => {
            let target = Target::Name(top.clone());
            found.push(Path { target, line: tokens[start].line, from_macro: false });
        }
        None if is_step(tokens, at.saturating_sub(2)) => follow(tokens, at, found, false),
        None => {}
    }
}

/// Notes what a path leads to behind `crate::`: a name, or each name in `{…}`.
fn follow(tokens: &[Token], at: usize, found: &mut Vec<Path>, from_macro: bool) {
    let Some(token) = tokens.get(at) else { return };
    let line = token.line;
    match &token.kind {
        Kind::Name(name) => {
            found.push(Path { target: Target::Name(name.clone()), line, from_macro });
        }
        Kind::Sign('*') => found.push(Path { target: Target::All, line, from_macro }),
        Kind::Open('{') => {
            let mut depth = 0_usize;
            for at in at..tokens.len() {
                match &tokens[at].kind {
                    Kind::Open(_) => depth += 1,
                    Kind::Close(_) => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    return;
                }
                let begins = matches!(tokens[at].kind, Kind::Open('{') | Kind::Sign(','));
                let next = tokens.get(at + 1).map(|token| &token.kind);
                if depth == 1 && begins && matches!(next, Some(Kind::Name(_) | Kind::Sign('*'))) {
                    follow(tokens, at + 1, found, from_macro);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(file: &str, source: &str) -> Vec<String> {
        let mut names: BTreeMap<_, _> = [("Vars".to_owned(), "value".to_owned())].into();
        names.extend(exported_macros(
            "value/vars.rs",
            "#[macro_export]\nmacro_rules! vars { () => {} }\nmacro_rules! inner { () => {} }",
        ));
        upward(file, source, &["text", "diag", "value", "parse", "engine"], &names)
    }

    #[test]
    fn planted_paths_upward_are_found() {
        let upward = [
            ("parse/expr.rs", "use crate::engine::Engine;"),
            ("parse/expr.rs", "use crate::{text::Span, engine::{Engine, Limits}};"),
            ("parse/expr.rs", "use crate::{text::Span, diag, engine};"),
            ("parse/expr.rs", "pub(crate) use {crate::engine as e};"),
            ("parse/expr.rs", "use super::super::engine::Engine;"),
            ("parse.rs", "use super::engine::Engine;"),
            ("parse.rs", "fn f() { let x = crate::engine::f(1); }"),
            ("parse.rs", "fn f(x: &crate::engine::X<crate::text::Span>) {}"),
            ("parse.rs", "macro_rules! m { () => { crate::engine::f() } }"),
            ("parse.rs", "fn f() { assert!(matches!(x, crate :: engine :: X)); }"),
            ("parse.rs", "mod tests { use super::super::engine::X; }"),
            (
                "parse.rs",
                "#[cfg(test)] mod tests { fn f() {} mod a { use super::super::super::engine; } }",
            ),
            ("parse.rs", "mod a {} use super::engine;"),
            ("parse.rs", "use self::super::engine;"),
            ("parse.rs", "pub(in crate::engine) fn f() {}"),
            ("parse.rs", "use crate::r#engine;"),
            ("text/hash.rs", "use crate::diag::Code;"),
            ("text.rs", "macro_rules! m { () => { $crate::Vars } }"),
            ("text.rs", "fn f() { crate::vars! {} }"),
        ];
        for (file, source) in upward {
            let found = planted(file, source);
            assert_eq!(found.len(), 1, "{file}: {source}: {found:?}");
            assert!(found[0].contains("stands above it"), "{found:?}");
        }
    }

    #[test]
    fn planted_paths_past_the_modules_are_found() {
        for source in [
            "use crate::Engine;",
            "use crate::*;",
            "use crate as all;",
            "use crate::{self as all};",
            "use crate::{text::Span, *};",
            "use super::Vars;",
            "fn f() -> crate::Vars {}",
            "fn f() { crate::inner! {} }",
        ] {
            let found = planted("parse.rs", source);
            assert_eq!(found.len(), 1, "{source}: {found:?}");
            assert!(!found[0].contains("stands above it"), "{found:?}");
        }
    }

    #[test]
    fn paths_downward_are_not() {
        for source in [
            "use crate::parse::names; use crate::{text::{Span, Hash}, diag};",
            "use super::expr; use super::super::text; mod tests { use super::*; }",
            "pub(crate) fn f() {} pub(super) fn g() {} pub(in crate::parse) fn h() {}",
            "macro_rules! m { () => { $crate::Vars::new() } }",
            "use crate::vars; fn f() { crate::vars! {} }",
            "// crate::engine\n/// [`crate::engine::Engine`]\nconst X: &str = \"crate::engine\";",
            "mod a { mod b { use super::super::super::names; } } use super::names;",
        ] {
            assert_eq!(planted("parse/expr.rs", source), Vec::<String>::new(), "{source}");
        }
        assert_eq!(planted("lib.rs", "pub use engine::Engine;"), Vec::<String>::new());
    }

    #[test]
    fn the_lines_are_those_of_the_source() {
        let found = planted("parse.rs", "\n\nuse crate::{\n    text,\n    engine,\n};\n");
        assert_eq!(found, ["src/parse.rs:5: `parse` names `engine`, which stands above it"]);
    }

    #[test]
    fn public_names_are_known_by_their_module() {
        let names = reexports("mod a; pub use a::{B, c::D}; pub use e::F;");
        let modules: Vec<_> = ["B", "D", "F"].iter().map(|name| names[*name].as_str()).collect();
        assert_eq!(modules, ["a", "a", "e"]);
        assert_eq!(declared("mod a; pub mod b; mod c { }"), ["a", "b"]);
    }
}
