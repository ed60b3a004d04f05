//! The order of the tools.

use std::collections::{BTreeSet, HashMap};

use super::assembly::Tool;
use super::error::AssembleError;
use super::options::AssembleOptions;

/// Puts tools in order: by name, or as the tool order of the options says.
pub(super) fn order(
    mut tools: Vec<Tool>,
    known: &BTreeSet<String>,
    options: &AssembleOptions,
) -> Result<Vec<Tool>, AssembleError> {
    let rest_entry = options.rest_entry.as_str();
    if tools.iter().any(|tool| tool.name == rest_entry) {
        return Err(AssembleError::ReservedTool { name: rest_entry.to_owned() });
    }
    // Stable: tools of one name stay as they were collected.
    let by_name = |one: &Tool, other: &Tool| utf16(&one.name).cmp(utf16(&other.name));
    let Some(order) = &options.tool_order else {
        tools.sort_by(by_name);
        return Ok(tools);
    };
    let is_unknown = |name: &&String| *name != rest_entry && !known.contains(*name);
    let unknown: Vec<String> = order.iter().filter(is_unknown).cloned().collect();
    if !unknown.is_empty() {
        let mut known: Vec<String> = known.iter().cloned().collect();
        known.sort_by(|one, other| utf16(one).cmp(utf16(other)));
        return Err(AssembleError::UnknownTools { names: unknown, known });
    }
    let places: HashMap<&str, usize> = order.iter().map(String::as_str).zip(0..).collect();
    let rest = places.get(rest_entry).copied().unwrap_or(order.len());
    let place = |tool: &Tool| places.get(tool.name.as_str()).copied();
    tools.sort_by(|one, other| {
        let (listed, other_listed) = (place(one), place(other));
        let places = listed.unwrap_or(rest).cmp(&other_listed.unwrap_or(rest));
        let rest = || if listed.is_none() { by_name(one, other) } else { places };
        places.then_with(rest)
    });
    Ok(tools)
}

/// By code units of UTF-16, as the original compares.
fn utf16(name: &str) -> impl Iterator<Item = u16> {
    name.encode_utf16()
}
