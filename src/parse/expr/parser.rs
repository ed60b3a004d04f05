//! The grammar of expressions (language §7), by recursive descent.
//!
//! ```text
//! or   = and { ("or" | "||") and }         and  = not { ("and" | "&&") not }
//! not  = ("not" | "!") not | cmp           cmp  = pipe [ operator pipe ]
//! pipe = atom { "|" call }                 atom = literal | path | call | list | "(" or ")"
//! ```

use std::sync::Arc;

use super::failure::{Failure, Kind};
use super::{Call, CompareOp, Expr, ExprKind, Path, PathPart};
use crate::parse::names::Names;
use crate::text::Span;
use crate::value::{Value, is_reserved};

/// The bytes that an expression may have.
pub(super) const MAX_LENGTH: usize = 4_096;

/// How deep brackets, lists, calls and `not` may stand in each other; bounds the recursion.
pub(super) const MAX_DEPTH: usize = 64;

/// What a line end is between the parts of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    Blank,
    End,
}

pub(super) struct Parser<'t, 'n> {
    text: &'t str,
    base: usize,
    lines: Lines,
    names: &'n mut Names,
    /// The offset of what is read next.
    pub(super) at: usize,
    /// The end of what was read last, without the blanks behind it.
    end: usize,
    depth: usize,
}

impl<'t, 'n> Parser<'t, 'n> {
    pub(super) fn new(text: &'t str, base: u32, lines: Lines, names: &'n mut Names) -> Self {
        Self { text, base: base as usize, lines, names, at: 0, end: 0, depth: 0 }
    }

    /// Reads the longest expression that begins here.
    pub(super) fn expression(&mut self) -> Result<Expr, Failure> {
        self.operands(Self::all, "or", "||", ExprKind::Any)
    }

    fn all(&mut self) -> Result<Expr, Failure> {
        self.operands(Self::negated, "and", "&&", ExprKind::All)
    }

    fn operands(
        &mut self,
        operand: fn(&mut Self) -> Result<Expr, Failure>,
        word: &str,
        sign: &str,
        kind: fn(Vec<Expr>) -> ExprKind,
    ) -> Result<Expr, Failure> {
        self.blanks();
        let start = self.at;
        let first = operand(self)?;
        if !self.eat_operator(word, sign) {
            return Ok(first);
        }
        let mut operands = vec![first, operand(self)?];
        while self.eat_operator(word, sign) {
            operands.push(operand(self)?);
        }
        Ok(self.made(kind(operands), start))
    }

    fn eat_operator(&mut self, word: &str, sign: &str) -> bool {
        self.blanks();
        self.eat(sign) || self.eat_word(word)
    }

    fn negated(&mut self) -> Result<Expr, Failure> {
        self.blanks();
        let start = self.at;
        let is_negated = if self.rest().starts_with("!=") {
            false
        } else {
            self.eat("!") || self.eat_word("not")
        };
        if !is_negated {
            return self.comparison();
        }
        let inner = self.nested(start, Self::negated)?;
        Ok(self.made(ExprKind::Not(Box::new(inner)), start))
    }

    fn comparison(&mut self) -> Result<Expr, Failure> {
        self.blanks();
        let start = self.at;
        let left = self.piped()?;
        let Some(op) = self.compare_op() else { return Ok(left) };
        let right = self.piped()?;
        let end = self.end;
        self.blanks();
        let at = self.at;
        if self.compare_op().is_some() {
            return Err(Failure { at, kind: Kind::Chain });
        }
        self.end = end;
        let (left, right) = (Box::new(left), Box::new(right));
        Ok(self.made(ExprKind::Compare { op, left, right }, start))
    }

    fn compare_op(&mut self) -> Option<CompareOp> {
        self.blanks();
        let signs = [
            ("==", CompareOp::Equal),
            ("!=", CompareOp::NotEqual),
            ("<=", CompareOp::LessOrEqual),
            (">=", CompareOp::GreaterOrEqual),
            ("<", CompareOp::Less),
        ];
        for (sign, op) in signs {
            if self.eat(sign) {
                return Some(op);
            }
        }
        // `>>` ends an include.
        if !self.rest().starts_with(">>") && self.eat(">") {
            return Some(CompareOp::Greater);
        }
        if self.eat_word("in") {
            return Some(CompareOp::In);
        }
        let before = (self.at, self.end);
        if self.eat_word("not") {
            self.blanks();
            if self.eat_word("in") {
                return Some(CompareOp::NotIn);
            }
            (self.at, self.end) = before;
        }
        None
    }

    fn piped(&mut self) -> Result<Expr, Failure> {
        self.blanks();
        let start = self.at;
        let head = self.atom()?;
        let mut calls = Vec::new();
        loop {
            self.blanks();
            if self.rest().starts_with("||") || !self.eat("|") {
                break;
            }
            self.blanks();
            calls.push(self.call()?);
        }
        if calls.is_empty() {
            return Ok(head);
        }
        Ok(self.made(ExprKind::Pipe { head: Box::new(head), calls }, start))
    }

    fn atom(&mut self) -> Result<Expr, Failure> {
        let start = self.at;
        let kind = match self.rest().bytes().next() {
            Some(b'(') => {
                self.eat("(");
                return self.nested(start, |parser| {
                    let inner = parser.expression()?;
                    parser.close(")", "an operator or `)`")?;
                    Ok(inner)
                });
            }
            Some(b'[') => {
                self.eat("[");
                ExprKind::List(self.nested(start, |parser| parser.items("]", "`,` or `]`"))?)
            }
            Some(b'"' | b'\'') => ExprKind::Literal(self.text_literal()?),
            Some(b'0'..=b'9' | b'-') => ExprKind::Literal(self.number()?),
            Some(b'a'..=b'z') => self.word()?,
            _ => return Err(self.expected("a value")),
        };
        Ok(self.made(kind, start))
    }

    fn word(&mut self) -> Result<ExprKind, Failure> {
        let word = self.peek_name().unwrap_or_default();
        let literal = match word {
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            "null" => Value::Null,
            _ if is_reserved(word) && word != "loop" => return Err(self.expected("a value")),
            _ if self.rest()[word.len()..].starts_with('(') => {
                return Ok(ExprKind::Call(self.call()?));
            }
            _ => return Ok(ExprKind::Path(self.path(word)?)),
        };
        self.advance(word.len());
        Ok(ExprKind::Literal(literal))
    }

    /// Reads a path that begins with the word that stands here.
    pub(super) fn path(&mut self, word: &str) -> Result<Path, Failure> {
        let start = self.at;
        let name = self.names.intern(word);
        self.advance(word.len());
        let name_span = self.span(start, self.at);
        let mut parts = Vec::new();
        while self.eat(".") {
            let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            let length = self.rest().bytes().take_while(is_key).count();
            if length == 0 {
                return Err(self.expected("a key or an index"));
            }
            let key: Arc<str> = self.rest()[..length].into();
            let index = key.bytes().all(|byte| byte.is_ascii_digit()).then(|| key.parse().ok());
            let start = self.at;
            self.advance(length);
            let span = self.span(start, self.at);
            parts.push(PathPart { key, index: index.flatten(), span });
        }
        Ok(Path { name, name_span, parts })
    }

    /// Reads a function's name and, if brackets follow it directly, its arguments.
    pub(super) fn call(&mut self) -> Result<Call, Failure> {
        let start = self.at;
        let Some(word) = self.peek_name().filter(|word| !is_reserved(word)) else {
            return Err(self.expected("a function"));
        };
        let function = self.names.intern(word);
        self.advance(word.len());
        let name_span = self.span(start, self.at);
        let open = self.at;
        let args = if self.eat("(") {
            self.nested(open, |parser| parser.items(")", "`,` or `)`"))?
        } else {
            Vec::new()
        };
        Ok(Call { function, name_span, args })
    }

    /// Reads what stands behind an opening bracket, up to the closing one.
    fn items(&mut self, closer: &str, expected: &'static str) -> Result<Vec<Expr>, Failure> {
        let mut items = Vec::new();
        self.blanks();
        if self.eat(closer) {
            return Ok(items);
        }
        loop {
            items.push(self.expression()?);
            self.blanks();
            if !self.eat(",") {
                self.close(closer, expected)?;
                return Ok(items);
            }
        }
    }

    fn close(&mut self, closer: &str, expected: &'static str) -> Result<(), Failure> {
        self.blanks();
        if self.eat(closer) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn nested<T>(
        &mut self,
        at: usize,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if self.depth == MAX_DEPTH {
            return Err(Failure { at, kind: Kind::TooDeep });
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Reads a text in quotes. It stands on one line.
    fn text_literal(&mut self) -> Result<Value, Failure> {
        let start = self.at;
        let quote = self.rest().as_bytes()[0];
        let mut content = String::new();
        let mut at = start + 1;
        loop {
            let rest = &self.text[at..];
            let stop = |byte: u8| byte == quote || byte == b'\\' || byte == b'\n';
            let Some(plain) = rest.bytes().position(stop) else {
                return Err(Failure { at: start, kind: Kind::Unclosed });
            };
            content.push_str(&rest[..plain]);
            match &rest.as_bytes()[plain..] {
                [b'\\', escaped, ..] => {
                    content.push(match escaped {
                        b'n' => '\n',
                        b't' => '\t',
                        b'\\' => '\\',
                        b'"' => '"',
                        b'\'' => '\'',
                        _ => return Err(Failure { at: at + plain, kind: Kind::Escape }),
                    });
                    at += plain + 2;
                }
                [byte, ..] if *byte == quote => {
                    self.advance(at + plain + 1 - start);
                    return Ok(Value::Text(content.into()));
                }
                _ => return Err(Failure { at: start, kind: Kind::Unclosed }),
            }
        }
    }

    /// Reads `-? digits ( . digits )?`: there is no exponent, and a digit stands on both sides of
    /// a point.
    fn number(&mut self) -> Result<Value, Failure> {
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let sign = usize::from(bytes[0] == b'-');
        let whole = sign + digits(sign);
        if whole == sign {
            return Err(self.expected("a value"));
        }
        let fraction = if bytes.get(whole) == Some(&b'.') { digits(whole + 1) } else { 0 };
        let length = if fraction > 0 { whole + 1 + fraction } else { whole };
        if bytes.get(length).is_some_and(|&b| b == b'.' || b == b'_' || b.is_ascii_alphanumeric()) {
            return Err(Failure { at: self.at, kind: Kind::Number });
        }
        let written = &self.rest()[..length];
        let value = if fraction > 0 {
            written.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float)
        } else {
            written.parse().ok().map(Value::Integer)
        };
        let value = value.ok_or(Failure { at: self.at, kind: Kind::Number })?;
        self.advance(length);
        Ok(value)
    }

    /// The name that stands here: `[a-z][a-z0-9_]*`, reserved words too.
    pub(super) fn peek_name(&self) -> Option<&'t str> {
        let rest = self.rest();
        let is_name = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
        let length = rest.bytes().take_while(is_name).count();
        rest.starts_with(|letter: char| letter.is_ascii_lowercase()).then(|| &rest[..length])
    }

    pub(super) fn blanks(&mut self) {
        let lines = self.lines == Lines::Blank;
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t') || (lines && *byte == b'\n');
        self.at += self.rest().bytes().take_while(is_blank).count();
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.advance(sign.len());
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let rest = self.rest();
        let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let found = rest.starts_with(word) && !rest.as_bytes().get(word.len()).is_some_and(goes_on);
        if found {
            self.advance(word.len());
        }
        found
    }

    pub(super) fn advance(&mut self, length: usize) {
        self.at += length;
        self.end = self.at;
    }

    pub(super) fn intern(&mut self, word: &str) -> crate::parse::names::Symbol {
        self.names.intern(word)
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn end(&self) -> usize {
        self.end
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::at(self.base + start, self.base + end)
    }

    pub(super) fn expected(&self, what: &'static str) -> Failure {
        Failure { at: self.at, kind: Kind::Expected(what) }
    }

    fn made(&self, kind: ExprKind, start: usize) -> Expr {
        Expr { kind, span: self.span(start, self.end) }
    }
}
