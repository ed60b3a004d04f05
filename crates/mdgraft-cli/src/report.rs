//! Diagnostics in the form that was asked for.

use std::io;

use clap::ValueEnum;
use mdgraft::{Diagnostics, Severity};
use serde::Serialize;
use serde_json::{Value, json};

use crate::output::{self, Color};
use crate::project::Project;

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Form {
    /// With excerpts of the files
    #[default]
    Human,
    /// One line each: `path:line:col: severity[code]: message`
    Short,
    /// One line for each root, for programs
    Json,
    /// Workflow commands, with which GitHub annotates lines
    Github,
}

/// Diagnostics that are the result of a command, each line ended.
pub(crate) fn findings(
    diagnostics: &Diagnostics,
    project: &Project,
    form: Form,
    color: Color,
) -> String {
    let folder = project.folder.as_str();
    let mut text = match form {
        Form::Human => human(diagnostics, folder, color.on(&io::stdout())),
        Form::Short => short(diagnostics, folder),
        Form::Github => diagnostics.github().folder(folder).to_string(),
        Form::Json => document(diagnostics, project).to_string(),
    };
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Says what was found beside the result.
pub(crate) fn notice(diagnostics: &Diagnostics, project: &Project, color: Color) {
    if !diagnostics.is_empty() {
        output::notice(&human(diagnostics, &project.folder, color.on(&io::stderr())));
    }
}

/// Says why nothing is printed although there are no errors.
pub(crate) fn notice_denied(denied: bool) {
    if denied {
        output::notice("error: warnings are denied, so nothing is printed");
    }
}

fn human(diagnostics: &Diagnostics, folder: &str, color: bool) -> String {
    let mut text = diagnostics.human().color(color).folder(folder).to_string();
    if !text.is_empty() {
        text.push_str("\n\n");
        text.push_str(&summary(diagnostics));
    }
    text
}

/// How many errors and warnings there are.
pub(crate) fn summary(diagnostics: &Diagnostics) -> String {
    let count = |severity| diagnostics.iter().filter(|one| one.severity == severity).count();
    let counted = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        count => Some(format!("{count} {what}s")),
    };
    let parts = [
        counted(count(Severity::Error), "error"),
        counted(count(Severity::Warning), "warning"),
        counted(diagnostics.more(), "more finding"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn short(diagnostics: &Diagnostics, folder: &str) -> String {
    let text = diagnostics.to_string();
    let line = |line: &str| {
        let inside = !folder.is_empty() && !line.starts_with(['@', '…', '<']);
        if inside { format!("{folder}/{line}") } else { line.to_owned() }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The JSON form with the folder of the root, from which its paths lead.
fn document(diagnostics: &Diagnostics, project: &Project) -> Value {
    let mut document: Value = serde_json::from_str(&diagnostics.json()).unwrap_or_default();
    document["root"] = json!(project.folder);
    document
}

/// The diagnostics of a JSON document that holds a result too.
#[derive(Serialize)]
pub(crate) struct Wire {
    diagnostics: Value,
    more: Value,
    root: String,
}

impl Wire {
    pub(crate) fn new(diagnostics: &Diagnostics, project: &Project) -> Self {
        let mut document = document(diagnostics, project);
        Self {
            diagnostics: document["diagnostics"].take(),
            more: document["more"].take(),
            root: project.folder.clone(),
        }
    }
}
