//! The files that an assembly file names: prompts, and schemas of tools.

use std::sync::Arc;

use super::form::{FilterEntry, Written};
use crate::assemble::assembly::Tool;
use crate::compile::PromptTree;
use crate::diag::{Diagnostic, Finding, Place, Severity, codes, near};
use crate::engine::Engine;
use crate::link::{EntryKind, LoadError, Loader};
use crate::section::{self, Include, Node};
use crate::text::paths::{self, PathFault};
use crate::text::{Source, Span};
use crate::value::{self, Value};

/// The files below the folder of an assembly file.
pub(super) struct Files<'a> {
    pub(super) engine: &'a Engine,
    pub(super) file: &'a Arc<str>,
    pub(super) source: &'a Source,
    pub(super) told: Vec<Diagnostic>,
}

impl Files<'_> {
    /// The prompt of a path, with the filter that its sections go through.
    pub(super) fn prompt(
        &mut self,
        path: &Written,
        filter: &[FilterEntry],
    ) -> Option<(PromptTree, Include)> {
        let canonical = self.existing(path, &["", ".md", ".markdown"])?;
        let tree = match self.engine.load(&canonical) {
            Ok(tree) => tree,
            Err(diagnostics) => {
                let from = self.place(path.span);
                self.told.extend(diagnostics.iter().cloned().map(|mut diagnostic| {
                    diagnostic.chain.insert(0, from.clone());
                    diagnostic
                }));
                return None;
            }
        };
        let mut include = Include::default();
        for FilterEntry { path, removes } in filter {
            match removes {
                true => include.push_exclude(&path.text),
                false => include.push_path(&path.text),
            }
        }
        self.check_filter(&tree, filter, &include);
        Some((tree, include))
    }

    /// The tools of a JSON file: one, a list, or an object with a list `tools`.
    pub(super) fn tools(&mut self, path: &Written) -> Option<(Vec<Tool>, String)> {
        let canonical = self.existing(path, &[""])?;
        let (file, source) = match self.engine.read(&canonical) {
            Ok(Some(found)) => found,
            // It was there a moment ago.
            Ok(None) => return None,
            Err(error) => {
                self.unloadable(path, &error);
                return None;
            }
        };
        let told = |span, message: String| {
            let finding = Finding::new(codes::INVALID_JSON, span, message);
            let from = self.place(path.span);
            let finding = finding.severity(Severity::Error);
            finding.at(&file, &source, vec![from])
        };
        let value = match value::parse_json(source.text()) {
            Ok(value) => value,
            Err(error) => {
                let span = Span::at(error.offset, error.offset);
                let diagnostic = told(span, error.message);
                self.told.push(diagnostic);
                return None;
            }
        };
        match schemas(&value) {
            Ok(tools) => Some((tools, canonical)),
            Err(message) => {
                let diagnostic = told(Span::default(), message);
                self.told.push(diagnostic);
                None
            }
        }
    }

    /// The canonical path of a file that is there, under one of its names.
    fn existing(&mut self, path: &Written, extensions: &[&str]) -> Option<String> {
        let read = match paths::read(&path.text) {
            Ok(written) if written.root.is_some() => {
                let message = format!("`{}` is in another root", path.text);
                self.tell(
                    Finding::new(codes::UNKNOWN_ROOT, path.span, message)
                        .help("write a prompt of this root that includes it"),
                );
                return None;
            }
            Ok(written) => written.fold(paths::folder(self.file)),
            Err(fault) => Err(fault),
        };
        let canonical = match read {
            Ok(canonical) => canonical,
            Err(fault) => {
                self.tell(path_fault(path, fault));
                return None;
            }
        };
        let loader = self.engine.loader();
        for extension in extensions {
            let name = format!("{canonical}{extension}");
            match loader.facts(&name) {
                Ok(Some(_)) => return Some(name),
                Ok(None) => {}
                Err(error) => {
                    self.unloadable(path, &error);
                    return None;
                }
            }
        }
        let finding =
            Finding::new(codes::INCLUDE_NOT_FOUND, path.span, format!("cannot find `{canonical}`"));
        self.tell(match self.near(&canonical) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("create the file, or correct the path"),
        });
        None
    }

    /// A file of the same folder with a near name, from the folder of the assembly file.
    fn near(&self, path: &str) -> Option<String> {
        let folder = paths::folder(path);
        let listing = self.engine.loader().list(folder).ok()??;
        let files = listing.entries().filter(|(_, kind)| *kind == EntryKind::File);
        let near = near::nearest(paths::name(path), files.map(|(name, _)| name))?;
        let near = paths::join(folder, near);
        let own = paths::folder(self.file);
        let inside = near.strip_prefix(own).and_then(|rest| rest.strip_prefix('/'));
        match inside {
            _ if own.is_empty() => Some(near),
            Some(inside) => Some(inside.to_owned()),
            None => Some(format!("/{near}")),
        }
    }

    /// Filter entries that name no section of the prompt.
    fn check_filter(&mut self, tree: &PromptTree, filter: &[FilterEntry], include: &Include) {
        let sections: Vec<_> = tree.sections().collect();
        let nodes = nodes(&sections);
        let unknown = section::select(include, &nodes).unknown;
        for FilterEntry { path, removes } in filter {
            let written = if *removes { format!("!{}", path.text) } else { path.text.clone() };
            if !unknown.contains(&written) {
                continue;
            }
            let message = format!("`{}` has no section `{}`", tree.entry(), path.text);
            let finding = Finding::new(codes::UNKNOWN_SECTION, path.span, message);
            self.tell(match section::near_path(&path.text, &nodes) {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding.help("a path is the titles from the top down, joined with `/`"),
            });
        }
    }

    fn unloadable(&mut self, path: &Written, error: &LoadError) {
        let code = match error {
            LoadError::OutsideRoot { .. } => codes::INCLUDE_OUTSIDE_ROOT,
            LoadError::TooLarge { .. } | LoadError::TooMany { .. } => codes::LIMIT_EXCEEDED,
            LoadError::Unreadable { .. } => codes::UNREADABLE_FILE,
        };
        self.tell(Finding::new(code, path.span, error.to_string()));
    }

    pub(super) fn tell(&mut self, finding: Finding) {
        self.told.push(finding.at(self.file, self.source, Vec::new()));
    }

    pub(super) fn place(&self, span: Span) -> Place {
        Place { file: Arc::clone(self.file), source: self.source.clone(), span }
    }
}

fn path_fault(path: &Written, fault: PathFault) -> Finding {
    let text = &path.text;
    if fault == PathFault::Outside {
        let message = format!("`{text}` leads out of the root");
        return Finding::new(codes::INCLUDE_OUTSIDE_ROOT, path.span, message)
            .help("name files below the root only");
    }
    Finding::new(codes::INVALID_INCLUDE_PATH, path.span, format!("`{text}` is no path of a file"))
        .help("write it from the folder of this file, with `/` between folders")
}

fn nodes(sections: &[crate::compile::Section]) -> Vec<Node<'_>> {
    let mut nodes: Vec<Node<'_>> = Vec::with_capacity(sections.len());
    // The open section of each depth, and how often a title stood below a parent.
    let mut open: Vec<usize> = Vec::new();
    let mut counts = std::collections::HashMap::new();
    for (index, section) in sections.iter().enumerate() {
        open.truncate(section.depth);
        let parent = open.last().copied();
        let ordinal = counts.entry((parent, section.title.as_str())).or_insert(0);
        *ordinal += 1;
        nodes.push(Node { title: &section.title, parent, ordinal: *ordinal });
        open.push(index);
    }
    nodes
}

/// The tools that a value holds, in one of the forms that APIs take.
fn schemas(value: &Value) -> Result<Vec<Tool>, String> {
    match value {
        Value::List(items) => items.iter().map(schema).collect(),
        Value::Map(fields) => match fields.get("tools") {
            Some(Value::List(items)) => items.iter().map(schema).collect(),
            Some(_) => Err("`tools` is a list".to_owned()),
            None => Ok(vec![schema(value)?]),
        },
        other => Err(format!("a tool is an object, not {}", other.described())),
    }
}

fn schema(value: &Value) -> Result<Tool, String> {
    let Value::Map(fields) = value else {
        return Err(format!("a tool is an object, not {}", value.described()));
    };
    let fields = match fields.get("function") {
        Some(Value::Map(inner)) => inner,
        _ => fields,
    };
    let text = |key: &str| match fields.get(key) {
        Some(Value::Text(text)) => Ok(Some(text.to_string())),
        Some(other) => Err(format!("the `{key}` of a tool is a string, not {}", other.described())),
        None => Ok(None),
    };
    let name = text("name")?.filter(|name| !name.is_empty()).ok_or("a tool has no `name`")?;
    let parameters = fields.get("parameters").or_else(|| fields.get("input_schema"));
    match parameters {
        None | Some(Value::Map(_)) => {}
        Some(other) => {
            let found = other.described();
            return Err(format!("the `parameters` of `{name}` are an object, not {found}"));
        }
    }
    let parameters = parameters.cloned().unwrap_or_else(|| Value::Map(Arc::default()));
    Ok(Tool::new(name, text("description")?.unwrap_or_default(), parameters))
}
