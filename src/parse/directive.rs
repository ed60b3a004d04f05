//! Directives: which comments are meant for the engine, and which nearly are (language §6).

use super::expr::{self, Expr, ExprKind, ForHeader};
use super::names::{self, Names};
use crate::diag::{Finding, codes, near};
use crate::text::Span;

/// A directive of the language. Where its argument does not parse there is no expression, and a
/// finding says why.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Directive {
    If(Option<Expr>),
    Elif(Option<Expr>),
    Else,
    Endif,
    For(Option<ForHeader>),
    Endfor,
    Raw,
    Endraw,
    Role(RoleName),
    Merge(Merge),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RoleName {
    System,
    User,
    Assistant,
}

/// How a section of a child meets that of its base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Merge {
    Replace,
    Append,
    Prepend,
    Remove,
}

/// What a comment is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Comment {
    Ordinary,
    Directive(Directive),
    /// Nearly a directive: how it should be written, and whether it is a branch of other
    /// languages, which is an error inside an open `if`.
    NearMiss {
        meant: String,
        branch: bool,
    },
}

/// The keywords, and whether each takes an argument.
const KEYWORDS: [(&str, bool); 10] = [
    ("if", true),
    ("elif", true),
    ("else", false),
    ("endif", false),
    ("for", true),
    ("endfor", false),
    ("raw", false),
    ("endraw", false),
    ("role", true),
    ("merge", true),
];

/// Other ways to say a keyword, in lower case; the longest first where one begins another.
const ALIASES: [(&str, &str); 13] = [
    ("end if", "endif"),
    ("end for", "endfor"),
    ("end raw", "endraw"),
    ("else if", "elif"),
    ("elseif", "elif"),
    ("elsif", "elif"),
    ("/if", "endif"),
    ("/for", "endfor"),
    ("/raw", "endraw"),
    ("end-if", "endif"),
    ("end-for", "endfor"),
    ("foreach", "for"),
    ("end", "endif"),
];

/// Reads the text between `<!--` and `-->`; `base` is its offset in the source.
pub(crate) fn classify(
    content: &str,
    base: u32,
    names: &mut Names,
    findings: &mut Vec<Finding>,
) -> Comment {
    let trimmed = content.trim_matches(BLANKS);
    match exact(content, trimmed, base, names, findings) {
        Some(directive) => Comment::Directive(directive),
        None => near_miss(trimmed),
    }
}

const BLANKS: [char; 3] = [' ', '\t', '\n'];

fn exact(
    content: &str,
    trimmed: &str,
    base: u32,
    names: &mut Names,
    findings: &mut Vec<Finding>,
) -> Option<Directive> {
    match trimmed {
        "else" => return Some(Directive::Else),
        "endif" => return Some(Directive::Endif),
        "endfor" => return Some(Directive::Endfor),
        "raw" => return Some(Directive::Raw),
        "endraw" => return Some(Directive::Endraw),
        _ => {}
    }
    let (word, argument) = trimmed.split_once(':')?;
    let argument = argument.trim_matches(BLANKS);
    let offset = content.len() - content.trim_start_matches(BLANKS).len();
    let at = base + Span::at(0, offset + trimmed.len() - argument.len()).end;
    let mut expression = |names: &mut Names| {
        expr::parse_expression(argument, at, names).map_err(|finding| findings.push(finding)).ok()
    };
    match word.trim_matches(BLANKS) {
        "if" => Some(Directive::If(expression(names))),
        "elif" => Some(Directive::Elif(expression(names))),
        "for" => for_header(argument, at, names, findings),
        "role" => role(argument).map(Directive::Role),
        "merge" => merge(argument).map(Directive::Merge),
        _ => None,
    }
}

/// A loop, where the argument has the form of one; prose behind `for:` is an ordinary comment.
fn for_header(
    argument: &str,
    base: u32,
    names: &mut Names,
    findings: &mut Vec<Finding>,
) -> Option<Directive> {
    let header = ForText::read(argument)?;
    for name in header.names() {
        if !names::is_name(name) {
            let at = base as usize + argument.find(name).unwrap_or_default();
            let message = format!("`{name}` cannot be the name of a loop variable");
            let help = "a name is small letters, digits and `_`, and no word of the language";
            let span = Span::at(at, at + name.len());
            findings.push(Finding::new(codes::INVALID_EXPRESSION, span, message).help(help));
            return Some(Directive::For(None));
        }
    }
    let parsed = expr::parse_for(argument, base, names).unwrap_or_else(|finding| {
        let span = Span::new(finding.span.start, finding.span.start);
        findings.push(*finding);
        // Its names are known all the same, so that nothing more is said of them.
        let names = header.names().map(|name| (names.intern(name), span)).collect();
        let nothing = ExprKind::List(Vec::new());
        ForHeader { names, expr: Expr { kind: nothing, span } }
    });
    Some(Directive::For(Some(parsed)))
}

struct ForText<'t> {
    first: &'t str,
    second: Option<&'t str>,
    over: &'t str,
}

impl<'t> ForText<'t> {
    fn read(argument: &'t str) -> Option<Self> {
        let (first, rest) = word(argument)?;
        let (second, rest) = match rest.strip_prefix(',') {
            Some(rest) => {
                word(rest.trim_start_matches(BLANKS)).map(|(name, rest)| (Some(name), rest))?
            }
            None => (None, rest),
        };
        let over = rest
            .strip_prefix("in")
            .filter(|rest| rest.starts_with(BLANKS) || rest.starts_with(['[', '(', '"', '\'']))?;
        Some(Self { first, second, over: over.trim_start_matches(BLANKS) })
    }

    fn names(&self) -> impl Iterator<Item = &'t str> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// The word at the start, and what stands behind the blanks after it.
fn word(text: &str) -> Option<(&str, &str)> {
    let length =
        text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(text.len());
    let (word, rest) = text.split_at(length);
    (!word.is_empty()).then(|| (word, rest.trim_start_matches(BLANKS)))
}

fn role(argument: &str) -> Option<RoleName> {
    match argument {
        "system" => Some(RoleName::System),
        "user" => Some(RoleName::User),
        "assistant" => Some(RoleName::Assistant),
        _ => None,
    }
}

fn merge(argument: &str) -> Option<Merge> {
    match argument {
        "replace" => Some(Merge::Replace),
        "append" => Some(Merge::Append),
        "prepend" => Some(Merge::Prepend),
        "remove" => Some(Merge::Remove),
        _ => None,
    }
}

fn near_miss(trimmed: &str) -> Comment {
    let Some((keyword, branch, rest)) = near_keyword(trimmed) else { return Comment::Ordinary };
    let argument = rest.trim_start_matches(BLANKS);
    let argument = argument.strip_prefix(':').unwrap_or(argument).trim_matches(BLANKS);
    let takes_argument = KEYWORDS.iter().any(|&(name, takes)| name == keyword && takes);
    if argument.is_empty() {
        let meant = if takes_argument {
            format!("<!-- {keyword}: … -->")
        } else {
            format!("<!-- {keyword} -->")
        };
        return Comment::NearMiss { meant, branch: false };
    }
    if takes_argument && is_argument(keyword, argument) {
        return Comment::NearMiss { meant: format!("<!-- {keyword}: {argument} -->"), branch };
    }
    Comment::Ordinary
}

/// The keyword that the first word (or the first two) nearly is, whether it is a branch as other
/// languages write it, and what stands behind it.
fn near_keyword(trimmed: &str) -> Option<(&'static str, bool, &str)> {
    let lower = trimmed.to_ascii_lowercase();
    for (alias, keyword) in ALIASES {
        let ends =
            |rest: &str| rest.is_empty() || rest.starts_with(BLANKS) || rest.starts_with(':');
        if lower.strip_prefix(alias).is_some_and(ends) {
            let branch = keyword == "elif";
            return Some((keyword, branch, &trimmed[alias.len()..]));
        }
    }
    let length = trimmed.find(|c: char| BLANKS.contains(&c) || c == ':').unwrap_or(trimmed.len());
    if length > "endraw".len() + 1 {
        return None;
    }
    let (word, rest) = trimmed.split_at(length);
    let word = word.to_ascii_lowercase();
    let distance = |keyword: &str| near::distance(&word, keyword);
    let (keyword, _) = KEYWORDS.iter().min_by_key(|(keyword, _)| distance(keyword))?;
    (distance(keyword) <= 1).then_some((keyword, false, rest))
}

fn is_argument(keyword: &str, argument: &str) -> bool {
    let mut names = Names::default();
    match keyword {
        "role" => role(argument).is_some(),
        "merge" => merge(argument).is_some(),
        "for" => ForText::read(argument).is_some_and(|header| {
            header.names().all(names::is_name)
                && expr::parse_expression(header.over, 0, &mut names).is_ok()
        }),
        _ => expr::parse_expression(argument, 0, &mut names).is_ok(),
    }
}
