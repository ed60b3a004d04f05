//! Code blocks that a prompt collects: tools and examples (language §9).

use serde_json::Value as Json;

use super::run::Collected;
use crate::compile::program::Program;
use crate::diag::{Diagnostic, Finding, Severity, codes};
use crate::text::Span;
use crate::value::Value;

/// The tools of all blocks, and what is wrong with the blocks that hold none.
pub(super) fn tools(program: &Program, collected: &[Collected]) -> (Vec<Value>, Vec<Diagnostic>) {
    let mut tools = Vec::new();
    let mut told = Vec::new();
    for block in collected {
        let text = &program.texts[block.text as usize];
        let mark = &text.document.body.fences[block.fence as usize];
        if !mark.tools {
            continue;
        }
        match read_tools(text.document.source.text(), mark.content, &block.content) {
            Ok(functions) => {
                tools.extend(functions.iter().filter_map(|json| Value::from_serialize(json).ok()))
            }
            Err(finding) => told.push(program.diagnostic(block.text, block.instance, *finding)),
        }
    }
    (tools, told)
}

/// The functions of a block of tools, as printed; what is wrong has its place in the source.
pub(crate) fn read_tools(
    source: &str,
    content: Span,
    printed: &str,
) -> Result<Vec<Json>, Box<Finding>> {
    let json = serde_json::from_str::<Json>(printed).map_err(|error| {
        let span = place(source, content, printed, &error);
        Box::new(invalid(span, format!("this is no JSON: {}", reason(&error))))
    })?;
    functions(json).ok_or_else(|| {
        let message =
            "a `tools` block holds a list, an object with a list `tools`, or one function";
        Box::new(invalid(Span::new(content.start, content.start), message))
    })
}

/// The texts of the `example` blocks.
pub(super) fn examples(program: &Program, collected: &[Collected]) -> Vec<String> {
    let is_example = |block: &&Collected| {
        program.texts[block.text as usize].document.body.fences[block.fence as usize].example
    };
    collected.iter().filter(is_example).map(|block| block.content.clone()).collect()
}

fn invalid(span: Span, message: impl Into<String>) -> Finding {
    Finding::new(codes::INVALID_JSON, span, message).severity(Severity::Error)
}

/// What serde_json says, without the place, which is given as ours.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

/// The functions of a block, whichever of the three forms it has.
fn functions(json: Json) -> Option<Vec<Json>> {
    match json {
        Json::Array(list) => list.iter().all(Json::is_object).then_some(list),
        Json::Object(mut object) => match object.remove("tools") {
            Some(Json::Array(list)) => list.iter().all(Json::is_object).then_some(list),
            Some(_) => None,
            None => Some(vec![Json::Object(object)]),
        },
        _ => None,
    }
}

/// The place of a JSON error in the source: the same line, and the same column as far as that line
/// is printed as it is written.
fn place(source: &str, content: Span, printed: &str, error: &serde_json::Error) -> Span {
    let line = error.line().max(1) - 1;
    let mut start = content.start as usize;
    for written in source[content.range()].split_inclusive('\n').take(line) {
        start += written.len();
    }
    let written = source[start..content.end as usize].lines().next().unwrap_or_default();
    let shown = printed.lines().nth(line).unwrap_or_default();
    let indent =
        written.len().saturating_sub(shown.len()).min(written.len() - written.trim_start().len());
    let indent = if written.ends_with(shown) { written.len() - shown.len() } else { indent };
    let mut column = (indent + error.column().saturating_sub(1)).min(written.len());
    while !written.is_char_boundary(column) {
        column -= 1;
    }
    Span::at(start + column, start + column)
}
