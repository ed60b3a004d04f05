//! The JSON forms, for programs. Keys may be added to a version; none changes or goes away.

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use super::assembly::{Assembly, Part, Tool};
use super::conversation::ContextMessage;
use super::diff::Diff;
use super::error::AssembleError;
use super::origins::{PartOrigin, Registered, Source};
use super::prefix::StablePrefix;
use crate::diag::escape_json;
use crate::value::{MAX_DEPTH, Value};

impl Assembly {
    /// The assembly as one line of JSON, texts without their variables put in:
    ///
    /// ```json
    /// {
    ///   "version": 1,
    ///   "sections": [{ "name": "rules", "text": "Be {{tone}}.", "verbatim": false }],
    ///   "contexts": [{ "name": "clock", "text": "It is noon.", "verbatim": false }],
    ///   "tools": [{ "name": "read", "description": "Reads a file.", "parameters": {…} }],
    ///   "variables": [{ "name": "tone", "value": "kind" }]
    /// }
    /// ```
    ///
    /// A variable without value has null. In a text that is `verbatim`, `{{…}}` means nothing.
    #[must_use]
    pub fn to_json(&self) -> String {
        write(&WireAssembly {
            version: 1,
            sections: self.sections.iter().map(WirePart::from).collect(),
            contexts: self.contexts.iter().map(WirePart::from).collect(),
            tools: self.tools.iter().map(WireTool::from).collect(),
            variables: self
                .variables
                .iter()
                .map(|(name, value)| WireVariable { name, value })
                .collect(),
        })
    }

    /// The [origins](Self::origins) as one line of JSON:
    ///
    /// ```json
    /// {
    ///   "version": 1,
    ///   "origins": [
    ///     {
    ///       "kind": "section", "name": "rules", "edited": false,
    ///       "registered": { "layer": "team", "source": "assembly.toml:7:8", "file": "rules.md" },
    ///       "shadowed": [{ "layer": null, "source": "src/main.rs:12:9", "file": null }]
    ///     }
    ///   ]
    /// }
    /// ```
    ///
    /// `kind` is `section`, `context`, `tool` or `variable`. `registered` is null for a part that
    /// a listener added; `layer` is null for the global layer, and `file` where there is none.
    #[must_use]
    pub fn origins_json(&self) -> String {
        let origins = self.origins();
        write(&WireOrigins { version: 1, origins: origins.iter().map(WireOrigin::from).collect() })
    }

    /// The [sizes](Self::sizes) as one line of JSON:
    ///
    /// ```json
    /// {
    ///   "version": 1,
    ///   "sizes": [{ "kind": "section", "name": "rules", "bytes": 9, "characters": 9 }]
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`sizes`](Self::sizes).
    pub fn sizes_json(&self) -> Result<String, AssembleError> {
        let sizes = self.sizes()?;
        let sizes = sizes.iter().map(|size| WireSize {
            kind: size.kind.as_str(),
            name: &size.name,
            bytes: size.bytes,
            characters: size.characters,
        });
        Ok(write(&WireSizes { version: 1, sizes: sizes.collect() }))
    }
}

impl Diff {
    /// The changes as one line of JSON:
    ///
    /// ```json
    /// { "version": 1, "changes": [{ "change": "moved", "kind": "section", "name": "rules" }] }
    /// ```
    ///
    /// `change` is `removed`, `added`, `changed` or `moved`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let changes = self.changes.iter().map(|change| WireChange {
            change: change.what.as_str(),
            kind: change.kind.as_str(),
            name: &change.name,
        });
        write(&WireDiff { version: 1, changes: changes.collect() })
    }
}

impl StablePrefix {
    /// The prefix as one line of JSON:
    ///
    /// ```json
    /// {
    ///   "version": 1, "bytes": 120, "total": 200, "tools_changed": false,
    ///   "spoiler": { "section": "clock", "variable": "now", "stable_behind": 70 }
    /// }
    /// ```
    ///
    /// `spoiler` is null where nothing that stays stands behind what changes, and `variable` where
    /// the text of the section changes.
    #[must_use]
    pub fn to_json(&self) -> String {
        write(&WirePrefix {
            version: 1,
            bytes: self.bytes,
            total: self.total,
            tools_changed: self.tools_changed,
            spoiler: self.spoiler.as_ref().map(|spoiler| WireSpoiler {
                section: &spoiler.section,
                variable: spoiler.variable.as_deref(),
                stable_behind: spoiler.stable_behind,
            }),
        })
    }
}

impl ContextMessage {
    /// The message as one line of JSON:
    ///
    /// ```json
    /// {
    ///   "version": 1, "role": "user", "source": "runtime-context", "content": "Current …",
    ///   "parts": [{ "name": "clock", "text": "It is noon." }]
    /// }
    /// ```
    ///
    /// `parts` is not there where the message says that there is no context any more.
    #[must_use]
    pub fn to_json(&self) -> String {
        write(&WireMessage {
            version: 1,
            role: "user",
            source: &self.source,
            content: &self.text,
            parts: self.parts.as_deref().map(|parts| parts.iter().map(WireText::from).collect()),
        })
    }
}

/// A tool as one line of JSON.
pub(super) fn tool(tool: &Tool) -> String {
    write(&WireTool::from(tool))
}

fn write(document: &impl Serialize) -> String {
    // Texts and numbers always serialise.
    escape_json(&serde_json::to_string(document).unwrap_or_default())
}

#[derive(Serialize)]
struct WireAssembly<'a> {
    version: u32,
    sections: Vec<WirePart<'a>>,
    contexts: Vec<WirePart<'a>>,
    tools: Vec<WireTool<'a>>,
    variables: Vec<WireVariable<'a>>,
}

#[derive(Serialize)]
struct WirePart<'a> {
    name: &'a str,
    text: &'a str,
    verbatim: bool,
}

impl<'a> From<&'a Part> for WirePart<'a> {
    fn from(part: &'a Part) -> Self {
        Self { name: part.name(), text: part.text(), verbatim: part.is_verbatim() }
    }
}

#[derive(Serialize)]
struct WireTool<'a> {
    name: &'a str,
    description: &'a str,
    parameters: WireValue<'a>,
}

impl<'a> From<&'a Tool> for WireTool<'a> {
    fn from(tool: &'a Tool) -> Self {
        let Tool { name, description, parameters, .. } = tool;
        Self { name, description, parameters: WireValue(parameters, 0) }
    }
}

#[derive(Serialize)]
struct WireVariable<'a> {
    name: &'a str,
    value: Option<&'a str>,
}

#[derive(Serialize)]
struct WireOrigins<'a> {
    version: u32,
    origins: Vec<WireOrigin<'a>>,
}

#[derive(Serialize)]
struct WireOrigin<'a> {
    kind: &'static str,
    name: &'a str,
    edited: bool,
    registered: Option<WireRegistered<'a>>,
    shadowed: Vec<WireRegistered<'a>>,
}

impl<'a> From<&'a PartOrigin> for WireOrigin<'a> {
    fn from(origin: &'a PartOrigin) -> Self {
        Self {
            kind: origin.kind.as_str(),
            name: &origin.name,
            edited: origin.edited,
            registered: origin.registered.as_ref().map(WireRegistered::from),
            shadowed: origin.shadowed.iter().map(WireRegistered::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct WireRegistered<'a> {
    layer: Option<&'a str>,
    source: WireSource<'a>,
    file: Option<&'a str>,
}

impl<'a> From<&'a Registered> for WireRegistered<'a> {
    fn from(registered: &'a Registered) -> Self {
        Self {
            layer: registered.layer.as_deref(),
            source: WireSource(&registered.source),
            file: registered.file.as_deref(),
        }
    }
}

struct WireSource<'a>(&'a Source);

impl Serialize for WireSource<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

#[derive(Serialize)]
struct WireSizes<'a> {
    version: u32,
    sizes: Vec<WireSize<'a>>,
}

#[derive(Serialize)]
struct WireSize<'a> {
    kind: &'static str,
    name: &'a str,
    bytes: usize,
    characters: usize,
}

#[derive(Serialize)]
struct WireDiff<'a> {
    version: u32,
    changes: Vec<WireChange<'a>>,
}

#[derive(Serialize)]
struct WireChange<'a> {
    change: &'static str,
    kind: &'static str,
    name: &'a str,
}

#[derive(Serialize)]
struct WirePrefix<'a> {
    version: u32,
    bytes: usize,
    total: usize,
    tools_changed: bool,
    spoiler: Option<WireSpoiler<'a>>,
}

#[derive(Serialize)]
struct WireSpoiler<'a> {
    section: &'a str,
    variable: Option<&'a str>,
    stable_behind: usize,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    version: u32,
    role: &'static str,
    source: &'a str,
    content: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<WireText<'a>>>,
}

#[derive(Serialize)]
struct WireText<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> From<&'a super::render::ContextText> for WireText<'a> {
    fn from(context: &'a super::render::ContextText) -> Self {
        Self { name: &context.name, text: &context.text }
    }
}

/// A value, and how deep it stands. What nests deeper than values do, which only a listener can
/// make, is null.
struct WireValue<'a>(&'a Value, usize);

impl Serialize for WireValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value, depth) = *self;
        match value {
            Value::List(_) | Value::Map(_) if depth >= MAX_DEPTH => serializer.serialize_unit(),
            Value::Null => serializer.serialize_unit(),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Integer(value) => serializer.serialize_i64(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items.iter() {
                    list.serialize_element(&WireValue(item, depth + 1))?;
                }
                list.end()
            }
            Value::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries.iter() {
                    map.serialize_entry(&**key, &WireValue(value, depth + 1))?;
                }
                map.end()
            }
        }
    }
}
