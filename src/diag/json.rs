//! The form for programs. Its schema is in the documentation of [`Diagnostics::json`].

use std::fmt::Write;

use serde::Serialize;

use super::escape::is_unsafe;
use super::{Diagnostic, Diagnostics, Edit, Place};

impl Diagnostics {
    /// The diagnostics as one line of JSON, with no line end at its end.
    ///
    /// ```json
    /// {
    ///   "version": 1,
    ///   "diagnostics": [
    ///     {
    ///       "code": "unknown-variable",
    ///       "severity": "error",
    ///       "message": "`usr` has no value",
    ///       "help": "did you mean `user`?",
    ///       "file": "parts/sign.md",
    ///       "line": 2, "column": 6, "end_line": 2, "end_column": 9, "byte": 14, "end_byte": 17,
    ///       "chain": [{ "file": "main.md", "line": 3, … }],
    ///       "related": [{ "message": "declared here", "file": "main.md", "line": 3, … }],
    ///       "edit": { "text": "user", "file": "parts/sign.md", "line": 2, … }
    ///     }
    ///   ],
    ///   "more": 0
    /// }
    /// ```
    ///
    /// - `version` is 1. Keys may be added to this version; none changes or goes away.
    /// - `severity` is `error` or `warning`; `code` is one of [`Code::all`](super::Code::all).
    /// - `help` is a text or null.
    /// - A place is the seven keys `file` to `end_byte`. `file` is the path from its root, with
    ///   `/`; a file of a named root is `@name/path`. Lines and columns count from 1, columns in
    ///   characters; the end is the position behind the last character. `byte` and `end_byte`
    ///   count from 0 in the file as it is stored, with its byte order mark and its line ends.
    /// - `chain` lists the include directives that led to the file, the outermost first;
    ///   `related` lists places that matter too, each with a `message`. Either may be empty.
    /// - `edit` is null, or the place to replace and the `text` to put there, with LF as line end.
    /// - `more` counts the diagnostics past the thousandth, which are not listed.
    ///
    /// Control characters are escaped, so that the line can be printed in a terminal.
    #[must_use]
    pub fn json(&self) -> String {
        let report = Report {
            version: 1,
            diagnostics: self.iter().map(WireDiagnostic::from).collect(),
            more: self.more,
        };
        // Texts and numbers always serialise.
        escape_json(&serde_json::to_string(&report).unwrap_or_default())
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    diagnostics: Vec<WireDiagnostic<'a>>,
    more: usize,
}

#[derive(Serialize)]
struct WireDiagnostic<'a> {
    code: &'static str,
    severity: String,
    message: &'a str,
    help: Option<&'a str>,
    #[serde(flatten)]
    place: WirePlace<'a>,
    chain: Vec<WirePlace<'a>>,
    related: Vec<WireRelated<'a>>,
    edit: Option<WireEdit<'a>>,
}

#[derive(Serialize)]
struct WireRelated<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: WirePlace<'a>,
}

#[derive(Serialize)]
struct WireEdit<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: WirePlace<'a>,
}

#[derive(Serialize)]
struct WirePlace<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    byte: usize,
    end_byte: usize,
}

impl<'a> From<&'a Diagnostic> for WireDiagnostic<'a> {
    fn from(diagnostic: &'a Diagnostic) -> Self {
        Self {
            code: diagnostic.code.as_str(),
            severity: diagnostic.severity.to_string(),
            message: &diagnostic.message,
            help: diagnostic.help.as_deref(),
            place: WirePlace::from(&diagnostic.place),
            chain: diagnostic.chain.iter().map(WirePlace::from).collect(),
            related: diagnostic.related.iter().map(WireRelated::from).collect(),
            edit: diagnostic.edit.as_ref().map(WireEdit::from),
        }
    }
}

impl<'a> From<&'a (Place, String)> for WireRelated<'a> {
    fn from((place, message): &'a (Place, String)) -> Self {
        Self { message, place: WirePlace::from(place) }
    }
}

impl<'a> From<&'a Edit> for WireEdit<'a> {
    fn from(edit: &'a Edit) -> Self {
        Self { text: &edit.text, place: WirePlace::from(&edit.place) }
    }
}

impl<'a> From<&'a Place> for WirePlace<'a> {
    fn from(place: &'a Place) -> Self {
        let (start, end) = (place.position(), place.end());
        Self {
            file: &place.file,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            byte: place.source.original_offset(place.span.start),
            end_byte: place.source.original_offset(place.span.end),
        }
    }
}

/// JSON itself escapes the controls of ASCII only. The others can stand in its texts alone, so
/// they can be replaced wherever they are.
pub(crate) fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if !is_unsafe(character) {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diag::sample::{full, hostile, list, place, plain};

    fn parsed(diagnostics: &Diagnostics) -> Value {
        serde_json::from_str(&diagnostics.json()).expect("JSON")
    }

    #[test]
    fn the_json_form_has_every_part() {
        assert_eq!(
            parsed(&list(vec![full()], 3)),
            json!({
                "version": 1,
                "diagnostics": [{
                    "code": "unknown-variable",
                    "severity": "error",
                    "message": "`usr` is declared nowhere",
                    "help": "did you mean `user`?",
                    "file": "parts/sign.md",
                    "line": 2, "column": 6, "end_line": 2, "end_column": 9,
                    "byte": 13, "end_byte": 16,
                    "chain": [
                        {
                            "file": "main.md",
                            "line": 5, "column": 1, "end_line": 5, "end_column": 13,
                            "byte": 29, "end_byte": 41,
                        },
                        {
                            "file": "end.md",
                            "line": 3, "column": 1, "end_line": 3, "end_column": 20,
                            "byte": 6, "end_byte": 25,
                        },
                    ],
                    "related": [{
                        "message": "declared here",
                        "file": "main.md",
                        "line": 3, "column": 3, "end_line": 3, "end_column": 7,
                        "byte": 12, "end_byte": 16,
                    }],
                    "edit": {
                        "text": "user",
                        "file": "parts/sign.md",
                        "line": 2, "column": 6, "end_line": 2, "end_column": 9,
                        "byte": 13, "end_byte": 16,
                    },
                }],
                "more": 3,
            })
        );
        let nothing = parsed(&Diagnostics::default());
        assert_eq!(nothing, json!({"version": 1, "diagnostics": [], "more": 0}));
    }

    #[test]
    fn what_is_not_there_is_null_or_empty() {
        let diagnostic = parsed(&list(vec![plain(place("a.md", "", 0, 0), "m")], 0));
        let diagnostic = &diagnostic["diagnostics"][0];
        assert_eq!((&diagnostic["help"], &diagnostic["edit"]), (&Value::Null, &Value::Null));
        assert_eq!((&diagnostic["chain"], &diagnostic["related"]), (&json!([]), &json!([])));
    }

    #[test]
    fn bytes_count_in_the_file_as_it_is_stored() {
        let diagnostic = plain(place("a.md", "\u{feff}é\r\n\r\nx", 4, 5), "m");
        let diagnostic = &parsed(&list(vec![diagnostic], 0))["diagnostics"][0];
        let place = ["line", "column", "byte", "end_byte"].map(|key| diagnostic[key].as_u64());
        assert_eq!(place, [Some(3), Some(1), Some(9), Some(10)]);
    }

    #[test]
    fn a_program_reads_what_a_terminal_is_not_shown() {
        let diagnostics = list(vec![hostile()], 0);
        assert!(!diagnostics.json().contains(is_unsafe));
        let message = &parsed(&diagnostics)["diagnostics"][0]["message"];
        assert_eq!(message, &hostile().message);
        assert_eq!(escape_json("\"\u{e0041}\u{85}\""), r#""\udb40\udc41\u0085""#);
    }
}
