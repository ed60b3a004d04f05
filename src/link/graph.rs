//! The graph of files and the walk over it. The only file that names `petgraph`.

use std::collections::{BTreeSet, HashMap, HashSet};

#[cfg(test)]
use petgraph::Direction;
use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

/// A file of a run: its place in the list of files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FileId(pub(crate) u32);

impl FileId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The construct of a file that leads to another file. The base comes first, as it does in the
/// text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Site {
    /// The path of `extends`.
    Base,
    /// An include: its place in the list of the document.
    Include(u32),
}

/// A way from a file to another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    pub(crate) from: FileId,
    pub(crate) site: Site,
    pub(crate) to: FileId,
}

/// Files and the ways between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph(DiGraph<(), Site>);

/// What a walk from the entry found.
pub(super) struct Walk {
    /// The files in the order in which they are first reached, with the way that reached them.
    pub(super) reached: Vec<(FileId, Option<Edge>)>,
    /// The ways that close a cycle, in the order of the walk.
    pub(super) closing: Vec<Edge>,
    /// The ways that go deeper than the limit on some path.
    pub(super) too_deep: Vec<Edge>,
    /// Those of them that do so on every path, and are not taken.
    pub(super) cut: Vec<Edge>,
}

impl Graph {
    /// A graph of so many files and these ways; those of a file in the order of its text.
    pub(super) fn new(files: usize, edges: impl IntoIterator<Item = Edge>) -> Self {
        let mut graph = DiGraph::new();
        for _ in 0..files {
            graph.add_node(());
        }
        for edge in edges {
            graph.add_edge(node(edge.from), node(edge.to), edge.site);
        }
        Self(graph)
    }

    /// Walks from file 0, depth first along the texts. Ways that close a cycle are not taken, nor
    /// those that always go too deep.
    ///
    /// A base is as deep as the file that extends it, and a chain of bases may be as long as
    /// includes may be deep.
    pub(super) fn walk(&self, max_depth: usize) -> Walk {
        let closing = self.depth_first(&HashSet::new()).back.into_iter().collect();
        let (too_deep, cut) = self.too_deep(&closing, max_depth);
        let visit = self.depth_first(&cut);
        let reached = visit.order.iter().map(|&file| {
            let way = visit.entered[file.index()];
            (id(file), way.and_then(|way| self.edge(way)))
        });
        Walk {
            reached: reached.collect(),
            closing: visit.back.iter().filter_map(|&way| self.edge(way)).collect(),
            too_deep: too_deep.iter().filter_map(|&way| self.edge(way)).collect(),
            cut: self
                .0
                .edge_indices()
                .filter(|way| cut.contains(way))
                .filter_map(|way| self.edge(way))
                .collect(),
        }
    }

    /// The files so that each comes before those that it leads to; only for a graph without
    /// cycles.
    pub(crate) fn topological(&self) -> Vec<FileId> {
        toposort(&self.0, None).unwrap_or_default().into_iter().map(id).collect()
    }

    /// The ways that lead to a file, in the order of the files that they come from.
    #[cfg(test)]
    pub(crate) fn leading_to(&self, file: FileId) -> Vec<Edge> {
        let edges = self.0.edges_directed(node(file), Direction::Incoming);
        let mut edges: Vec<Edge> = edges.filter_map(|edge| self.edge(edge.id())).collect();
        edges.sort_unstable();
        edges
    }

    fn edge(&self, index: EdgeIndex) -> Option<Edge> {
        let (from, to) = self.0.edge_endpoints(index)?;
        Some(Edge { from: id(from), site: *self.0.edge_weight(index)?, to: id(to) })
    }

    /// The ways out of a file in the order of its text.
    fn ways(&self, file: NodeIndex) -> Vec<EdgeIndex> {
        let mut ways: Vec<EdgeIndex> = self.0.edges(file).map(|edge| edge.id()).collect();
        ways.sort_unstable();
        ways
    }

    /// A depth-first walk from file 0 that leaves some ways out.
    fn depth_first(&self, without: &HashSet<EdgeIndex>) -> Visit {
        let count = self.0.node_count();
        let mut visit = Visit { order: Vec::new(), entered: vec![None; count], back: Vec::new() };
        let mut state = vec![State::New; count];
        let mut stack: Vec<(NodeIndex, std::vec::IntoIter<EdgeIndex>)> = Vec::new();
        if count > 0 {
            let entry = NodeIndex::new(0);
            state[0] = State::Open;
            visit.order.push(entry);
            stack.push((entry, self.ways(entry).into_iter()));
        }
        while let Some((file, ways)) = stack.last_mut() {
            let Some(way) = ways.next() else {
                state[file.index()] = State::Done;
                stack.pop();
                continue;
            };
            let Some((_, to)) = self.0.edge_endpoints(way) else { continue };
            if without.contains(&way) {
                continue;
            }
            match state[to.index()] {
                State::New => {
                    state[to.index()] = State::Open;
                    visit.order.push(to);
                    visit.entered[to.index()] = Some(way);
                    stack.push((to, self.ways(to).into_iter()));
                }
                State::Open => visit.back.push(way),
                State::Done => {}
            }
        }
        visit
    }

    /// The ways over the limit on some path, in the order of the files and their texts, and those
    /// that are so on every path. One pass over the files in topological order finds every depth
    /// within the limit that a file can have; beyond it no path is followed.
    fn too_deep(
        &self,
        closing: &HashSet<EdgeIndex>,
        max_depth: usize,
    ) -> (Vec<EdgeIndex>, HashSet<EdgeIndex>) {
        let acyclic =
            self.0.filter_map(|_, ()| Some(()), |way, _| (!closing.contains(&way)).then_some(way));
        let mut depths: Vec<BTreeSet<Depth>> = vec![BTreeSet::new(); self.0.node_count()];
        if let Some(entry) = depths.first_mut() {
            entry.insert(Depth::default());
        }
        let (mut too_deep, mut cut) = (Vec::new(), HashSet::new());
        for file in toposort(&acyclic, None).unwrap_or_default() {
            let here = std::mem::take(&mut depths[file.index()]);
            if here.is_empty() {
                continue;
            }
            for edge in acyclic.edges(file) {
                let way = *edge.weight();
                let site = self.0.edge_weight(way);
                let next: Vec<Depth> = here
                    .iter()
                    .map(|depth| depth.next(site))
                    .filter(|next| next.is_within(max_depth))
                    .collect();
                if next.len() < here.len() {
                    too_deep.push(way);
                }
                if next.is_empty() {
                    cut.insert(way);
                }
                depths[edge.target().index()].extend(next);
            }
        }
        too_deep.sort_unstable();
        (too_deep, cut)
    }
}

/// For each way between so many files, whether it is part of a cycle.
pub(crate) fn on_cycles(files: usize, ways: &[(usize, usize)]) -> Vec<bool> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in 0..files {
        graph.add_node(());
    }
    for &(from, to) in ways {
        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    }
    let mut circle_of = vec![0; files];
    for (number, circle) in kosaraju_scc(&graph).iter().enumerate() {
        for file in circle {
            circle_of[file.index()] = number;
        }
    }
    ways.iter().map(|&(from, to)| circle_of[from] == circle_of[to]).collect()
}

/// The ways around a cycle: from the file that the closing way leads to, along the ways that
/// first reached the files, to the closing way.
pub(super) fn cycle(ways_in: &HashMap<FileId, Edge>, closing: Edge) -> Vec<Edge> {
    let mut edges = vec![closing];
    let mut at = closing.from;
    while at != closing.to {
        let Some(&way) = ways_in.get(&at) else { break };
        edges.push(way);
        at = way.from;
    }
    edges.reverse();
    edges
}

#[derive(Clone, Copy)]
enum State {
    New,
    /// On the path that is walked.
    Open,
    Done,
}

struct Visit {
    order: Vec<NodeIndex>,
    /// The way by which each file was first reached.
    entered: Vec<Option<EdgeIndex>>,
    /// The ways that lead back to a file on the path, in the order of the walk.
    back: Vec<EdgeIndex>,
}

/// How far a file is from the entry on some path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Depth {
    includes: usize,
    /// The bases since the last include.
    bases: usize,
}

impl Depth {
    fn next(self, site: Option<&Site>) -> Self {
        match site {
            Some(Site::Base) => Self { bases: self.bases + 1, ..self },
            _ => Self { includes: self.includes + 1, bases: 0 },
        }
    }

    fn is_within(self, most: usize) -> bool {
        self.includes <= most && self.bases <= most
    }
}

fn node(file: FileId) -> NodeIndex {
    NodeIndex::new(file.index())
}

fn id(node: NodeIndex) -> FileId {
    FileId(u32::try_from(node.index()).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph from `from-to` pairs; `from:to` for a base.
    fn graph(text: &str) -> Graph {
        let mut files = 0;
        let mut edges = Vec::new();
        for (count, pair) in text.split_whitespace().enumerate() {
            let at = pair.find(['-', ':']).unwrap_or_default();
            let number = |text: &str| text.parse::<u32>().unwrap_or_default();
            let (from, to) = (number(&pair[..at]), number(&pair[at + 1..]));
            let site = match &pair[at..=at] {
                ":" => Site::Base,
                _ => Site::Include(u32::try_from(count).unwrap_or_default()),
            };
            files = files.max(from + 1).max(to + 1);
            edges.push(Edge { from: FileId(from), site, to: FileId(to) });
        }
        Graph::new(files as usize, edges)
    }

    fn pairs(edges: &[Edge]) -> String {
        let pair = |edge: &Edge| format!("{}-{}", edge.from.0, edge.to.0);
        edges.iter().map(pair).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn files_are_reached_depth_first_along_the_text() {
        let walk = graph("0-3 3-2 0-1 1-2 2-4").walk(9);
        let order: Vec<u32> = walk.reached.iter().map(|(file, _)| file.0).collect();
        assert_eq!(order, [0, 3, 2, 4, 1]);
        assert!(walk.closing.is_empty() && walk.too_deep.is_empty());
    }

    #[test]
    fn cycles_are_found_where_they_close() {
        for (text, cycles) in [
            ("0-0", "0-0"),
            ("0-1 1-2 2-3 3-1", "1-2 2-3 3-1"),
            ("0-1 0-2 1-2 2-1", "1-2 2-1"),
            ("0:1 1-0", "0-1 1-0"),
            ("0-1 1-0 1-1", "0-1 1-0; 1-1"),
            ("0-1 0-2 1-3 2-3", ""),
        ] {
            let walk = graph(text).walk(9);
            let ways_in = walk.reached.iter().filter_map(|&(file, way)| Some((file, way?)));
            let ways_in = ways_in.collect();
            let around = |&closing: &Edge| pairs(&cycle(&ways_in, closing));
            let found: Vec<String> = walk.closing.iter().map(around).collect();
            assert_eq!(found.join("; "), cycles, "{text}");
        }
    }

    #[test]
    fn depth_is_that_of_the_deepest_path() {
        for (text, max, too_deep, reached) in [
            ("0-1 1-2", 2, "", 3),
            ("0-1 1-2 2-3 3-4", 2, "2-3", 3),
            ("0-1 1-2 1-3", 1, "1-2 1-3", 2),
            // Reached directly and over the limit: only the deep way is wrong.
            ("0-1 1-2 2-3 0-3 3-4", 2, "2-3", 5),
            // One way is too deep on one path and not on another: its file is still reached.
            ("0-3 0-1 1-3 3-4", 2, "3-4", 4),
            ("0-3 0-1 1-2 2-3 3-4 4-5", 3, "3-4", 6),
            // A base is no deeper, but its chain is bounded too.
            ("0:1 1-2", 1, "", 3),
            ("0:1 1:2 2-3", 1, "1-2", 2),
            ("0-1 1-0", 1, "", 2),
        ] {
            let walk = graph(text).walk(max);
            assert_eq!(pairs(&walk.too_deep), too_deep, "{text} {max}");
            assert_eq!(walk.reached.len(), reached, "{text} {max}");
        }
    }

    #[test]
    fn a_ladder_of_diamonds_takes_no_exponential_time() {
        let rungs = (0..2000).map(|at| format!("{at}-{0} {at}-{0}", at + 1));
        let text = rungs.collect::<Vec<_>>().join(" ");
        assert!(graph(&text).walk(2000).too_deep.is_empty());
        assert_eq!(graph(&text).walk(1000).too_deep.len(), 2);
    }
}
