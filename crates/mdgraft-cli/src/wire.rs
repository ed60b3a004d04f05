//! What the JSON forms of the commands share.

use mdgraft::{Place, Value};
use serde::Serialize;

/// A place, as its first character.
#[derive(Serialize)]
pub(crate) struct WirePlace {
    file: String,
    line: usize,
    column: usize,
}

impl From<&Place> for WirePlace {
    fn from(place: &Place) -> Self {
        let position = place.position();
        Self { file: place.file.to_string(), line: position.line, column: position.column }
    }
}

/// A value of the engine as JSON.
pub(crate) fn json(value: &Value) -> serde_json::Value {
    serde_json::from_str(&value.to_json(None)).unwrap_or_default()
}

/// A document on one line, with its line end.
pub(crate) fn line(document: &impl Serialize) -> String {
    // Texts and numbers always serialise.
    serde_json::to_string(document).unwrap_or_default() + "\n"
}
