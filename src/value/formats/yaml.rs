//! YAML texts. The only file here that names the parser of `serde-saphyr`.

mod scalar;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_saphyr::granit_parser::{Event, Options, Parser};

use super::SyntaxError;
use crate::value::{MAX_DEPTH, Value, text};

/// How many parts a document may have, those that aliases repeat too.
const MAX_PARTS: usize = 1_000_000;

/// Reads one YAML document; a text without any is null.
pub(super) fn parse_yaml(source: &str) -> Result<Value, SyntaxError> {
    let mut options = Options::default();
    options.set_emit_comments(false);
    let mut builder = Builder::default();
    for next in Parser::new_from_str_with_options(source, options) {
        let (event, span) = next.map_err(|error| {
            let offset = error.marker().byte_offset().unwrap_or(source.len());
            SyntaxError::new(offset, error.info())
        })?;
        builder.offset = span.byte_range().map_or(builder.offset, |range| range.start);
        builder.take(event)?;
    }
    Ok(builder.document.unwrap_or_default())
}

/// A node that is complete.
#[derive(Clone)]
struct Node {
    value: Value,
    /// How many parts it has, itself too.
    parts: usize,
    /// How many lists and maps stand in each other in it.
    height: usize,
    /// What it is where it stands for a key: a scalar as the source says it.
    key: Option<Arc<str>>,
}

/// A list or map that is open.
struct Open {
    /// Where it begins.
    offset: usize,
    anchor: usize,
    parts: usize,
    height: usize,
    content: Content,
}

enum Content {
    List(Vec<Value>),
    /// The entries, and the key that waits for its value.
    Map(BTreeMap<Arc<str>, Value>, Option<Arc<str>>),
}

#[derive(Default)]
struct Builder {
    /// Where the event begins that is taken.
    offset: usize,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    document: Option<Value>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), SyntaxError> {
        match event {
            Event::DocumentStart(..) if self.document.is_some() => {
                Err(self.refused("a second document begins here"))
            }
            Event::Scalar(content, style, anchor, tag) => {
                let value = scalar::resolve(&content, style, tag.as_deref())
                    .map_err(|message| self.refused(message))?;
                let key = Some(text(&content));
                self.complete(anchor, Node { value, parts: 1, height: 0, key })
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some(node) => self.put(node),
                None => Err(self.refused("an alias stands inside of what it names")),
            },
            Event::SequenceStart(_, anchor, _) => self.begin(anchor, Content::List(Vec::new())),
            Event::MappingStart(_, anchor, _) => {
                self.begin(anchor, Content::Map(BTreeMap::new(), None))
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            _ => Ok(()),
        }
    }

    fn begin(&mut self, anchor: usize, content: Content) -> Result<(), SyntaxError> {
        if self.open.len() == MAX_DEPTH {
            return Err(self.refused(super::too_deep()));
        }
        self.open.push(Open { offset: self.offset, anchor, parts: 1, height: 1, content });
        Ok(())
    }

    fn end(&mut self) -> Result<(), SyntaxError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.offset = open.offset;
        let value = match open.content {
            Content::List(items) => Value::List(items.into()),
            Content::Map(entries, _) => Value::Map(Arc::new(entries)),
        };
        let node = Node { value, parts: open.parts, height: open.height, key: None };
        self.complete(open.anchor, node)
    }

    fn complete(&mut self, anchor: usize, node: Node) -> Result<(), SyntaxError> {
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        self.put(node)
    }

    /// Puts a complete node where it stands.
    fn put(&mut self, node: Node) -> Result<(), SyntaxError> {
        let depth = self.open.len();
        let Some(parent) = self.open.last_mut() else {
            self.document = Some(node.value);
            return Ok(());
        };
        parent.parts += node.parts;
        parent.height = parent.height.max(node.height + 1);
        let wrong = if parent.parts > MAX_PARTS {
            format!("the text has more than {MAX_PARTS} parts")
        } else if depth + node.height > MAX_DEPTH {
            super::too_deep()
        } else {
            match &mut parent.content {
                Content::List(items) => {
                    items.push(node.value);
                    return Ok(());
                }
                Content::Map(entries, waiting) => match (waiting.take(), node.key) {
                    (Some(key), _) => {
                        entries.insert(key, node.value);
                        return Ok(());
                    }
                    (None, Some(key)) if entries.contains_key(&key) => {
                        format!("the key `{key}` is given twice")
                    }
                    (None, Some(key)) => {
                        *waiting = Some(key);
                        return Ok(());
                    }
                    (None, None) => "a key of a map must be a text, a number or a boolean".into(),
                },
            }
        };
        Err(self.refused(wrong))
    }

    fn refused(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.offset, message)
    }
}
