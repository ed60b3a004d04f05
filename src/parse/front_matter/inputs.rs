//! Declared inputs: what stands under `vars` (language §3).

use std::collections::HashSet;
use std::sync::Arc;

use super::scalar::core_value;
use super::tree::{Entry, Node, NodeKind, excerpt};
use super::{Input, InputKind};
use crate::diag::codes::INVALID_DECLARATION;
use crate::diag::{Finding, near};
use crate::parse::names;
use crate::text::Span;
use crate::value::Value;

const KINDS: [InputKind; 7] = [
    InputKind::String,
    InputKind::Integer,
    InputKind::Number,
    InputKind::Boolean,
    InputKind::List,
    InputKind::Map,
    InputKind::Any,
];

/// What other languages call the types.
const FOREIGN_KINDS: [(&str, &str); 14] = [
    ("str", "string"),
    ("text", "string"),
    ("int", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("decimal", "number"),
    ("bool", "boolean"),
    ("array", "list"),
    ("seq", "list"),
    ("sequence", "list"),
    ("object", "map"),
    ("dict", "map"),
    ("mapping", "map"),
    ("enum", "string"),
];

const KEYS: [&str; 4] = ["type", "default", "enum", "description"];

/// The inputs that the value of `vars` declares, in the order of the text; `None` where it is no
/// map. An empty value declares none.
pub(super) fn read(vars: &Entry, findings: &mut Vec<Finding>) -> Option<Vec<Input>> {
    match &vars.value.kind {
        NodeKind::Map(entries) => {
            let taken = entries.iter().map(|entry| &*entry.key).collect();
            let mut reader = Reader { taken, findings };
            Some(entries.iter().filter_map(|entry| reader.input(entry)).collect())
        }
        _ if vars.value.is_null() => Some(Vec::new()),
        _ => {
            let message =
                format!("`vars` must map names to types, but it is {}", vars.value.describe());
            let help = "write one input a line below `vars:`, as in `  language: string`";
            findings.push(Finding::new(INVALID_DECLARATION, vars.key_span, message).help(help));
            None
        }
    }
}

struct Reader<'a, 'f> {
    /// All names that stand in this `vars`.
    taken: HashSet<&'a str>,
    findings: &'f mut Vec<Finding>,
}

impl<'a> Reader<'a, '_> {
    /// One input. A faulty one is kept all the same, so that its uses are not reported as well; but
    /// a wrong name declares nothing.
    fn input(&mut self, entry: &'a Entry) -> Option<Input> {
        let (name, span) = (&entry.key, entry.key_span);
        if !names::is_name(name) {
            self.wrong_name(name, span);
            return None;
        }
        let sound = self.findings.len();
        let mut input = Input {
            name: Arc::clone(name),
            span,
            kind: InputKind::Any,
            default: None,
            choices: None,
            description: None,
            faulty: false,
        };
        match &entry.value.kind {
            NodeKind::Map(parts) => self.parts(parts, &mut input),
            _ => input.kind = self.kind(&entry.value, &input).unwrap_or(InputKind::Any),
        }
        input.faulty = self.findings.len() > sound;
        Some(input)
    }

    /// A declaration in the long form. Where it names no type, any value will do.
    fn parts(&mut self, parts: &'a [Entry], input: &mut Input) {
        let part = |key: &str| parts.iter().find(|part| &*part.key == key).map(|part| &part.value);
        for entry in parts.iter().filter(|part| !KEYS.contains(&&*part.key)) {
            self.unknown_key(entry, |key| part(key).is_some());
        }
        if let Some(node) = part("description") {
            input.description = self.description(node, input);
        }
        // What does not fit a type that is none is not reported on top.
        let kind = part("type").map_or(Some(InputKind::Any), |node| self.kind(node, input));
        let Some(kind) = kind else { return };
        input.kind = kind;
        let choices = part("enum").map(|node| self.choices(node, input));
        if let Some(node) = part("default") {
            input.default = self.default(node, input, choices.as_ref().and_then(Option::as_deref));
        }
        input.choices = choices.flatten();
    }

    fn kind(&mut self, node: &Node, input: &Input) -> Option<InputKind> {
        let name = &input.name;
        let Some(text) = node.text() else {
            let finding = if node.is_null() {
                wrong(input, format!("`{name}` has no type"))
                    .help(format!("write one, as in `{name}: string`; `any` takes every value"))
            } else {
                wrong(
                    input,
                    format!("the type of `{name}` must be a word, not {}", node.describe()),
                )
                .help(format!("the types are {}", kinds()))
            };
            self.findings.push(finding);
            return None;
        };
        let kind = KINDS.iter().copied().find(|kind| kind.name() == &**text);
        if kind.is_none() {
            let finding =
                wrong(input, format!("`{name}` has the unknown type `{}`", excerpt(text)));
            self.findings.push(match meant_kind(text) {
                Some(kind) => finding.help(format!("did you mean `{kind}`?")).edit(node.span, kind),
                None => finding.help(format!("the types are {}", kinds())),
            });
        }
        kind
    }

    fn choices(&mut self, node: &Node, input: &Input) -> Option<Vec<Value>> {
        let name = &input.name;
        let NodeKind::List(items) = &node.kind else {
            let message = format!("the enum of `{name}` must be a list, not {}", node.describe());
            self.findings.push(wrong(input, message).help("write it as in `enum: [dry, warm]`"));
            return None;
        };
        if items.is_empty() {
            let message = format!("the enum of `{name}` is empty, so that no value is left");
            self.findings.push(wrong(input, message).help("list the values, or leave `enum` out"));
            return None;
        }
        let mut choices = Vec::with_capacity(items.len());
        for item in items {
            if let Some(value) = taken_by(input.kind, item) {
                choices.push(value);
                continue;
            }
            let kind = input.kind.described();
            let message = format!("{} in the enum of `{name}` is not {kind}", shown(item));
            self.findings.push(mismatch(wrong(input, message), input.kind, item));
        }
        (choices.len() == items.len()).then_some(choices)
    }

    fn default(&mut self, node: &Node, input: &Input, choices: Option<&[Value]>) -> Option<Value> {
        let name = &input.name;
        let Some(value) = taken_by(input.kind, node) else {
            let kind = input.kind.described();
            let message =
                format!("the default of `{name}` must be {kind}, but it is {}", shown(node));
            self.findings.push(mismatch(wrong(input, message), input.kind, node));
            return None;
        };
        let Some(choices) = choices else { return Some(value) };
        if choices.iter().any(|choice| same(choice, &value)) {
            return Some(value);
        }
        let finding = wrong(
            input,
            format!("the default of `{name}` is {}, which is not in its enum", shown(node)),
        );
        let texts = choices.iter().filter_map(|choice| match choice {
            Value::Text(text) => Some(&**text),
            _ => None,
        });
        self.findings.push(match node.text().and_then(|text| near::nearest(text, texts)) {
            Some(near) => finding.help(format!("did you mean `{near}`?")).edit(node.span, near),
            None => finding.help("take a value of the enum, or add this one to it"),
        });
        None
    }

    fn description(&mut self, node: &Node, input: &Input) -> Option<Arc<str>> {
        if node.text().is_none() && !node.is_null() {
            let message = format!(
                "the description of `{}` must be a text, not {}",
                input.name,
                node.describe()
            );
            self.findings.push(wrong(input, message));
        }
        node.text().cloned()
    }

    fn wrong_name(&mut self, name: &str, span: Span) {
        if names::has_form_of_name(name) {
            let message = format!("`{name}` is a word of expressions and cannot name an input");
            let help = "take another name";
            self.findings.push(Finding::new(INVALID_DECLARATION, span, message).help(help));
            return;
        }
        let message = match name {
            "" => "an input has no name".to_owned(),
            _ => format!("`{}` cannot name an input", excerpt(name)),
        };
        let finding = Finding::new(INVALID_DECLARATION, span, message);
        let usable: String = name
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
            .collect::<String>()
            .to_ascii_lowercase();
        let rule = "a name is small letters, digits and `_`, with a letter first";
        self.findings.push(if names::is_name(&usable) && !self.taken.contains(&*usable) {
            finding.help(format!("{rule}; did you mean `{usable}`?")).edit(span, usable)
        } else {
            finding.help(rule)
        });
    }

    fn unknown_key(&mut self, entry: &Entry, has: impl Fn(&str) -> bool) {
        let Entry { key, key_span, .. } = entry;
        let message = format!("a declaration has no key `{}`", excerpt(key));
        let finding = Finding::new(INVALID_DECLARATION, *key_span, message);
        self.findings.push(match meant_key(key) {
            _ if matches!(&**key, "required" | "optional") => finding
                .help("leave it out: an input without `default` is required, one with it is not"),
            Some(meant) if !has(meant) => {
                finding.help(format!("did you mean `{meant}`?")).edit(*key_span, meant)
            }
            _ => finding.help("its keys are `type`, `default`, `enum` and `description`"),
        });
    }
}

fn wrong(input: &Input, message: String) -> Finding {
    Finding::new(INVALID_DECLARATION, input.span, message)
}

/// The value of a node as an input of this kind takes it; `None` where it does not fit. A string
/// input takes a scalar as it is written, whatever it looks like.
fn taken_by(kind: InputKind, node: &Node) -> Option<Value> {
    if kind == InputKind::String {
        return node.text().map(|text| Value::Text(Arc::clone(text)));
    }
    let value = node.value();
    kind.accepts(&value).then_some(value)
}

/// Adds what helps where a node does not fit a kind.
fn mismatch(finding: Finding, kind: InputKind, node: &Node) -> Finding {
    if node.is_null() {
        return finding.help(match kind {
            InputKind::String => "write `\"\"` for the empty text, or leave it out",
            _ => "write a value, or leave it out",
        });
    }
    let Some(text) = node.text() else {
        return finding.help(format!("write {}, or change the type", kind.described()));
    };
    let plain = match (kind, &*text.to_lowercase()) {
        (InputKind::Boolean, "yes" | "on" | "true") => Value::Boolean(true),
        (InputKind::Boolean, "no" | "off" | "false") => Value::Boolean(false),
        _ => core_value(text),
    };
    match plain {
        Value::Boolean(value) if kind == InputKind::Boolean => {
            finding.help(format!("write `{value}`")).edit(node.span, value.to_string())
        }
        plain if kind.accepts(&plain) => {
            finding.help(format!("write `{text}` without quotes")).edit(node.span, &**text)
        }
        Value::Float(_) if kind == InputKind::Integer => {
            finding.help("write a whole number, or declare a `number`")
        }
        _ => finding.help(format!("write {}, or change the type", kind.described())),
    }
}

/// The type that a word most likely stands for.
fn meant_kind(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let foreign = FOREIGN_KINDS.iter().find(|(word, _)| *word == lower).map(|&(_, kind)| kind);
    foreign.or_else(|| near::nearest(text, KINDS.iter().map(|kind| kind.name())))
}

/// The key of a declaration that a word most likely stands for.
fn meant_key(key: &str) -> Option<&'static str> {
    match key {
        "values" | "options" | "choices" | "allowed" | "one_of" | "oneOf" => Some("enum"),
        "doc" | "desc" | "help" | "title" => Some("description"),
        "kind" => Some("type"),
        "value" => Some("default"),
        _ => near::nearest(key, KEYS),
    }
}

fn kinds() -> String {
    KINDS.iter().map(|kind| format!("`{}`", kind.name())).collect::<Vec<_>>().join(", ")
}

/// A node as a message shows it.
fn shown(node: &Node) -> String {
    match node.text() {
        Some(text) if text.is_empty() => "the empty text".to_owned(),
        Some(text) => format!("`{}`", excerpt(text)),
        None => node.describe().to_owned(),
    }
}

/// Whether two values are equal; numbers by value.
#[expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "a float that is written as a choice is compared as it is written"
)]
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (&Value::Integer(whole), &Value::Float(number))
        | (&Value::Float(number), &Value::Integer(whole)) => number == whole as f64,
        _ => left == right,
    }
}
