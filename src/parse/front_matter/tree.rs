//! The tree that front matter of either format becomes, and what bounds it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::text::Span;
use crate::value::Value;

/// How deep lists and maps may nest, the outermost map included.
pub(super) const MAX_DEPTH: usize = 32;
/// How many keys, scalars, lists and maps there may be, each alias counted as what it stands for.
const MAX_NODES: usize = 10_000;
/// How long the text between the markers may be.
pub(super) const MAX_BYTES: usize = 64 << 10;

/// A node with its place. Its depth is at most [`MAX_DEPTH`], so walking it may recurse.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// A scalar as written, with its quotes; of a list or map at least the beginning.
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A scalar: its text, for where text is expected, and its value by the rules of its format.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) text: Arc<str>,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: Arc<str>,
    pub(super) key_span: Span,
    pub(super) value: Node,
}

impl Node {
    /// The node as a value, scalars by the rules of their format.
    pub(super) fn value(&self) -> Value {
        match &self.kind {
            NodeKind::Scalar(scalar) => scalar.value.clone(),
            NodeKind::List(items) => Value::List(items.iter().map(Self::value).collect()),
            NodeKind::Map(entries) => Value::Map(Arc::new(values(entries))),
        }
    }

    /// The text of a scalar as written; null is no text.
    pub(super) fn text(&self) -> Option<&Arc<str>> {
        match &self.kind {
            NodeKind::Scalar(scalar) if scalar.value != Value::Null => Some(&scalar.text),
            _ => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(&self.kind, NodeKind::Scalar(scalar) if scalar.value == Value::Null)
    }

    /// What the node is, as a message calls it.
    pub(super) fn describe(&self) -> &'static str {
        match &self.kind {
            NodeKind::List(_) => "a list",
            NodeKind::Map(_) => "a map",
            NodeKind::Scalar(scalar) => match scalar.value {
                Value::Null => "null",
                Value::Boolean(_) => "a boolean",
                Value::Integer(_) => "an integer",
                Value::Float(_) => "a number",
                _ => "a string",
            },
        }
    }
}

/// The values of a map by their keys.
pub(super) fn values(entries: &[Entry]) -> BTreeMap<Arc<str>, Value> {
    entries.iter().map(|entry| (Arc::clone(&entry.key), entry.value.value())).collect()
}

/// Why there is no tree.
#[derive(Debug)]
pub(super) enum Fault {
    /// The text does not parse: where the parser stops, and why.
    Syntax { at: u32, message: String },
    /// A bound is passed; `map` says whether the text is a map as far as it was read.
    Limit { message: String, map: bool },
}

/// The nodes that may still be made.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { left: MAX_NODES }
    }

    /// How many nodes were made so far.
    pub(super) fn spent(&self) -> usize {
        MAX_NODES - self.left
    }

    /// Makes room for `nodes` more; `false` where there is none.
    pub(super) fn spend(&mut self, nodes: usize) -> bool {
        match self.left.checked_sub(nodes) {
            Some(left) => self.left = left,
            None => return false,
        }
        true
    }
}

pub(super) fn too_many_nodes() -> String {
    format!("the front matter has more than {MAX_NODES} keys and values")
}

pub(super) fn too_deep() -> String {
    format!("the front matter is nested more than {MAX_DEPTH} levels deep")
}

pub(super) fn too_long() -> String {
    format!("the front matter is longer than {} KiB", MAX_BYTES >> 10)
}

/// The beginning of a text, short enough for a message of one line.
pub(super) fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if line.len() < text.trim_end().len() => format!("{line}…"),
        None => line.to_owned(),
    }
}
