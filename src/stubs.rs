//! STUB: parts of the public API that stand elsewhere once they are built. Delete this file when
//! they are.

use std::sync::Arc;

use crate::compile::PromptTree;
use crate::diag::{Diagnostics, Place};
use crate::engine::{Engine, LoadOptions};
use crate::render::Rendered;
use crate::value::Value;

impl Engine {
    /// STUB: checks entries and all that they reach, without values: errors, the warnings of a
    /// render, and those that only a check gives. An entry that ends with `/` is a folder: every
    /// file in it that no other includes. An empty list means the whole root, as such a folder.
    #[must_use]
    pub fn check(&self, entries: &[&str], options: &LoadOptions) -> Diagnostics {
        let _ = (entries, options, self);
        Diagnostics::default()
    }

    /// STUB: loads an entry whose text is given, which includes relative to the top of the root.
    ///
    /// # Errors
    ///
    /// As [`Engine::load`].
    pub fn load_source(
        &self,
        name: &str,
        bytes: &[u8],
        options: &LoadOptions,
    ) -> Result<PromptTree, Diagnostics> {
        let _ = bytes;
        self.load_with(name, options)
    }
}

/// STUB: what kind of value an input takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputType {
    /// A text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A list.
    List,
    /// A map.
    Map,
    /// Any value.
    Any,
}

impl InputType {
    /// STUB: the type as it is declared.
    #[must_use]
    pub fn as_str(self) -> &'static str {
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
}

/// STUB: a declared input of a compiled prompt.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub kind: InputType,
    /// The value it has when none is given; without one it is required.
    pub default: Option<Value>,
    /// The values it may have.
    pub choices: Option<Vec<Value>>,
    /// What it is for.
    pub description: Option<Arc<str>>,
    /// The declaration that decides.
    pub place: Place,
    /// Where it is used, in the order of the text.
    pub uses: Vec<Place>,
}

impl PromptTree {
    /// STUB: the declared inputs by name.
    pub fn inputs(&self) -> impl Iterator<Item = Input> {
        std::iter::empty()
    }
}

impl Rendered {
    /// STUB: the function schemas of the `tools` blocks, in order, one value each.
    #[must_use]
    pub fn tools(&self) -> &[Value] {
        &[]
    }

    /// STUB: the texts of the `example` blocks, in order.
    #[must_use]
    pub fn examples(&self) -> &[String] {
        &[]
    }
}
