//! What an assembly file says: keys, types and names are checked here, files are not.

use std::collections::HashSet;

use super::tree::{Entry, Kind, Node};
use crate::assemble::assembly::is_variable_name;
use crate::assemble::options::{IDENTITY_ORDER, IDENTITY_SECTION, PERSONA_ORDER, PERSONA_SECTION};
use crate::diag::{Finding, codes, near};
use crate::text::Span;

/// A text with its place.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) span: Span,
}

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct Form {
    pub(super) tool_order: Option<(Vec<Written>, Span)>,
    pub(super) global: LayerForm,
    pub(super) scopes: Vec<ScopeForm>,
}

#[derive(Debug)]
pub(super) struct ScopeForm {
    pub(super) name: Written,
    pub(super) parent: Option<Written>,
    pub(super) layer: LayerForm,
}

#[derive(Debug, Default)]
pub(super) struct LayerForm {
    pub(super) sections: Vec<PartForm>,
    pub(super) contexts: Vec<PartForm>,
    pub(super) variables: Vec<VariableForm>,
    /// The names of all variables, those too that are declared with a mistake.
    pub(super) names: Vec<String>,
    /// The paths of files of tools.
    pub(super) tools: Vec<Written>,
    pub(super) suppresses: bool,
}

#[derive(Debug)]
pub(super) struct PartForm {
    pub(super) name: Written,
    pub(super) order: f64,
    pub(super) complete: Option<Span>,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Text { text: Written, verbatim: bool },
    File { path: Written, filter: Vec<FilterEntry> },
}

/// An entry of a filter, and whether it removes.
#[derive(Debug)]
pub(super) struct FilterEntry {
    pub(super) path: Written,
    pub(super) removes: bool,
}

#[derive(Debug)]
pub(super) struct VariableForm {
    pub(super) name: Written,
    pub(super) value: VariableValue,
}

#[derive(Clone, Debug)]
pub(super) enum VariableValue {
    Literal(String),
    Environment { name: String, default: Option<String> },
    Argument { name: String, default: Option<String> },
}

const LAYER_KEYS: [&str; 5] = ["sections", "contexts", "variables", "tools", "runtime_context"];

/// Reads what the file says, and all that is wrong with it.
pub(super) fn read(entries: &[Entry]) -> (Form, Vec<Finding>) {
    let mut reader = Reader { findings: Vec::new() };
    let known = ["identity", "persona", "tool_order", "scopes"];
    reader.check_keys(entries, &[&known[..], &LAYER_KEYS[..]].concat());
    let mut form = Form { global: reader.layer(entries), ..Form::default() };
    let mut built_in = Vec::new();
    for entry in entries {
        match entry.key.as_str() {
            "identity" => {
                built_in.push(reader.built_in(entry, IDENTITY_SECTION, IDENTITY_ORDER));
            }
            "persona" => {
                built_in.push(reader.built_in(entry, PERSONA_SECTION, PERSONA_ORDER));
            }
            "tool_order" => {
                form.tool_order = reader.texts(entry).map(|order| (order, entry.key_span));
            }
            "scopes" => form.scopes = reader.scopes(entry),
            _ => {}
        }
    }
    form.global.sections.splice(0..0, built_in.into_iter().flatten());
    (form, reader.findings)
}

struct Reader {
    findings: Vec<Finding>,
}

impl Reader {
    fn scopes(&mut self, entry: &Entry) -> Vec<ScopeForm> {
        let mut scopes = Vec::new();
        for scope in self.table(entry) {
            let name = Written { text: scope.key.clone(), span: scope.key_span };
            let entries = self.table(scope);
            self.check_keys(entries, &[&["parent"][..], &LAYER_KEYS[..]].concat());
            let layer = self.layer(entries);
            let parent = entries.iter().find(|entry| entry.key == "parent");
            let parent = parent.and_then(|parent| self.text(parent));
            scopes.push(ScopeForm { name, parent, layer });
        }
        scopes
    }

    fn layer(&mut self, entries: &[Entry]) -> LayerForm {
        let mut layer = LayerForm::default();
        for entry in entries {
            match entry.key.as_str() {
                "sections" => layer.sections = self.parts(entry, "section"),
                "contexts" => layer.contexts = self.parts(entry, "context"),
                "variables" => {
                    layer.variables = self.variables(entry);
                    if let Kind::Table(variables) = &entry.value.kind {
                        layer.names = variables.iter().map(|it| it.key.clone()).collect();
                    }
                }
                "tools" => layer.tools = self.texts(entry).unwrap_or_default(),
                "runtime_context" => {
                    layer.suppresses = self.boolean(entry) == Some(false);
                }
                _ => {}
            }
        }
        layer
    }

    fn parts(&mut self, entry: &Entry, kind: &'static str) -> Vec<PartForm> {
        let Kind::List(items) = &entry.value.kind else {
            let (key, found) = (&entry.key, entry.value.described());
            let message = format!("`{key}` is a list of tables, not {found}");
            let finding = Finding::new(codes::INVALID_DECLARATION, entry.key_span, message)
                .help(format!("write `[[{key}]]` above each {kind}"));
            self.findings.push(finding);
            return Vec::new();
        };
        let mut parts: Vec<PartForm> = Vec::new();
        let mut names: HashSet<String> = HashSet::new();
        for item in items {
            let Kind::Table(entries) = &item.kind else {
                let message = format!("a {kind} is a table, not {}", item.described());
                self.wrong(item.span, message);
                continue;
            };
            let at = entries.first().map_or(entry.key_span, |first| first.key_span);
            let Some(part) = self.part(entries, at, kind) else { continue };
            if !names.insert(part.name.text.clone()) {
                let message = format!("the {kind} `{}` is declared twice here", part.name.text);
                let finding = Finding::new(codes::INVALID_DECLARATION, part.name.span, message)
                    .help("give it another name, or declare it in a scope to override it");
                self.findings.push(finding);
                continue;
            }
            parts.push(part);
        }
        parts
    }

    fn part(&mut self, entries: &[Entry], at: Span, kind: &'static str) -> Option<PartForm> {
        let is_section = kind == "section";
        let mut known = vec!["name", "order", "text", "file", "include", "exclude", "verbatim"];
        known.extend(is_section.then_some("complete"));
        self.check_keys(entries, &known);
        let mut part = Fields::default();
        for entry in entries {
            match entry.key.as_str() {
                "name" => part.name = self.name(entry),
                "order" => part.order = self.order(entry),
                "text" => part.text = self.text(entry),
                "file" => part.file = self.text(entry),
                "include" | "exclude" => {
                    let removes = entry.key == "exclude";
                    let paths = self.texts(entry).unwrap_or_default();
                    let entry = |path| FilterEntry { path, removes };
                    part.filter.extend(paths.into_iter().map(entry));
                    part.filter_at.get_or_insert(at_key(entries, &["include", "exclude"], at));
                }
                "complete" if is_section => {
                    part.complete = self.boolean(entry).and_then(|it| it.then_some(entry.key_span));
                }
                "verbatim" => part.verbatim = self.boolean(entry) == Some(true),
                _ => {}
            }
        }
        // A removing entry comes behind those that select, wherever its key stands.
        part.filter.sort_by_key(|entry| entry.removes);
        self.finished(part, entries, at, kind)
    }

    fn finished(
        &mut self,
        part: Fields,
        entries: &[Entry],
        at: Span,
        kind: &'static str,
    ) -> Option<PartForm> {
        let has = |key: &str| entries.iter().any(|entry| entry.key == key);
        if !has("name") {
            self.wrong(at, format!("this {kind} has no `name`"));
        }
        let content = match (part.text, part.file) {
            (Some(_), Some(file)) => {
                self.wrong(file.span, format!("this {kind} has both a `text` and a `file`"));
                return None;
            }
            (None, None) => {
                if !has("text") && !has("file") {
                    self.wrong(at, format!("this {kind} has no `text` and no `file`"));
                }
                return None;
            }
            (Some(text), None) => {
                if let Some(filter) = part.filter_at {
                    self.wrong(filter, "only what comes from a `file` can be filtered".to_owned());
                }
                Content::Text { text, verbatim: part.verbatim }
            }
            (None, Some(path)) => Content::File { path, filter: part.filter },
        };
        let order = part.order.unwrap_or_default();
        Some(PartForm { name: part.name?, order, complete: part.complete, content })
    }

    fn variables(&mut self, entry: &Entry) -> Vec<VariableForm> {
        let mut variables = Vec::new();
        for entry in self.table(entry) {
            let name = Written { text: entry.key.clone(), span: entry.key_span };
            if !is_variable_name(&name.text) {
                let message = format!("`{}` cannot name a variable", name.text);
                let finding = Finding::new(codes::INVALID_DECLARATION, name.span, message);
                self.findings.push(finding.help("begin with a letter; a to z, digits and `_`"));
                continue;
            }
            let value = match &entry.value.kind {
                Kind::Text(text) => Some(VariableValue::Literal(text.clone())),
                Kind::Number(_, digits) => Some(VariableValue::Literal(digits.clone())),
                Kind::Boolean(value) => Some(VariableValue::Literal(value.to_string())),
                Kind::Table(fields) => self.source(fields, entry),
                Kind::Date | Kind::List(_) => {
                    self.wrong_type(entry, "a text, or a table with `env` or `arg`");
                    None
                }
            };
            variables.extend(value.map(|value| VariableForm { name, value }));
        }
        variables
    }

    /// `{ env = "NAME", default = "…" }` or `{ arg = "name" }`.
    fn source(&mut self, fields: &[Entry], variable: &Entry) -> Option<VariableValue> {
        self.check_keys(fields, &["env", "arg", "default"]);
        let mut text = |key: &str| {
            let field = fields.iter().find(|field| field.key == key)?;
            self.text(field).map(|written| written.text)
        };
        let (env, arg, default) = (text("env"), text("arg"), text("default"));
        match (env, arg) {
            (Some(name), None) => Some(VariableValue::Environment { name, default }),
            (None, Some(name)) => Some(VariableValue::Argument { name, default }),
            (Some(_), Some(_)) => {
                let message = format!("`{}` has both an `env` and an `arg`", variable.key);
                self.wrong(variable.key_span, message);
                None
            }
            (None, None) => {
                if !fields.iter().any(|field| matches!(field.key.as_str(), "env" | "arg")) {
                    let message = format!("`{}` has no `env` and no `arg`", variable.key);
                    self.wrong(variable.key_span, message);
                }
                None
            }
        }
    }

    /// A section that has a key of its own.
    fn built_in(&mut self, entry: &Entry, name: &str, order: f64) -> Option<PartForm> {
        let text = self.text(entry)?;
        let name = Written { text: name.to_owned(), span: entry.key_span };
        let content = Content::Text { text, verbatim: false };
        Some(PartForm { name, order, complete: None, content })
    }

    fn name(&mut self, entry: &Entry) -> Option<Written> {
        let name = self.text(entry)?;
        if name.text.is_empty() {
            self.wrong(entry.key_span, "a `name` is not empty".to_owned());
            return None;
        }
        Some(name)
    }

    fn order(&mut self, entry: &Entry) -> Option<f64> {
        let Kind::Number(order, written) = &entry.value.kind else {
            self.wrong_type(entry, "a number");
            return None;
        };
        if !order.is_finite() {
            self.wrong(entry.value.span, format!("an `order` is a finite number, not {written}"));
            return None;
        }
        Some(*order)
    }

    fn text(&mut self, entry: &Entry) -> Option<Written> {
        let Kind::Text(text) = &entry.value.kind else {
            self.wrong_type(entry, "a string");
            return None;
        };
        Some(Written { text: text.clone(), span: entry.value.span })
    }

    fn texts(&mut self, entry: &Entry) -> Option<Vec<Written>> {
        let Kind::List(items) = &entry.value.kind else {
            self.wrong_type(entry, "a list of strings");
            return None;
        };
        let mut texts = Vec::with_capacity(items.len());
        for Node { kind, span } in items {
            let Kind::Text(text) = kind else {
                self.wrong(*span, format!("`{}` is a list of strings", entry.key));
                continue;
            };
            texts.push(Written { text: text.clone(), span: *span });
        }
        Some(texts)
    }

    fn boolean(&mut self, entry: &Entry) -> Option<bool> {
        let Kind::Boolean(value) = entry.value.kind else {
            self.wrong_type(entry, "`true` or `false`");
            return None;
        };
        Some(value)
    }

    fn table<'a>(&mut self, entry: &'a Entry) -> &'a [Entry] {
        let Kind::Table(entries) = &entry.value.kind else {
            self.wrong_type(entry, "a table");
            return &[];
        };
        entries
    }

    fn check_keys(&mut self, entries: &[Entry], known: &[&str]) {
        for Entry { key, key_span, .. } in entries {
            if known.contains(&key.as_str()) {
                continue;
            }
            let message = format!("`{key}` is no key here");
            let finding = Finding::new(codes::INVALID_DECLARATION, *key_span, message);
            self.findings.push(match near::nearest(key, known.iter().copied()) {
                Some(near) => finding.help(format!("did you mean `{near}`?")).edit(*key_span, near),
                None => finding.help(format!("known are {}", known.join(", "))),
            });
        }
    }

    fn wrong_type(&mut self, entry: &Entry, expected: &str) {
        let message = format!("`{}` is {expected}, not {}", entry.key, entry.value.described());
        self.wrong(entry.key_span, message);
    }

    fn wrong(&mut self, span: Span, message: String) {
        self.findings.push(Finding::new(codes::INVALID_DECLARATION, span, message));
    }
}

/// The keys of a part, as far as they were read.
#[derive(Default)]
struct Fields {
    name: Option<Written>,
    order: Option<f64>,
    text: Option<Written>,
    file: Option<Written>,
    filter: Vec<FilterEntry>,
    filter_at: Option<Span>,
    complete: Option<Span>,
    verbatim: bool,
}

fn at_key(entries: &[Entry], keys: &[&str], otherwise: Span) -> Span {
    let entry = entries.iter().find(|entry| keys.contains(&entry.key.as_str()));
    entry.map_or(otherwise, |entry| entry.key_span)
}
