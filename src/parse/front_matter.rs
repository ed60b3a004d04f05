//! Front matter: where it ends, what it says (language §2), and the inputs it declares (§3).

mod extends;
mod inputs;
mod keys;
mod mend;
mod scalar;
mod split;
mod tables;
mod toml;
mod tree;
mod yaml;

use std::sync::Arc;

use super::include::IncludePath;
use super::names::Names;
use crate::diag::codes::{INVALID_FRONT_MATTER, LIMIT_EXCEEDED, UNCLOSED_FRONT_MATTER};
use crate::diag::{Finding, Severity};
use crate::text::{Source, Span};
use crate::value::Value;
use mend::Mend;
use split::{Block, Format};
use tree::{Fault, Node, NodeKind};

/// Reads the front matter of a text: finds it, parses it, and checks what the engine knows of it.
///
/// A text whose first line is no marker costs nothing; otherwise the cost grows with the front
/// matter alone, or with the text where the marker is never closed.
pub(crate) fn read(source: &Source, names: &mut Names) -> FrontMatter {
    let text = source.text();
    let Some(format) = split::opening(text) else { return FrontMatter::default() };
    let Some(block) = split::block(text, format) else { return unclosed(source, format) };
    let inner = &text[block.inner.clone()];
    let keyed = split::begins_with_key(inner, format);
    let mut front =
        FrontMatter { body: Span::at(block.end, block.end).start, ..Default::default() };
    match tree(inner, block.inner.start, format, keyed) {
        Ok(None) => {}
        Ok(Some(Node { kind: NodeKind::Map(entries), .. })) => {
            keys::read(&entries, source, names, &mut front);
        }
        Ok(Some(node)) if keyed => {
            let message = "this is no `key: value`";
            front.findings.extend(invalid(text, &block, format, node.span.start, message));
        }
        Err(Fault::Syntax { at, message }) if keyed => {
            front.findings.extend(invalid(text, &block, format, at, &message));
        }
        Err(Fault::Limit { message, map }) if keyed || map => front.findings.push(limit(message)),
        Ok(Some(_)) | Err(_) => return no_map(format),
    }
    front.findings.sort_by_key(|finding| finding.span.start);
    front
}

/// Parses what stands between the markers; `None` where it is empty. Text of any length may stand
/// between two rules, so length counts only for what is front matter.
fn tree(inner: &str, base: usize, format: Format, keyed: bool) -> Result<Option<Node>, Fault> {
    let too_long = || Err(Fault::Limit { message: tree::too_long(), map: true });
    let long = inner.len() > tree::MAX_BYTES;
    if long && keyed {
        return too_long();
    }
    let tree = match format {
        Format::Yaml => yaml::parse(inner, base)?,
        Format::Toml => Some(toml::parse(inner, base)?),
    };
    match tree {
        Some(Node { kind: NodeKind::Map(_), .. }) if long => too_long(),
        tree => Ok(tree),
    }
}

/// The first line opens front matter that never ends: all is body.
fn unclosed(source: &Source, format: Format) -> FrontMatter {
    if source.fault().is_some() {
        // The rest of the text could not be read, so nobody knows.
        return FrontMatter::default();
    }
    let marker = format.marker();
    let message = format!("`{marker}` opens front matter here, but no second `{marker}` closes it");
    let help = format!(
        "write `{marker}` on a line of its own below the last key; or begin with a blank line, if \
         this is no front matter"
    );
    body(Finding::new(UNCLOSED_FRONT_MATTER, Span::at(0, marker.len()), message).help(help))
}

/// What stands between two markers is no map, so that all is body.
fn no_map(format: Format) -> FrontMatter {
    let marker = format.marker();
    let message =
        format!("what stands between the first `{marker}` and the next is no front matter");
    let help = "begin with a blank line if it is text; otherwise write `key: value` lines there";
    let finding = Finding::new(UNCLOSED_FRONT_MATTER, Span::at(0, marker.len()), message);
    body(finding.help(help).edit(Span::at(0, 0), "\n"))
}

fn body(finding: Finding) -> FrontMatter {
    FrontMatter { findings: vec![finding], ..Default::default() }
}

/// Front matter that does not parse: a warning, unless it would have told the engine something.
/// A NUL byte is reported as what it is, not here.
fn invalid(text: &str, block: &Block, format: Format, at: u32, message: &str) -> Option<Finding> {
    let inner = &text[block.inner.clone()];
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let letter = text[at..].chars().next();
    if letter == Some('\0') {
        return None;
    }
    let width = letter.map_or(0, char::len_utf8);
    let message = format!("the front matter is not valid {}: {message}", format.name());
    let mut finding = Finding::new(INVALID_FRONT_MATTER, Span::at(at, at + width), message);
    if split::has_own_key(inner, format) {
        finding = finding.severity(Severity::Error);
    }
    let start = block.inner.start;
    let mend =
        (format == Format::Yaml).then(|| mend::mend(inner, at.saturating_sub(start))).flatten();
    Some(match mend {
        Some(Mend { range, text, help }) => {
            finding.help(help).edit(Span::at(start + range.start, start + range.end), text)
        }
        None => finding.help("mend this line; until then nothing of the front matter is used"),
    })
}

fn limit(message: String) -> Finding {
    Finding::new(LIMIT_EXCEEDED, Span::at(0, 0), message)
        .help("move what other tools do not need out of the front matter")
}

/// The front matter of a document; the default is that of a file without any.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct FrontMatter {
    /// Where the body begins: behind the line end of the closing marker; 0 without front matter.
    pub(crate) body: u32,
    /// All keys, unknown ones too, with scalars as their source says them.
    pub(crate) metadata: Metadata,
    pub(crate) settings: Settings,
    pub(crate) extends: Option<IncludePath>,
    /// Whether there is a `vars` key.
    pub(crate) closed: bool,
    /// The declared inputs in the order of the text.
    pub(crate) inputs: Vec<Input>,
    pub(crate) findings: Vec<Finding>,
}

/// What the front matter holds, for listings and for other tools.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Metadata {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) description: Option<Arc<str>>,
    /// The whole map, in which unquoted scalars are read by the rules of their format.
    pub(crate) values: Value,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) interpolate: Interpolate,
    pub(crate) directives: bool,
    /// `None` where the file does not say.
    pub(crate) strip_comments: Option<bool>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { interpolate: Interpolate::All, directives: true, strip_comments: None }
    }
}

/// Where `{{…}}` is read in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interpolate {
    All,
    Prose,
    None,
}

/// A declared input.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Input {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
    pub(crate) kind: InputKind,
    pub(crate) default: Option<Value>,
    pub(crate) choices: Option<Vec<Value>>,
    pub(crate) description: Option<Arc<str>>,
    /// Whether something is wrong with the declaration, so that nothing else need be said of it.
    pub(crate) faulty: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputKind {
    String,
    Integer,
    Number,
    Boolean,
    List,
    Map,
    Any,
}

impl InputKind {
    /// The name of the type, as a declaration writes it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::List => "list",
            Self::Map => "map",
            Self::Any => "any",
        }
    }

    /// The type as a message says it: `a string`, `an integer`.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Any => "any value",
        }
    }

    /// Whether a value is of the type. An integer is a number; nothing else is taken for another
    /// type.
    pub(crate) fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Any => true,
            Self::String => matches!(value, Value::Text(_)),
            Self::Integer => matches!(value, Value::Integer(_)),
            Self::Number => matches!(value, Value::Integer(_) | Value::Float(_)),
            Self::Boolean => matches!(value, Value::Boolean(_)),
            Self::List => matches!(value, Value::List(_)),
            Self::Map => matches!(value, Value::Map(_)),
        }
    }
}

#[cfg(test)]
mod tests;
