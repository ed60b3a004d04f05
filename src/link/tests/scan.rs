//! The part of a document that linking reads: `extends`, enum inputs and include lines.

use std::ops::Range;
use std::sync::Arc;

use crate::parse::document::Body;
use crate::parse::front_matter::{FrontMatter, Input, InputKind};
use crate::parse::include::{Include, IncludePath, Reading};
use crate::parse::names::Names;
use crate::parse::{Document, Mode};
use crate::text::{Source, Span};
use crate::value::Value;

pub(super) fn scan(source: &Source, mode: Mode) -> Document {
    let mut document = Document {
        source: source.clone(),
        front: FrontMatter::default(),
        names: Names::default(),
        body: Body::default(),
    };
    if mode != Mode::Template {
        return document;
    }
    let text = source.text();
    let mut start = 0;
    let mut in_front = false;
    for line in text.split_inclusive('\n') {
        let at = |part: &str| {
            let from = start + line.find(part).unwrap_or_default();
            from..from + part.len()
        };
        let bare = line.trim_end();
        if bare == "---" {
            in_front = start == 0;
        } else if let (true, Some(path)) = (in_front, bare.strip_prefix("extends: ")) {
            document.front.extends = Some(path_of(text, at(path), &mut document.names));
        } else if let (true, Some((name, kind))) = (in_front, bare.split_once(": ")) {
            document.front.inputs.push(input(name, kind, Span::at(start, start + name.len())));
        } else if let Some((inner, _)) = bare.strip_prefix("<<> ").and_then(|r| r.split_once(">>"))
        {
            let (path, options) = inner.split_once(" | ").unwrap_or((inner, ""));
            let include = Include {
                span: Span::at(start, start + bare.len()),
                path: path_of(text, at(path.trim()), &mut document.names),
                section: None,
                optional: options.contains("optional"),
                keep: false,
                reading: match options {
                    options if options.contains("raw") => Reading::Raw,
                    options if options.contains("code") => Reading::Code(None),
                    _ => Reading::Template,
                },
                with: Vec::new(),
            };
            document.body.includes.push(include);
        }
        start += line.len();
    }
    document
}

fn path_of(text: &str, range: Range<usize>, names: &mut Names) -> IncludePath {
    let quoted = text[range.clone()].starts_with('"');
    let range = if quoted { range.start + 1..range.end - 1 } else { range };
    let path = &text[range.clone()];
    let mut references = Vec::new();
    let mut from = 0;
    while let Some(open) = path[from..].find("{{").map(|at| at + from) {
        let Some(close) = path[open..].find("}}").map(|at| at + open) else { break };
        let name = &path[open + 2..close];
        let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase());
        let span = Span::at(range.start + open, range.start + close + 2);
        references.push((span, is_plain.then(|| names.intern(name))));
        from = close;
    }
    IncludePath { text: path.into(), span: Span::at(range.start, range.end), quoted, references }
}

/// `name: [a, b]` is an enum of texts, anything else an input of any text.
fn input(name: &str, kind: &str, span: Span) -> Input {
    let values = kind.strip_prefix('[').and_then(|values| values.strip_suffix(']'));
    let value = |value: &str| match value.parse() {
        Ok(number) => Value::Integer(number),
        Err(_) => Value::Text(Arc::from(value)),
    };
    Input {
        name: name.into(),
        span,
        kind: InputKind::String,
        default: None,
        choices: values.map(|values| values.split(", ").map(value).collect()),
        description: None,
        faulty: false,
    }
}
