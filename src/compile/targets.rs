//! What the include sites of units print: units, or text as it is.

use std::sync::Arc;

use super::lower::index;
use super::program::{Target, TargetKind, Targets, Unit};
use crate::diag::{Finding, codes};
use crate::link::{File, FileId, Linked, Target as LinkTarget};
use crate::parse::include::{Include, Reading};
use crate::parse::{Document, Mode};
use crate::section::{self, Node};
use crate::text::Span;
use crate::value::Value;

/// Fills in the targets of all sites; the unit of a file has the index of the file.
pub(super) fn resolve(linked: &Linked, units: &mut [Unit]) -> Vec<(FileId, Finding)> {
    let mut findings = Vec::new();
    for unit in units {
        let mut of_unit = Vec::with_capacity(unit.sites.len());
        for site in &unit.sites {
            let holder = FileId(unit.text(site.text));
            let file = &linked.files[holder.index()];
            let mut targets = Targets::default();
            let include = &file.document.body.includes[site.include as usize];
            let mut add = |choice: &[Value], to: &[FileId]| {
                for &to in to {
                    match target(linked, to, include) {
                        Ok(kind) => targets.list.push(Target { choice: choice.to_vec(), kind }),
                        Err(finding) => findings.push((holder, finding)),
                    }
                }
            };
            match &file.includes[site.include as usize] {
                LinkTarget::File(to) => add(&[], &[*to]),
                LinkTarget::Files(to) => add(&[], to),
                LinkTarget::Choice(choice) => {
                    for case in &choice.cases {
                        add(&case.values, &case.files);
                    }
                    let names = &file.document.names;
                    let symbols = choice
                        .names
                        .iter()
                        .filter_map(|name| names.iter().position(|other| other == name).map(index));
                    targets.chosen_by = symbols.map(crate::parse::names::Symbol).collect();
                }
                LinkTarget::Nothing | LinkTarget::Failed => {}
            }
            of_unit.push(targets);
        }
        unit.targets = of_unit;
    }
    findings
}

fn target(linked: &Linked, to: FileId, include: &Include) -> Result<TargetKind, Finding> {
    let file = &linked.files[to.index()];
    if file.mode == Mode::Template {
        return Ok(TargetKind::Unit(to.0));
    }
    let source = &file.document.source;
    let spans = match &include.section {
        None => vec![Span::at(0, source.text().len())],
        Some((path, span)) => sections(&file.document, path, *span)?,
    };
    Ok(match &include.reading {
        Reading::Code(language) => {
            let language = language.clone().unwrap_or_else(|| extension(file));
            let fence = fence(spans.iter().map(|span| source.slice(*span)));
            TargetKind::Code { text: to.0, spans, language, fence }
        }
        _ => TargetKind::Raw { text: to.0, spans },
    })
}

fn extension(file: &File) -> Arc<str> {
    let name = file.name.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.')
        .map_or("", |(stem, extension)| if stem.is_empty() { "" } else { extension })
        .into()
}

/// The length of a fence that no run of backticks in the texts reaches.
fn fence<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    let longest = texts.flat_map(|text| text.split(|c| c != '`').map(str::len)).max();
    longest.unwrap_or(0).max(2) + 1
}

/// The parts of a text that a section path takes, each from a heading to the next one.
fn sections(document: &Document, path: &str, span: Span) -> Result<Vec<Span>, Finding> {
    let headings = &document.body.headings;
    let mut ordinals = std::collections::HashMap::new();
    let nodes: Vec<Node<'_>> = headings
        .iter()
        .map(|heading| {
            let parent = heading.parent.map(|parent| parent as usize);
            let ordinal = ordinals.entry((parent, &*heading.title)).or_insert(0_usize);
            *ordinal += 1;
            Node { title: &heading.title, parent, ordinal: *ordinal }
        })
        .collect();
    let selection = section::select(&section::Include::from(&[path]), &nodes);
    if let Some(unknown) = selection.unknown.first() {
        let message = format!("the file has no section `{unknown}`");
        let finding = Finding::new(codes::UNKNOWN_SECTION, span, message);
        return Err(match section::near_path(unknown, &nodes) {
            Some(near) => finding.help(format!("did you mean `{near}`?")).edit(span, near),
            None => finding,
        });
    }
    let text = document.source.text();
    let line_start = |at: u32| text[..at as usize].rfind('\n').map_or(0, |end| end + 1);
    let starts: Vec<usize> =
        headings.iter().map(|heading| line_start(heading.span.start)).collect();
    let mut spans: Vec<Span> = Vec::new();
    let first = starts.first().copied().unwrap_or(text.len());
    if selection.preamble {
        spans.push(Span::at(document.front.body as usize, first));
    }
    for (at, &selected) in selection.sections.iter().enumerate() {
        if !selected {
            continue;
        }
        let end = starts.get(at + 1).copied().unwrap_or(text.len());
        let section = Span::at(starts[at], end);
        match spans.last_mut() {
            Some(last) if last.end == section.start => last.end = section.end,
            _ => spans.push(section),
        }
    }
    Ok(spans)
}
