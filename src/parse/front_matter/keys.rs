//! The keys of front matter that mean something to the engine (language §2).

use std::sync::Arc;

use super::tree::{Entry, Node, NodeKind, excerpt, values};
use super::{FrontMatter, Interpolate, Settings, extends, inputs};
use crate::diag::codes::INVALID_DECLARATION;
use crate::diag::{Finding, near};
use crate::parse::names::Names;
use crate::text::Source;
use crate::value::Value;

/// Reads the engine's keys of a map into `out`, and keeps all keys as metadata.
pub(super) fn read(entries: &[Entry], source: &Source, names: &mut Names, out: &mut FrontMatter) {
    for entry in entries {
        let findings = &mut out.findings;
        match &*entry.key {
            "name" => out.metadata.name = text(entry, findings),
            "description" => out.metadata.description = text(entry, findings),
            "vars" => {
                if let Some(declared) = inputs::read(entry, findings) {
                    out.closed = true;
                    out.inputs = declared;
                }
            }
            "extends" => out.extends = extends::read(entry, source, names, findings),
            _ => setting(entry, &mut out.settings, findings),
        }
    }
    out.metadata.values = Value::Map(Arc::new(values(entries)));
}

/// A text for listings. An empty value is none.
fn text(entry: &Entry, findings: &mut Vec<Finding>) -> Option<Arc<str>> {
    let text = entry.value.text();
    if text.is_none() && !entry.value.is_null() {
        let Entry { key, key_span, value } = entry;
        let message = format!("`{key}` must be a text, not {}", value.describe());
        findings.push(Finding::new(INVALID_DECLARATION, *key_span, message));
    }
    text.cloned()
}

fn setting(entry: &Entry, settings: &mut Settings, findings: &mut Vec<Finding>) {
    let text = entry.value.text().map_or("", |text| text);
    match &*entry.key {
        "interpolate" => match text {
            "all" => settings.interpolate = Interpolate::All,
            "prose" => settings.interpolate = Interpolate::Prose,
            "none" => settings.interpolate = Interpolate::None,
            _ => findings.push(wrong_choice(entry, &["all", "prose", "none"])),
        },
        "comments" => match text {
            "keep" => settings.strip_comments = Some(false),
            "strip" => settings.strip_comments = Some(true),
            _ => findings.push(wrong_choice(entry, &["keep", "strip"])),
        },
        "directives" => match truth(&entry.value) {
            Some(on) => settings.directives = on,
            None => findings.push(wrong_choice(entry, &["true", "false"])),
        },
        _ => {}
    }
}

fn truth(node: &Node) -> Option<bool> {
    match &node.kind {
        NodeKind::Scalar(scalar) => match scalar.value {
            Value::Boolean(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

fn wrong_choice(entry: &Entry, choices: &[&str]) -> Finding {
    let Entry { key, key_span, value } = entry;
    let list = either(choices);
    let Some(text) = value.text() else {
        let message = format!("`{key}` must be {list}, not {}", value.describe());
        return Finding::new(INVALID_DECLARATION, *key_span, message);
    };
    let finding = |not: &str| {
        let message = format!("`{key}` must be {list}, not {not}`{}`", excerpt(text));
        Finding::new(INVALID_DECLARATION, *key_span, message)
    };
    let meant = meant(text, choices);
    if let Some(choice) = meant.filter(|choice| *choice == &**text) {
        let finding = finding("the text ");
        return finding.help(format!("write `{choice}` without quotes")).edit(value.span, choice);
    }
    let finding = finding("");
    match meant {
        Some(choice) => finding.help(format!("did you mean `{choice}`?")).edit(value.span, choice),
        None => finding,
    }
}

/// `` `a`, `b` or `c` ``
fn either(choices: &[&str]) -> String {
    let mut list = String::new();
    for (at, choice) in choices.iter().enumerate() {
        let glue = match at {
            0 => "",
            _ if at + 1 == choices.len() => " or ",
            _ => ", ",
        };
        list.extend([glue, "`", choice, "`"]);
    }
    list
}

/// The choice that a text most likely stands for: itself in quotes that do not belong there, what
/// other formats call it, or a near one.
fn meant<'a>(text: &str, choices: &[&'a str]) -> Option<&'a str> {
    let word = match &*text.to_lowercase() {
        "yes" | "on" => "true",
        "no" | "off" => "false",
        _ => text,
    };
    let choice = choices.iter().copied().find(|&choice| choice == word);
    choice.or_else(|| near::nearest(word, choices.iter().copied()))
}
