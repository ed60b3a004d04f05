//! Rust sources as a flat list of tokens: enough to find every path, in macros too.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A token, with the brackets of groups as tokens of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) line: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Name(String),
    Sign(char),
    Open(char),
    Close(char),
    Literal,
}

/// The tokens of a source. Comments and the insides of texts are none.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let stream: TokenStream =
        source.parse().unwrap_or_else(|error| panic!("the source has no tokens: {error}"));
    let mut found = Vec::new();
    let mut open = vec![(stream.into_iter(), None)];
    while let Some((rest, close)) = open.last_mut() {
        let Some(tree) = rest.next() else {
            found.extend(close.take());
            open.pop();
            continue;
        };
        let line = tree.span().start().line;
        match tree {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
                found.push(Token { kind: Kind::Name(name), line });
            }
            TokenTree::Punct(sign) => found.push(Token { kind: Kind::Sign(sign.as_char()), line }),
            TokenTree::Literal(_) => found.push(Token { kind: Kind::Literal, line }),
            TokenTree::Group(group) => {
                let (first, last) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::None => (' ', ' '),
                };
                found.push(Token { kind: Kind::Open(first), line });
                let line = group.span_close().end().line;
                let close = Token { kind: Kind::Close(last), line };
                open.push((group.stream().into_iter(), Some(close)));
            }
        }
    }
    found
}

/// The name at an index, if there is one.
pub(crate) fn name(tokens: &[Token], at: usize) -> Option<&str> {
    match &tokens.get(at)?.kind {
        Kind::Name(name) => Some(name),
        _ => None,
    }
}

/// Whether a sign stands at an index.
pub(crate) fn is_sign(tokens: &[Token], at: usize, sign: char) -> bool {
    tokens.get(at).is_some_and(|token| token.kind == Kind::Sign(sign))
}

/// Whether `::` stands at an index.
pub(crate) fn is_step(tokens: &[Token], at: usize) -> bool {
    is_sign(tokens, at, ':') && is_sign(tokens, at + 1, ':')
}
