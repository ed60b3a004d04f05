//! The tables of TOML while they grow: which may be opened again, and which keys may be added.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use super::tree::{Budget, Entry, Fault, MAX_DEPTH, Node, NodeKind, too_deep, too_many_nodes};
use crate::text::Span;

/// A key as written, and where.
pub(super) type Key = (Arc<str>, Span);

/// A table that may still grow, as an index into [`Tables`].
pub(super) type TableId = usize;

/// The outermost table.
pub(super) const ROOT: TableId = 0;

/// All tables of a document.
pub(super) struct Tables {
    list: Vec<Table>,
    budget: Budget,
}

struct Table {
    entries: Vec<(Key, Item)>,
    index: HashMap<Arc<str>, usize>,
    origin: Origin,
    span: Span,
    /// 1 for the outermost table.
    depth: usize,
}

enum Item {
    Value(Node),
    Table(TableId),
    /// `[[x]]`, and where its key first stands.
    Tables(Vec<TableId>, Span),
}

/// What stands under a key.
#[derive(Clone, Copy)]
enum Found {
    Value,
    Table(TableId),
    /// The last one of a list of tables.
    LastTable(TableId),
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

impl Tables {
    pub(super) fn new(span: Span) -> Self {
        let mut tables = Self { list: Vec::new(), budget: Budget::new() };
        tables.push(Origin::Written, span, 1);
        tables
    }

    /// `[a.b]`: a table that is new, or was only implied so far.
    pub(super) fn open(&mut self, path: &[Key]) -> Result<TableId, Fault> {
        let Some((last, parents)) = path.split_last() else { return Ok(ROOT) };
        let parent = self.walk(parents)?;
        match self.find(parent, last) {
            None => {
                let table = self.add(Origin::Written, last.1, self.depth(parent) + 1)?;
                self.insert(parent, last, Item::Table(table))?;
                Ok(table)
            }
            Some(Found::Table(table)) if self.list[table].origin == Origin::Implied => {
                self.list[table].origin = Origin::Written;
                Ok(table)
            }
            Some(_) => Err(second_time(last)),
        }
    }

    /// `[[a.b]]`: one more table of a list of tables.
    pub(super) fn open_item(&mut self, path: &[Key]) -> Result<TableId, Fault> {
        let Some((last, parents)) = path.split_last() else { return Ok(ROOT) };
        let parent = self.walk(parents)?;
        let depth = self.depth(parent) + 2;
        match self.find(parent, last) {
            None => {
                self.spend(1)?;
                let table = self.add(Origin::Written, last.1, depth)?;
                self.insert(parent, last, Item::Tables(vec![table], last.1))?;
                Ok(table)
            }
            Some(Found::LastTable(_)) => {
                let table = self.add(Origin::Written, last.1, depth)?;
                if let Some(Item::Tables(tables, _)) = self.item_mut(parent, last) {
                    tables.push(table);
                }
                Ok(table)
            }
            Some(_) => Err(second_time(last)),
        }
    }

    /// `{`: a table that belongs to nothing yet.
    pub(super) fn open_inline(&mut self, span: Span, depth: usize) -> Result<TableId, Fault> {
        self.add(Origin::Written, span, depth)
    }

    /// `key.`: the table under a key of a dotted one.
    pub(super) fn step_by_dot(&mut self, table: TableId, key: &Key) -> Result<TableId, Fault> {
        match self.find(table, key) {
            None => self.add_below(table, key, Origin::Dotted),
            Some(Found::Table(inner)) if self.list[inner].origin != Origin::Written => {
                self.list[inner].origin = Origin::Dotted;
                Ok(inner)
            }
            Some(_) => Err(second_time(key)),
        }
    }

    /// Whether a key is still free in a table.
    pub(super) fn check_free(&self, table: TableId, key: &Key) -> Result<(), Fault> {
        if self.find(table, key).is_some() { Err(second_time(key)) } else { Ok(()) }
    }

    /// Adds a value under a key that is free.
    pub(super) fn put(&mut self, table: TableId, key: &Key, value: Node) -> Result<(), Fault> {
        self.insert(table, key, Item::Value(value))
    }

    pub(super) fn depth(&self, table: TableId) -> usize {
        self.list[table].depth
    }

    /// A table as a node, to which nothing can be added. It recurses as deep as tables nest.
    pub(super) fn take(&mut self, table: TableId) -> Node {
        let span = self.list[table].span;
        let entries = mem::take(&mut self.list[table].entries);
        let entries = entries.into_iter().map(|((key, key_span), item)| {
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

    /// Makes room for nodes that are no tables.
    pub(super) fn spend(&mut self, nodes: usize) -> Result<(), Fault> {
        if self.budget.spend(nodes) { Ok(()) } else { Err(limit(too_many_nodes())) }
    }

    /// The table that the first keys of a header lead to.
    fn walk(&mut self, parents: &[Key]) -> Result<TableId, Fault> {
        parents.iter().try_fold(ROOT, |table, key| match self.find(table, key) {
            None => self.add_below(table, key, Origin::Implied),
            Some(Found::Table(inner) | Found::LastTable(inner)) => Ok(inner),
            Some(Found::Value) => Err(second_time(key)),
        })
    }

    fn find(&self, table: TableId, key: &Key) -> Option<Found> {
        let table = &self.list[table];
        let (_, item) = &table.entries[*table.index.get(&key.0)?];
        Some(match item {
            Item::Table(inner) => Found::Table(*inner),
            Item::Tables(tables, _) => tables.last().map_or(Found::Value, |&t| Found::LastTable(t)),
            Item::Value(_) => Found::Value,
        })
    }

    fn item_mut(&mut self, table: TableId, key: &Key) -> Option<&mut Item> {
        let table = &mut self.list[table];
        table.index.get(&key.0).map(|&at| &mut table.entries[at].1)
    }

    fn insert(&mut self, table: TableId, key: &Key, item: Item) -> Result<(), Fault> {
        self.spend(1)?;
        let table = &mut self.list[table];
        table.index.insert(Arc::clone(&key.0), table.entries.len());
        table.entries.push((key.clone(), item));
        Ok(())
    }

    fn add_below(&mut self, table: TableId, key: &Key, origin: Origin) -> Result<TableId, Fault> {
        let inner = self.add(origin, key.1, self.depth(table) + 1)?;
        self.insert(table, key, Item::Table(inner))?;
        Ok(inner)
    }

    fn add(&mut self, origin: Origin, span: Span, depth: usize) -> Result<TableId, Fault> {
        self.spend(1)?;
        check_depth(depth)?;
        self.push(origin, span, depth);
        Ok(self.list.len() - 1)
    }

    fn push(&mut self, origin: Origin, span: Span, depth: usize) {
        self.list.push(Table { entries: Vec::new(), index: HashMap::new(), origin, span, depth });
    }
}

pub(super) fn check_depth(depth: usize) -> Result<(), Fault> {
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
