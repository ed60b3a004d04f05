//! Code blocks that a prompt collects: tools and examples (language §9).

use std::sync::Arc;

use super::run::Collected;
use crate::compile::program::Program;
use crate::diag::{Diagnostic, Finding, Severity, codes};
use crate::text::Span;
use crate::value::{Value, parse_json};

/// The tools of all blocks, and what is wrong with the blocks that hold none.
pub(super) fn tools(program: &Program, collected: &[Collected]) -> (Vec<Value>, Vec<Diagnostic>) {
    let mut tools = Vec::new();
    let mut told = Vec::new();
    for block in collected {
        let document = &program.texts[block.text as usize].document;
        let mark = &document.body.fences[block.fence as usize];
        if !mark.tools {
            continue;
        }
        match read_tools(document.source.text(), mark.content, &block.content) {
            Ok(functions) => tools.extend(functions),
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
) -> Result<Vec<Value>, Box<Finding>> {
    let json = parse_json(printed).map_err(|error| {
        let span = place(source, content, printed, error.offset);
        Box::new(invalid(span, format!("this is no JSON: {}", error.message)))
    })?;
    functions(&json).ok_or_else(|| {
        let message = "a `tools` block holds a list of functions, an object with such a list as `tools`, or one function";
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
    Finding::new(codes::INVALID_JSON, span, message)
        .severity(Severity::Error)
        .help("a `tools` block is JSON; drop the word `tools` if it is an example")
}

/// The functions of a block, whichever of the three forms it has.
fn functions(json: &Value) -> Option<Vec<Value>> {
    let list = match json {
        Value::List(list) => list,
        Value::Map(entries) => match entries.get("tools") {
            Some(Value::List(list)) => list,
            Some(_) => return None,
            None => return Some(vec![json.clone()]),
        },
        _ => return None,
    };
    let are_functions = list.iter().all(|function| matches!(function, Value::Map(_)));
    are_functions.then(|| Arc::clone(list).to_vec())
}

/// The place in the source of an offset of what was printed: the same line, and the same column as
/// far as that line is printed as it is written.
fn place(source: &str, content: Span, printed: &str, offset: usize) -> Span {
    let before = &printed[..offset.min(printed.len())];
    let line = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let mut written = source[content.range()].split_inclusive('\n');
    let above: usize = written.by_ref().take(line).map(str::len).sum();
    let start = content.start as usize + above;
    let line = written.next().unwrap_or_default().trim_end_matches('\n');
    let shown = printed[before.len() - column..].lines().next().unwrap_or_default();
    let indent = if line.ends_with(shown) {
        line.len() - shown.len()
    } else {
        line.len() - line.trim_start_matches([' ', '\t', '>']).len()
    };
    let mut column = (indent + column).min(line.len());
    while !line.is_char_boundary(column) {
        column -= 1;
    }
    Span::at(start + column, start + column)
}
