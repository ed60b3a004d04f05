//! TOML to the tree of front matter. The only file that names `toml_parser`.
//!
//! The crate gives events with places; the rules of which tables may be opened and which keys may
//! be set again are kept here, since the bounds must hold while the tree grows.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{Expected, ParseError, Source};

use super::scalar::with_plain_line_ends;
use super::tree::{
    Budget, Entry, Fault, MAX_DEPTH, Node, NodeKind, Scalar, too_deep, too_many_nodes,
};
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
    let mut builder = Builder::new(source, base, &events);
    let root = builder.push_table(Origin::Written, Span::at(base, base), 1)?;
    builder.document(root)?;
    match first {
        Some(error) => Err(builder.syntax(error)),
        None => Ok(builder.take(root)),
    }
}

fn place_of(error: &ParseError) -> usize {
    error.unexpected().map_or(0, |span| span.start())
}

/// A key as written, and where.
type Key = (Arc<str>, Span);

/// A table that may still grow, as an index into the tables of the builder.
type TableId = usize;

/// The outermost table.
const ROOT: TableId = 0;

struct Table {
    entries: Vec<Slot>,
    index: HashMap<Arc<str>, usize>,
    origin: Origin,
    span: Span,
    /// 1 for the outermost table.
    depth: usize,
}

struct Slot {
    key: Key,
    item: Item,
}

enum Item {
    Value(Node),
    Table(TableId),
    /// `[[x]]`
    Tables(Vec<TableId>, Span),
}

/// How a table came to be, which decides who may add to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It has a header, or braces, of its own.
    Written,
    /// A header names a table inside it.
    Implied,
    /// A dotted key leads through it.
    Dotted,
}

struct Builder<'a> {
    source: Source<'a>,
    base: usize,
    events: std::slice::Iter<'a, Event>,
    tables: Vec<Table>,
    budget: Budget,
}

impl<'a> Builder<'a> {
    fn new(source: Source<'a>, base: usize, events: &'a [Event]) -> Self {
        let events = events.iter();
        Self { source, base, events, tables: Vec::new(), budget: Budget::new() }
    }

    fn document(&mut self, root: TableId) -> Result<(), Fault> {
        let mut current = root;
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::StdTableOpen => {
                    let path = self.path()?;
                    current = self.open_table(&path)?;
                }
                EventKind::ArrayTableOpen => {
                    let path = self.path()?;
                    current = self.open_array_table(&path)?;
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
                    table = self.step(table, &last, Origin::Dotted)?;
                    last = self.key(event)?;
                }
                EventKind::KeyValSep => break,
                _ => {}
            }
        }
        if self.tables[table].index.contains_key(&last.0) {
            return Err(second_time(&last));
        }
        while let Some(event) = self.events.next() {
            if let Some(value) = self.value(event, self.tables[table].depth)? {
                return self.insert(table, last, Item::Value(value));
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
        self.spend(1)?;
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
        let table = self.push_table(Origin::Written, span, depth)?;
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
        // From here on it is a value, to which nothing can be added.
        self.tables[table].span = span;
        Ok(self.take(table))
    }

    /// `[a.b]`: a table that is new, or was only implied so far.
    fn open_table(&mut self, path: &[Key]) -> Result<TableId, Fault> {
        let Some((last, parents)) = path.split_last() else { return Ok(ROOT) };
        let parent = self.walk(parents)?;
        match self.item(parent, &last.0) {
            None => {
                let table =
                    self.push_table(Origin::Written, last.1, self.tables[parent].depth + 1)?;
                self.insert(parent, last.clone(), Item::Table(table))?;
                Ok(table)
            }
            Some(&Item::Table(table)) if self.tables[table].origin == Origin::Implied => {
                self.tables[table].origin = Origin::Written;
                Ok(table)
            }
            Some(_) => Err(second_time(last)),
        }
    }

    /// `[[a.b]]`: one more table of a list of tables.
    fn open_array_table(&mut self, path: &[Key]) -> Result<TableId, Fault> {
        let Some((last, parents)) = path.split_last() else { return Ok(ROOT) };
        let parent = self.walk(parents)?;
        let depth = self.tables[parent].depth + 2;
        match self.item(parent, &last.0) {
            None => {
                self.spend(1)?;
                let table = self.push_table(Origin::Written, last.1, depth)?;
                self.insert(parent, last.clone(), Item::Tables(vec![table], last.1))?;
                Ok(table)
            }
            Some(Item::Tables(..)) => {
                let table = self.push_table(Origin::Written, last.1, depth)?;
                if let Some(Item::Tables(tables, _)) = self.item_mut(parent, &last.0) {
                    tables.push(table);
                }
                Ok(table)
            }
            Some(_) => Err(second_time(last)),
        }
    }

    /// The table that the first keys of a header lead to.
    fn walk(&mut self, parents: &[Key]) -> Result<TableId, Fault> {
        parents.iter().try_fold(ROOT, |table, key| self.step(table, key, Origin::Implied))
    }

    /// The table under a key, made if need be. `by` says whether a header or a dotted key asks.
    fn step(&mut self, table: TableId, key: &Key, by: Origin) -> Result<TableId, Fault> {
        match self.item(table, &key.0) {
            None => {
                let inner = self.push_table(by, key.1, self.tables[table].depth + 1)?;
                self.insert(table, key.clone(), Item::Table(inner))?;
                Ok(inner)
            }
            Some(&Item::Table(inner)) => {
                if by == Origin::Dotted {
                    if self.tables[inner].origin == Origin::Written {
                        return Err(second_time(key));
                    }
                    self.tables[inner].origin = Origin::Dotted;
                }
                Ok(inner)
            }
            Some(Item::Tables(tables, _)) if by == Origin::Implied => {
                Ok(tables.last().copied().unwrap_or(ROOT))
            }
            Some(_) => Err(second_time(key)),
        }
    }

    fn item(&self, table: TableId, key: &str) -> Option<&Item> {
        let table = &self.tables[table];
        table.index.get(key).map(|&at| &table.entries[at].item)
    }

    fn item_mut(&mut self, table: TableId, key: &str) -> Option<&mut Item> {
        let table = &mut self.tables[table];
        table.index.get(key).map(|&at| &mut table.entries[at].item)
    }

    fn insert(&mut self, table: TableId, key: Key, item: Item) -> Result<(), Fault> {
        self.spend(1)?;
        let table = &mut self.tables[table];
        table.index.insert(Arc::clone(&key.0), table.entries.len());
        table.entries.push(Slot { key, item });
        Ok(())
    }

    fn push_table(&mut self, origin: Origin, span: Span, depth: usize) -> Result<TableId, Fault> {
        self.spend(1)?;
        check_depth(depth)?;
        self.tables.push(Table { entries: Vec::new(), index: HashMap::new(), origin, span, depth });
        Ok(self.tables.len() - 1)
    }

    /// A table as a node; all that is in it goes along. It recurses as deep as tables nest.
    fn take(&mut self, table: TableId) -> Node {
        let span = self.tables[table].span;
        let entries = std::mem::take(&mut self.tables[table].entries);
        let entries = entries.into_iter().map(|Slot { key: (key, key_span), item }| {
            let value = match item {
                Item::Value(node) => node,
                Item::Table(inner) => self.take(inner),
                Item::Tables(tables, span) => {
                    let items = tables.into_iter().map(|inner| self.take(inner)).collect();
                    Node { kind: NodeKind::List(items), span }
                }
            };
            Entry { key, key_span, value }
        });
        Node { kind: NodeKind::Map(entries.collect()), span }
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
        self.spend(1)?;
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

    fn spend(&mut self, nodes: usize) -> Result<(), Fault> {
        if self.budget.spend(nodes) { Ok(()) } else { Err(limit(too_many_nodes())) }
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

fn check_depth(depth: usize) -> Result<(), Fault> {
    if depth > MAX_DEPTH { Err(limit(too_deep())) } else { Ok(()) }
}

fn second_time((key, span): &Key) -> Fault {
    let message = format!("the key `{key}` stands here for the second time");
    Fault::Syntax { at: span.start, message }
}

fn limit(message: String) -> Fault {
    // A TOML document is always a map.
    Fault::Limit { message, map: true }
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
