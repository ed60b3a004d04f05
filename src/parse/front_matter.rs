//! Front matter: where it ends, what it says (language §2), and the inputs it declares (§3).

use std::sync::Arc;

use super::include::IncludePath;
use crate::diag::Finding;
use crate::text::Span;
use crate::value::Value;

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
