//! STUB: parts of the public API that stand elsewhere once they are built. Delete this file when
//! they are.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::compile::PromptTree;
use crate::diag::{Diagnostics, Place};
use crate::engine::{Engine, LoadOptions};
use crate::link::{Facts, LoadError, Loaded, Loader, Lookup};
use crate::render::Rendered;
use crate::value::{Value, Vars};

/// STUB: the files of a folder.
pub struct DirLoader;

impl DirLoader {
    /// STUB: opens a folder as a root.
    ///
    /// # Errors
    ///
    /// If the folder cannot be opened.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, LoadError> {
        let _ = folder.as_ref();
        Ok(Self)
    }
}

impl Loader for DirLoader {
    fn load(&self, _: &str, _: u64) -> Result<Lookup<Loaded>, LoadError> {
        Ok(Lookup::NotFound)
    }

    fn facts(&self, _: &str) -> Result<Lookup<Facts>, LoadError> {
        Ok(Lookup::NotFound)
    }

    fn list(&self, _: &str) -> Result<Lookup<Vec<String>>, LoadError> {
        Ok(Lookup::NotFound)
    }
}

/// STUB: why something is no value.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ValueError(String);

impl Value {
    /// STUB: reads a JSON text.
    ///
    /// # Errors
    ///
    /// If the text is no JSON, or holds a number that does not fit.
    pub fn from_json(text: &str) -> Result<Self, ValueError> {
        let value = serde_json::from_str(text).map_err(|error| ValueError(error.to_string()))?;
        Ok(from_json_value(&value))
    }

    /// STUB: reads a TOML text.
    ///
    /// # Errors
    ///
    /// If the text is no TOML, or holds a number that does not fit.
    pub fn from_toml(text: &str) -> Result<Self, ValueError> {
        let table: toml::Table =
            toml::from_str(text).map_err(|error| ValueError(error.message().to_owned()))?;
        let value = serde_json::to_value(table).map_err(|error| ValueError(error.to_string()))?;
        Ok(from_json_value(&value))
    }

    /// STUB: reads a YAML text.
    ///
    /// # Errors
    ///
    /// If the text is no YAML, or holds a number that does not fit.
    pub fn from_yaml(text: &str) -> Result<Self, ValueError> {
        let value: serde_json::Value =
            serde_saphyr::from_str(text).map_err(|error| ValueError(error.to_string()))?;
        Ok(from_json_value(&value))
    }

    /// STUB: the value as JSON, keys in order.
    #[must_use]
    pub fn to_json(&self, indent: Option<usize>) -> String {
        let _ = indent;
        String::new()
    }
}

fn from_json_value(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Boolean(*value),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(value) => Value::Integer(value),
            None => Value::Float(number.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(text) => Value::Text(text.as_str().into()),
        serde_json::Value::Array(list) => Value::List(list.iter().map(from_json_value).collect()),
        serde_json::Value::Object(map) => {
            let map: BTreeMap<Arc<str>, Value> = map
                .iter()
                .map(|(key, value)| (key.as_str().into(), from_json_value(value)))
                .collect();
            Value::Map(Arc::new(map))
        }
    }
}

impl<K: AsRef<str>> FromIterator<(K, Value)> for Vars {
    /// STUB: later pairs win.
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(pairs: I) -> Self {
        let map: BTreeMap<Arc<str>, Value> =
            pairs.into_iter().map(|(name, value)| (name.as_ref().into(), value)).collect();
        let _ = map;
        Self::default()
    }
}

impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, one) in self.iter().enumerate() {
            let separator = if index > 0 { "\n" } else { "" };
            let at = one.place.position();
            let file = &one.place.file;
            write!(f, "{separator}{file}:{at}: {}[{}]: {}", one.severity, one.code, one.message)?;
        }
        Ok(())
    }
}

/// STUB: diagnostics for people.
pub struct Human<'a>(&'a Diagnostics);

impl<'a> Human<'a> {
    /// STUB: whether to use colours.
    #[must_use]
    pub fn color(self, color: bool) -> Self {
        let _ = color;
        self
    }

    /// STUB: the columns of an excerpt.
    #[must_use]
    pub fn width(self, width: usize) -> Self {
        let _ = width;
        self
    }

    /// STUB: the folder put before paths.
    #[must_use]
    pub fn folder(self, folder: &'a str) -> Self {
        let _ = folder;
        self
    }
}

impl std::fmt::Display for Human<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Diagnostics {
    /// STUB: the human form.
    #[must_use]
    pub fn human(&self) -> Human<'_> {
        Human(self)
    }

    /// STUB: the form of workflow commands.
    #[must_use]
    pub fn github(&self) -> Human<'_> {
        Human(self)
    }

    /// STUB: the JSON form, an object with `version` and `diagnostics`.
    #[must_use]
    pub fn json(&self) -> String {
        r#"{"version":1,"diagnostics":[],"more":0}"#.to_owned()
    }
}

impl crate::diag::Code {
    /// STUB: the code of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|code| code.as_str() == name)
    }

    /// STUB: the code whose name is nearest.
    #[must_use]
    pub fn near(name: &str) -> Option<Self> {
        crate::diag::near::nearest(name, Self::all().map(Self::as_str)).and_then(Self::named)
    }
}

/// STUB: the page of a code.
#[must_use]
pub fn explain(code: crate::diag::Code) -> &'static str {
    code.as_str()
}

impl Engine {
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
