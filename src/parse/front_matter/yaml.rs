//! YAML 1.2 to the tree of front matter. The only file that names `granit_parser`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, Tag, options};

use super::scalar::{core_value, with_plain_line_ends};
use super::tree::{
    Budget, Entry, Fault, MAX_DEPTH, Node, NodeKind, Scalar, too_deep, too_many_nodes,
};
use crate::text::Span;
use crate::value::Value;

/// Reads one YAML document, which begins at byte `base` of the file; `None` where it is empty.
///
/// The parser pulls events off a state machine, so neither it nor the builder recurses.
pub(super) fn parse(text: &str, base: usize) -> Result<Option<Node>, Fault> {
    let options = options! { emit_comments: false };
    let mut builder = Builder::new(base);
    for item in Parser::new_from_str_with_options(text, options) {
        match item {
            Ok((event, span)) => builder.event(event, span.byte_range().unwrap_or_default())?,
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or_default();
                return Err(match error.kind() {
                    ErrorKind::RecursionLimitExceeded => builder.limit(too_deep()),
                    kind => builder.syntax(at, reason(kind)),
                });
            }
        }
    }
    Ok(builder.root)
}

type Range = std::ops::Range<usize>;

/// A list or map that is still open.
struct Frame {
    kind: FrameKind,
    start: usize,
    anchor: usize,
    /// How many nodes there were before it.
    spent: usize,
    /// How many levels of lists and maps it has so far, itself included.
    height: usize,
}

enum FrameKind {
    List(Vec<Node>),
    Map {
        entries: Vec<Entry>,
        seen: HashSet<Arc<str>>,
        /// The key whose value comes next.
        key: Option<(Arc<str>, Span)>,
        /// Where the merge key `<<` stands among the entries.
        merge: Option<usize>,
    },
}

/// What an anchor names.
struct Anchor {
    node: Node,
    nodes: usize,
    height: usize,
}

struct Builder {
    base: usize,
    stack: Vec<Frame>,
    anchors: HashMap<usize, Anchor>,
    budget: Budget,
    root: Option<Node>,
    documents: usize,
}

impl Builder {
    fn new(base: usize) -> Self {
        Self {
            base,
            stack: Vec::new(),
            anchors: HashMap::new(),
            budget: Budget::new(),
            root: None,
            documents: 0,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range) -> Result<(), Fault> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(self.syntax(range.start, "a second document begins here"));
                }
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                // Where a value is left out the parser makes one up, which has no length.
                let text = if range.is_empty() { "" } else { &text };
                self.scalar(text, style, anchor, tag.as_deref(), range)
            }
            Event::SequenceStart(_, anchor, _) => {
                self.open(FrameKind::List(Vec::new()), anchor, range.start)
            }
            Event::MappingStart(_, anchor, _) => {
                let (entries, seen) = (Vec::new(), HashSet::new());
                let kind = FrameKind::Map { entries, seen, key: None, merge: None };
                self.open(kind, anchor, range.start)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(range.end),
            Event::Alias(anchor) => self.alias(anchor, range),
            _ => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        range: Range,
    ) -> Result<(), Fault> {
        self.spend(1)?;
        let plain = style == ScalarStyle::Plain;
        let text = with_plain_line_ends(text);
        let value =
            if is_text(tag, plain) { Value::Text(Arc::clone(&text)) } else { core_value(&text) };
        if plain && tag.is_none() && &*text == "<<" {
            self.note_merge_key();
        }
        let node = Node { kind: NodeKind::Scalar(Scalar { text, value }), span: self.span(range) };
        self.keep(anchor, &node, 1, 0);
        self.place(node, 0)
    }

    fn open(&mut self, kind: FrameKind, anchor: usize, start: usize) -> Result<(), Fault> {
        if self.awaits_key() {
            return Err(self.syntax(start, "a key must be a text, not a list or a map"));
        }
        let spent = self.budget.spent();
        self.stack.push(Frame { kind, start, anchor, spent, height: 1 });
        self.spend(1)?;
        if self.stack.len() > MAX_DEPTH { Err(self.limit(too_deep())) } else { Ok(()) }
    }

    fn close(&mut self, end: usize) -> Result<(), Fault> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        let kind = match frame.kind {
            FrameKind::List(items) => NodeKind::List(items),
            FrameKind::Map { entries, merge: None, .. } => NodeKind::Map(entries),
            FrameKind::Map { entries, merge: Some(at), seen, .. } => {
                NodeKind::Map(merge(entries, at, seen))
            }
        };
        let node = Node { kind, span: self.span(frame.start..end) };
        self.keep(frame.anchor, &node, self.budget.spent() - frame.spent, frame.height);
        self.place(node, frame.height)
    }

    /// Puts a copy of what an anchor names in place of the alias, as far as the bounds allow.
    fn alias(&mut self, anchor: usize, range: Range) -> Result<(), Fault> {
        let Some(&Anchor { nodes, height, .. }) = self.anchors.get(&anchor) else {
            return Err(self.syntax(range.start, "an alias stands inside what it names"));
        };
        if self.stack.len() + height > MAX_DEPTH {
            return Err(self.limit(too_deep()));
        }
        self.spend(nodes)?;
        let Some(Anchor { node, .. }) = self.anchors.get(&anchor) else { return Ok(()) };
        let node = Node { kind: node.kind.clone(), span: self.span(range) };
        self.place(node, height)
    }

    fn place(&mut self, node: Node, height: usize) -> Result<(), Fault> {
        let at = node.span.start;
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        frame.height = frame.height.max(height + 1);
        let message = match &mut frame.kind {
            FrameKind::List(items) => {
                items.push(node);
                return Ok(());
            }
            FrameKind::Map { entries, seen, key, .. } => match (key.take(), node.kind) {
                (Some((name, key_span)), kind) => {
                    let value = Node { kind, span: node.span };
                    entries.push(Entry { key: name, key_span, value });
                    return Ok(());
                }
                (None, NodeKind::Scalar(scalar)) => {
                    *key = Some((Arc::clone(&scalar.text), node.span));
                    if seen.insert(Arc::clone(&scalar.text)) {
                        return Ok(());
                    }
                    format!("the key `{}` stands here for the second time", scalar.text)
                }
                (None, _) => "a key must be a text, not a list or a map".to_owned(),
            },
        };
        Err(Fault::Syntax { at, message })
    }

    fn keep(&mut self, anchor: usize, node: &Node, nodes: usize, height: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, Anchor { node: node.clone(), nodes, height });
        }
    }

    fn awaits_key(&self) -> bool {
        matches!(self.stack.last(), Some(Frame { kind: FrameKind::Map { key: None, .. }, .. }))
    }

    fn note_merge_key(&mut self) {
        if let Some(Frame { kind: FrameKind::Map { entries, key: None, merge, .. }, .. }) =
            self.stack.last_mut()
        {
            *merge = Some(entries.len());
        }
    }

    fn spend(&mut self, nodes: usize) -> Result<(), Fault> {
        if self.budget.spend(nodes) { Ok(()) } else { Err(self.limit(too_many_nodes())) }
    }

    fn span(&self, range: Range) -> Span {
        Span::at(self.base + range.start, self.base + range.end)
    }

    fn syntax(&self, at: usize, message: impl Into<String>) -> Fault {
        Fault::Syntax { at: self.span(at..at).start, message: message.into() }
    }

    fn limit(&self, message: String) -> Fault {
        let outermost = self.stack.first().map(|frame| &frame.kind);
        Fault::Limit { message, map: matches!(outermost, Some(FrameKind::Map { .. })) }
    }
}

/// Whether a scalar is a text whatever it looks like: quoted, a block, or tagged as one. A tag of
/// another core type lets its look decide; tags of one's own say nothing here.
fn is_text(tag: Option<&Tag>, plain: bool) -> bool {
    let Some(tag) = tag else { return !plain };
    match tag.core_suffix() {
        Some("str") => true,
        Some(_) => false,
        None => !plain || tag.parts() == ("", "!"),
    }
}

/// Puts the entries of the merge key's map, or list of maps, behind the others; a key that stands
/// in the map itself, or in an earlier map of the list, goes over later ones. Anything else under
/// the key is an ordinary value.
fn merge(mut entries: Vec<Entry>, at: usize, mut seen: HashSet<Arc<str>>) -> Vec<Entry> {
    let Some(Entry { value, .. }) = entries.get_mut(at) else { return entries };
    let maps = match mem::replace(&mut value.kind, NodeKind::List(Vec::new())) {
        NodeKind::Map(map) => vec![map],
        NodeKind::List(items) if items.iter().all(is_map) => {
            items.into_iter().filter_map(into_map).collect()
        }
        other => {
            value.kind = other;
            return entries;
        }
    };
    entries.remove(at);
    for entry in maps.into_iter().flatten() {
        if seen.insert(Arc::clone(&entry.key)) {
            entries.push(entry);
        }
    }
    entries
}

fn is_map(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Map(_))
}

fn into_map(node: Node) -> Option<Vec<Entry>> {
    match node.kind {
        NodeKind::Map(entries) => Some(entries),
        _ => None,
    }
}

/// Why the parser stopped, in the words of an author where it is one of the usual slips.
fn reason(kind: &ErrorKind) -> Cow<'static, str> {
    Cow::Borrowed(match kind {
        ErrorKind::UnexpectedCharacter { character: '`' } => "no value begins with a backquote",
        ErrorKind::UnexpectedCharacter { character } => {
            return Cow::Owned(format!("no value begins with `{}`", character.escape_debug()));
        }
        ErrorKind::UnclosedFlowCollection { open } => {
            return Cow::Owned(format!("this `{open}` is never closed"));
        }
        ErrorKind::UnknownAnchor => "`*` begins an alias, and nothing above has that name",
        ErrorKind::MissingAnchorOrAliasName => "a name must follow `*` and `&`",
        ErrorKind::MappingValueNotAllowed => "a colon stands inside a value that has no quotes",
        ErrorKind::BlockSequenceEntryNotAllowed => "a list item cannot begin inside a value",
        ErrorKind::SimpleKeyExpected | ErrorKind::ExpectedBlockMappingKey => {
            "this line is no `key: value`"
        }
        ErrorKind::UnclosedQuotedScalar => "this quote is never closed",
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar => "something follows the closing quote",
        ErrorKind::TabInIndentation
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabNotAllowed
        | ErrorKind::TabInPlainScalar => "a line cannot be indented with tabs",
        other => return Cow::Owned(other.to_string()),
    })
}
