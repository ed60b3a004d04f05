//! From the files that were found to the result: their order, and the graph without the ways that
//! cannot be taken.

use std::collections::HashSet;
use std::sync::Arc;

use super::discover::{Found, Node};
use super::graph::{Edge, FileId, Graph, Site};
use super::report::{self, Construct, Miss};
use super::roots::Roots;
use super::{File, LinkOptions, Linked, Target, told};
use crate::parse::include::IncludePath;
use crate::text::Source;

/// The result for an entry that was found.
pub(super) fn assemble(found: Found<'_>, options: &LinkOptions) -> Linked {
    let Found { nodes, reader, variant_met } = found;
    let edges = || nodes.iter().flat_map(|node| node.edges(node.id));
    let walk = Graph::new(nodes.len(), edges()).walk(options.max_depth);
    let refused: HashSet<Edge> = walk.closing.iter().chain(&walk.cut).copied().collect();

    // From here on files are numbered in the order in which they are reached.
    let mut numbers: Vec<Option<FileId>> = vec![None; nodes.len()];
    for (number, (file, _)) in (0..).zip(&walk.reached) {
        numbers[file.index()] = Some(FileId(number));
    }
    let renumbered = |edge: Edge| {
        let (from, to) = (numbers[edge.from.index()]?, numbers[edge.to.index()]?);
        Some(Edge { from, to, ..edge })
    };
    let kept = |edge: Edge| if refused.contains(&edge) { None } else { renumbered(edge) };

    let files = walk.reached.iter().map(|&(file, reached)| {
        let node = &nodes[file.index()];
        file_of(node, reader.roots, reached.and_then(kept), kept)
    });
    let mut ways: Vec<Edge> = edges().filter_map(kept).collect();
    ways.sort_unstable();
    let mut linked = Linked {
        files: files.collect(),
        graph: Graph::new(walk.reached.len(), ways),
        observations: reader.observations,
        diagnostics: Vec::new(),
    };

    let mut diagnostics = Vec::new();
    for (number, (file, _)) in (0..).zip(&walk.reached) {
        let node = &nodes[file.index()];
        let findings = node.document.body.findings.iter().chain(node.findings());
        let at = |finding: &_| told::finding(&linked, FileId(number), Clone::clone(finding));
        diagnostics.extend(findings.map(at));
    }
    let closing = walk.closing.iter().filter_map(|&edge| renumbered(edge)).collect();
    diagnostics.extend(told::cycles(&linked, closing));
    let from = |edge: &Edge| Some((numbers[edge.from.index()]?, edge.site));
    let too_deep = walk.too_deep.iter().filter_map(from);
    diagnostics.extend(told::too_deep(&linked, too_deep, options.max_depth));
    diagnostics.extend(told::unused_variant(&linked, options, variant_met));
    linked.diagnostics = linked.in_order(diagnostics);
    linked
}

/// The result where there is no entry: the place of its errors is 1:1 of an empty text.
pub(super) fn without_entry(found: Found<'_>, path: &IncludePath, miss: Miss) -> Linked {
    let source = Source::new(b"");
    let at = Construct { path, span: path.span, source: &source, is_base: true };
    let finding = report::finding(miss, &at);
    Linked {
        files: Vec::new(),
        graph: Graph::default(),
        observations: found.reader.observations,
        diagnostics: vec![finding.at(&path.text, &source, Vec::new())],
    }
}

fn file_of(
    node: &Node,
    roots: &Roots,
    reached: Option<Edge>,
    kept: impl Fn(Edge) -> Option<Edge>,
) -> File {
    let target = |site: Site, target: &Target| {
        let number = |to| Some(kept(Edge { from: node.id, site, to })?.to);
        target.clone().renumber(number)
    };
    let includes = (0..).zip(&node.includes);
    File {
        key: node.key.clone(),
        name: roots.display(node.key.root, &node.key.path),
        mode: node.mode,
        document: Arc::clone(&node.document),
        reached,
        base: match &node.base {
            Some(base) => target(Site::Base, &base.target),
            None => Target::Nothing,
        },
        includes: includes.map(|(at, one)| target(Site::Include(at), &one.target)).collect(),
    }
}
