//! TOML to the tree of front matter. The only file that names `toml_parser`.
//!
//! The crate gives events with places and no tree, so that the bounds hold while the tree grows.

use std::borrow::Cow;
use std::sync::Arc;

use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{Expected, ParseError, Source};

use super::scalar::with_plain_line_ends;
use super::tables::{Key, ROOT, TableId, Tables, check_depth};
use super::tree::{Fault, Node, NodeKind, Scalar};
use crate::text::Span;
use crate::value::Value;

/// Where the parser gives up on nested values. It is past the limit of the language, so that the
/// builder gets there first.
const GUARD: u32 = 64;

/// Reads a TOML document, which begins at byte `base` of the file.
pub(super) fn parse(text: &str, base: usize) -> Result<Node, Fault> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
    let mut errors: Vec<ParseError> = Vec::new();
    let mut checked = ValidateWhitespace::new(&mut events, source);
    parse_document(&tokens, &mut RecursionGuard::new(&mut checked, GUARD), &mut errors);

    // The parser goes on behind an error. What stands before the first one is still built, since
    // a key that stands twice there comes first.
    let first = errors.iter().min_by_key(|error| place_of(error));
    if let Some(at) = first.map(place_of) {
        events.retain(|event| event.span().start() < at);
    }
    let tables = Tables::new(Span::at(base, base));
    let mut builder = Builder { source, base, events: events.iter(), tables };
    builder.document()?;
    match first {
        Some(error) => Err(builder.syntax(error)),
        None => Ok(builder.tables.take(ROOT)),
    }
}

fn place_of(error: &ParseError) -> usize {
    error.unexpected().map_or(0, |span| span.start())
}

struct Builder<'a> {
    source: Source<'a>,
    base: usize,
    events: std::slice::Iter<'a, Event>,
    tables: Tables,
}

impl Builder<'_> {
    fn document(&mut self) -> Result<(), Fault> {
        let mut current = ROOT;
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::StdTableOpen => {
                    let path = self.path()?;
                    current = self.tables.open(&path)?;
                }
                EventKind::ArrayTableOpen => {
                    let path = self.path()?;
                    current = self.tables.open_item(&path)?;
                }
                EventKind::SimpleKey => self.pair(current, event)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The keys of a header, up to its end.
    fn path(&mut self) -> Result<Vec<Key>, Fault> {
        let mut path = Vec::new();
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::SimpleKey => path.push(self.key(event)?),
                EventKind::StdTableClose | EventKind::ArrayTableClose => break,
                _ => {}
            }
        }
        Ok(path)
    }

    /// `a.b = value`, whose first key has just been met.
    fn pair(&mut self, mut table: TableId, first: &Event) -> Result<(), Fault> {
        let mut last = self.key(first)?;
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::SimpleKey => {
                    table = self.tables.step_by_dot(table, &last)?;
                    last = self.key(event)?;
                }
                EventKind::KeyValSep => break,
                _ => {}
            }
        }
        self.tables.check_free(table, &last)?;
        while let Some(event) = self.events.next() {
            if let Some(value) = self.value(event, self.tables.depth(table))? {
                return self.tables.put(table, &last, value);
            }
        }
        Ok(())
    }

    /// The value that an event begins, if it begins one, in a list or table of a depth. It recurses
    /// as deep as the bound on levels lets it.
    fn value(&mut self, event: &Event, depth: usize) -> Result<Option<Node>, Fault> {
        match event.kind() {
            EventKind::Scalar => self.scalar(event).map(Some),
            EventKind::ArrayOpen => self.list(event, depth + 1).map(Some),
            EventKind::InlineTableOpen => self.inline_table(event, depth + 1).map(Some),
            _ => Ok(None),
        }
    }

    fn list(&mut self, open: &Event, depth: usize) -> Result<Node, Fault> {
        self.tables.spend(1)?;
        check_depth(depth)?;
        let mut items = Vec::new();
        let mut span = self.span(open);
        while let Some(event) = self.events.next() {
            if event.kind() == EventKind::ArrayClose {
                span.end = self.span(event).end;
                break;
            }
            items.extend(self.value(event, depth)?);
        }
        Ok(Node { kind: NodeKind::List(items), span })
    }

    fn inline_table(&mut self, open: &Event, depth: usize) -> Result<Node, Fault> {
        let mut span = self.span(open);
        let table = self.tables.open_inline(span, depth)?;
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::SimpleKey => self.pair(table, event)?,
                EventKind::InlineTableClose => {
                    span.end = self.span(event).end;
                    break;
                }
                _ => {}
            }
        }
        Ok(Node { span, ..self.tables.take(table) })
    }

    fn key(&self, event: &Event) -> Result<Key, Fault> {
        let mut text = Cow::Borrowed("");
        let mut error: Option<ParseError> = None;
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut text, &mut error);
        }
        match error {
            Some(error) => Err(self.syntax(&error)),
            None => Ok((with_plain_line_ends(&text), self.span(event))),
        }
    }

    fn scalar(&mut self, event: &Event) -> Result<Node, Fault> {
        self.tables.spend(1)?;
        let Some(raw) = self.source.get(event) else {
            return Err(Fault::Syntax {
                at: self.span(event).start,
                message: "no value can be read here".to_owned(),
            });
        };
        let mut decoded = Cow::Borrowed("");
        let mut error: Option<ParseError> = None;
        let kind = raw.decode_scalar(&mut decoded, &mut error);
        if let Some(error) = error {
            return Err(self.syntax(&error));
        }
        let scalar = match kind {
            ScalarKind::String => {
                let text = with_plain_line_ends(&decoded);
                Scalar { value: Value::Text(Arc::clone(&text)), text }
            }
            kind => {
                let text: Arc<str> = raw.as_str().into();
                let value = unquoted_value(kind, &decoded);
                Scalar { value: value.unwrap_or_else(|| Value::Text(Arc::clone(&text))), text }
            }
        };
        Ok(Node { kind: NodeKind::Scalar(scalar), span: self.span(event) })
    }

    fn span(&self, event: &Event) -> Span {
        Span::at(self.base + event.span().start(), self.base + event.span().end())
    }

    fn syntax(&self, error: &ParseError) -> Fault {
        let at = self.base + place_of(error);
        Fault::Syntax { at: Span::at(at, at).start, message: describe(error) }
    }
}

/// The value of a scalar that is no string; `None` for dates and for numbers that do not fit
/// 64 bits or are not finite, which stay text.
fn unquoted_value(kind: ScalarKind, decoded: &str) -> Option<Value> {
    match kind {
        ScalarKind::Boolean(value) => Some(Value::Boolean(value)),
        ScalarKind::Integer(radix) => {
            i64::from_str_radix(decoded, radix.value()).ok().map(Value::Integer)
        }
        ScalarKind::Float => {
            decoded.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float)
        }
        ScalarKind::String | ScalarKind::DateTime => None,
    }
}

fn describe(error: &ParseError) -> String {
    let mut message = error.description().to_owned();
    for (at, expected) in error.expected().unwrap_or_default().iter().enumerate() {
        message.push_str(if at == 0 { ", expected " } else { " or " });
        match expected {
            Expected::Literal("\n") => message.push_str("a line end"),
            Expected::Literal(text) => message.extend(["`", text, "`"]),
            Expected::Description(text) => message.push_str(text),
            _ => message.push_str("something else"),
        }
    }
    message
}
