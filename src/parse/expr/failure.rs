//! Why a text is no expression, and what to say about it.

use super::parser::{MAX_DEPTH, MAX_LENGTH};
use crate::diag::{Finding, codes};
use crate::text::Span;

/// What was wrong, at an offset of the text that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    pub(super) at: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Something else was expected.
    Expected(&'static str),
    /// A text literal has no closing quote on its line.
    Unclosed,
    /// `\` in a text literal before what cannot be escaped.
    Escape,
    /// A number that does not fit.
    Number,
    /// A comparison of a comparison.
    Chain,
    TooDeep,
}

pub(super) fn too_long(whole: Span) -> Finding {
    let message = format!("an expression is longer than {MAX_LENGTH} bytes");
    Finding::new(codes::LIMIT_EXCEEDED, whole, message)
        .help("compute the value in the program and give it as a variable")
}

impl Failure {
    /// The finding of an expression that stands at `whole`; `base` is the offset of the text in
    /// its document.
    pub(super) fn finding(&self, text: &str, base: usize, whole: Span) -> Finding {
        let invalid = |message: String| Finding::new(codes::INVALID_EXPRESSION, whole, message);
        let found = found(text, self.at);
        match self.kind {
            Kind::Expected(what) => {
                let finding = invalid(format!("expected {what}, found {found}"));
                match hint(&text[self.at..]) {
                    Some((help, None)) => finding.help(help),
                    Some((help, Some((length, better)))) => {
                        let start = base + self.at;
                        finding.help(help).edit(Span::at(start, start + length), better)
                    }
                    None => finding,
                }
            }
            Kind::Unclosed => invalid(format!("the text that begins with {found} is not closed"))
                .help("close it with the same quote, on the same line"),
            Kind::Escape => invalid(format!("there is no escape like the one in {found}"))
                .help("write `\\n`, `\\t`, `\\\\`, `\\\"` or `\\'`"),
            Kind::Number => invalid(format!("the number {found} does not fit"))
                .help("integers have 64 bits, floats are written like `0.5`"),
            Kind::Chain => invalid(format!("a comparison cannot be compared: {found}"))
                .help("join two comparisons with `and`"),
            Kind::TooDeep => {
                let message = format!("an expression is nested deeper than {MAX_DEPTH}");
                Finding::new(codes::LIMIT_EXCEEDED, whole, message)
                    .help("compute the value in the program and give it as a variable")
            }
        }
    }
}

/// The text from an offset on, short enough for a message.
pub(super) fn found(text: &str, at: usize) -> String {
    const MOST: usize = 24;
    let line = text[at..].split('\n').next().unwrap_or_default().trim_end();
    if line.is_empty() {
        return "the end".to_owned();
    }
    match line.char_indices().nth(MOST) {
        Some((cut, _)) => format!("`{}…`", &line[..cut]),
        None => format!("`{line}`"),
    }
}

/// What the author may have had in mind, coming from another language: what to do, and what to
/// write in the place of how many bytes.
fn hint(rest: &str) -> Option<(&'static str, Option<(usize, &'static str)>)> {
    let word = rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
    let instead = |help, better| Some((help, Some((word.len(), better))));
    match word {
        "AND" => return instead("write `and` in small letters", "and"),
        "OR" => return instead("write `or` in small letters", "or"),
        "NOT" => return instead("write `not` in small letters", "not"),
        "IN" => return instead("write `in` in small letters", "in"),
        "True" | "TRUE" => return instead("write `true`", "true"),
        "False" | "FALSE" => return instead("write `false`", "false"),
        "None" | "NULL" | "Null" => return instead("write `null`", "null"),
        "is" => return Some(("write `==`, or `defined(x)`", None)),
        _ => {}
    }
    let help = match rest.chars().next()? {
        '=' => return Some(("equality is written `==`", Some((equal_signs(rest), "==")))),
        '&' => return Some(("write `and`", Some((1, "and")))),
        '+' | '-' | '*' | '/' | '%' => "there is no arithmetic; compute it in the program",
        '?' => "write `x|default(…)`, or branches with `if` and `else`",
        '“' | '”' | '„' | '‘' | '’' => "write straight quotes: `\"` or `'`",
        letter if letter.is_ascii_uppercase() => "a name begins with a small letter",
        _ => return None,
    };
    Some((help, None))
}

fn equal_signs(rest: &str) -> usize {
    rest.bytes().take_while(|&byte| byte == b'=').count()
}
