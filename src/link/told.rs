//! What is told of the files as a whole: cycles, depth, variants.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use super::graph::{Edge, FileId, Site, cycle};
use super::{File, LinkOptions, Linked};
use crate::diag::{Diagnostic, Diagnostics, Finding, Severity, codes};
use crate::text::{Span, paths};

/// A finding in a file, without the chain of includes that led to it: see [`Linked::in_order`].
pub(super) fn finding(linked: &Linked, file: FileId, finding: Finding) -> Diagnostic {
    let File { name, document, .. } = &linked.files[file.index()];
    finding.at(name, &document.source, Vec::new())
}

/// The cycles, each once at the construct that closes it, with the chain of files and lines (but
/// for those past the first thousand, which are only counted).
pub(super) fn cycles(linked: &Linked, mut closing: Vec<Edge>) -> Vec<Diagnostic> {
    closing.sort_by_key(|edge| (edge.from, edge.site));
    closing.dedup_by_key(|edge| (edge.from, edge.site));
    let ways_in: HashMap<FileId, Edge> = (0..)
        .zip(&linked.files)
        .filter_map(|(number, file)| Some((FileId(number), file.reached?)))
        .collect();
    let mut lines = Lines { linked, known: HashMap::new() };
    let mut told = Vec::new();
    for (count, &edge) in closing.iter().enumerate() {
        let ways = if count < Diagnostics::MOST { cycle(&ways_in, edge) } else { Vec::new() };
        told.push(one_cycle(linked, &ways, edge, &mut lines));
    }
    told
}

fn one_cycle(linked: &Linked, ways: &[Edge], closing: Edge, lines: &mut Lines<'_>) -> Diagnostic {
    let first = Arc::clone(&linked.files[closing.to.index()].name);
    let mut chain = String::new();
    for way in ways {
        let name = &linked.files[way.from.index()].name;
        let _ = write!(chain, "{name}:{} → ", lines.line(*way));
    }
    let is_base = |way: &Edge| way.site == Site::Base;
    let only_bases = is_base(&closing) && ways.iter().all(is_base);
    let verb = if only_bases { "extends" } else { "includes" };
    let message = format!("`{first}` {verb} itself: {chain}{first}");
    let span = linked.files[closing.from.index()].span(closing.site);
    let help = "take out one of these, or include the file with `| raw` if its text is meant";
    let found = Finding::new(codes::INCLUDE_CYCLE, span, message).help(help);
    let mut diagnostic = finding(linked, closing.from, found);
    diagnostic.related = ways
        .iter()
        .filter(|way| **way != closing)
        .map(|way| {
            let place = linked.place(way.from, linked.files[way.from.index()].span(way.site));
            let verb = if is_base(way) { "extends" } else { "includes" };
            (place, format!("{verb} `{}`", linked.files[way.to.index()].name))
        })
        .collect();
    diagnostic
}

/// The lines of constructs, each counted once.
struct Lines<'a> {
    linked: &'a Linked,
    known: HashMap<(FileId, Site), usize>,
}

impl Lines<'_> {
    fn line(&mut self, way: Edge) -> usize {
        *self.known.entry((way.from, way.site)).or_insert_with(|| {
            let span = self.linked.files[way.from.index()].span(way.site);
            self.linked.place(way.from, span).position().line
        })
    }
}

/// The constructs that go deeper than is allowed.
pub(super) fn too_deep(
    linked: &Linked,
    sites: impl Iterator<Item = (FileId, Site)>,
    most: usize,
) -> Vec<Diagnostic> {
    sites
        .map(|(file, site)| {
            let what = match site {
                Site::Base => "base",
                Site::Include(_) => "include",
            };
            let message = format!("this {what} is more than {most} deep");
            let span = linked.files[file.index()].span(site);
            let found = Finding::new(codes::LIMIT_EXCEEDED, span, message)
                .help("take out a level, or raise the limit `max_depth`");
            finding(linked, file, found)
        })
        .collect()
}

/// A variant that no name had, or that is none.
pub(super) fn unused_variant(
    linked: &Linked,
    options: &LinkOptions,
    met: bool,
) -> Option<Diagnostic> {
    let variant = options.variant.as_ref()?;
    let about = |message: String| Finding::new(codes::UNUSED_VARIANT, Span::default(), message);
    let found = if !paths::is_variant(variant) {
        about(format!("`{variant}` is no name of a variant"))
            .severity(Severity::Error)
            .help("use small letters, digits and hyphens")
    } else if met {
        return None;
    } else {
        about(format!("no file has the variant `{variant}`"))
            .help("a variant stands before the extension, as in `rules.zh.md`")
    };
    Some(finding(linked, FileId(0), found))
}
