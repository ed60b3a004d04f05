//! A reader of JSON (RFC 8259). Unlike the readers behind serde it never rounds an integer to a
//! float, and it knows the offset of what is wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{SyntaxError, number};
use crate::value::{MAX_DEPTH, Value, text};

/// Reads one JSON value, which is the whole text.
pub(crate) fn parse_json(text: &str) -> Result<Value, SyntaxError> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let value = reader.value()?;
    reader.blanks();
    if reader.at < text.len() {
        return Err(reader.expected("the end"));
    }
    Ok(value)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Lists and objects that are open; bounded, so that reading may recurse.
    depth: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value, SyntaxError> {
        self.blanks();
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(b'"') => Ok(Value::Text(text(&self.string()?))),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Value, SyntaxError>,
    ) -> Result<Value, SyntaxError> {
        if self.depth == MAX_DEPTH {
            return Err(SyntaxError::new(self.at, super::too_deep()));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value, SyntaxError> {
        let mut entries = BTreeMap::new();
        self.blanks();
        if self.eat(b'}') {
            return Ok(Value::Map(Arc::new(entries)));
        }
        loop {
            self.blanks();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.expected("a key in double quotes"));
            }
            let key = text(&self.string()?);
            self.blanks();
            if !self.eat(b':') {
                return Err(self.expected("`:`"));
            }
            let value = self.value()?;
            if entries.insert(Arc::clone(&key), value).is_some() {
                return Err(SyntaxError::new(start, format!("the key `{key}` is given twice")));
            }
            self.blanks();
            if self.eat(b'}') {
                return Ok(Value::Map(Arc::new(entries)));
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn list(&mut self) -> Result<Value, SyntaxError> {
        let mut items = Vec::new();
        self.blanks();
        if self.eat(b']') {
            return Ok(Value::List(items.into()));
        }
        loop {
            items.push(self.value()?);
            self.blanks();
            if self.eat(b']') {
                return Ok(Value::List(items.into()));
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        let mut content = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
            let Some(plain) = plain else {
                self.at = self.text.len();
                return Err(self.expected("`\"`"));
            };
            content.push_str(&rest[..plain]);
            self.at += plain;
            match rest.as_bytes()[plain] {
                b'"' => {
                    self.at += 1;
                    return Ok(content);
                }
                b'\\' => content.push(self.escape()?),
                _ => {
                    let message = "a control character in a text is written as an escape";
                    return Err(SyntaxError::new(self.at, message));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        self.at += 2;
        Ok(match self.text.as_bytes().get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                return self.unicode().ok_or_else(|| {
                    SyntaxError::new(start, "`\\u` and four digits must name a character")
                });
            }
            _ => return Err(SyntaxError::new(start, "there is no such escape")),
        })
    }

    /// The character behind `\u`, which may be written as a pair of surrogates.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.text[self.at..].starts_with("\\u").then_some(())?;
        self.at += 2;
        let second = self.hex()?.checked_sub(0xdc00).filter(|&low| low < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn number(&mut self) -> Result<Value, SyntaxError> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        let whole = self.at;
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        let digits = &self.text[start..self.at];
        let read =
            if self.at == whole { number::integer(digits, 10) } else { number::float(digits) };
        read.map_err(|message| SyntaxError::new(start, message))
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.expected("a digit")) } else { Ok(()) }
    }

    fn word(&mut self) -> Result<Value, SyntaxError> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let value = match &rest[..length] {
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            "null" => Value::Null,
            _ => return Err(self.expected("a value")),
        };
        self.at += length;
        Ok(value)
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let message = match self.text[self.at..].chars().next() {
            Some(found) => format!("expected {what}, found `{}`", found.escape_debug()),
            None => format!("expected {what}, found the end"),
        };
        SyntaxError::new(self.at, message)
    }
}
