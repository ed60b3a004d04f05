//! The shape of a file for merging: its sections, with the blocks and parts that they stand in.

use std::collections::HashMap;
use std::ops::Range;

use crate::parse::directive::Merge;
use crate::text::Span;

/// A node of an [`Outline`].
pub(super) type NodeId = usize;

/// A file as a tree. The first node is the whole file.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub(super) nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// What stands in it, in the order of the text; for a block the nodes of its branches.
    pub(super) children: Vec<NodeId>,
    /// The generation that the text comes from: 0 is the last base.
    pub(super) owner: u32,
    /// The file that the items are of.
    pub(super) text: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Items without headings.
    Run(Range<usize>),
    Section(Section),
    /// A block that holds sections: the item of its closing marker; children are branches.
    Block {
        close: usize,
    },
    /// A branch, with the item of the marker that begins it.
    Branch {
        marker: usize,
    },
    /// An included file that holds sections. One that is dissolved in a child only binds its
    /// variables.
    Part {
        include: u32,
        dissolved: bool,
    },
    /// Items that are taken out, of which a seam is left.
    Gap(Range<usize>),
    /// The whole file, or nothing any more.
    Group,
}

#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) mark: u32,
    /// The items from the heading's first sign to its end.
    pub(super) heading: Range<usize>,
    /// The file of the heading line, which the child may replace.
    pub(super) heading_text: u32,
    /// The generation of the text below the heading line.
    pub(super) heading_owner: u32,
    pub(super) level: u8,
    pub(super) title: String,
    /// The section above it; `None` at the top.
    pub(super) parent: Option<NodeId>,
    pub(super) directive: Option<(Merge, Span)>,
    /// The heading of the base that it replaced.
    pub(super) met: Option<(u32, u32)>,
    /// The blocks and branches around it, the outermost first.
    pub(super) branches: Vec<(NodeId, NodeId)>,
    /// The branch or file that it was opened in.
    pub(super) frame: NodeId,
}

impl Outline {
    pub(super) fn new(text: u32, owner: u32) -> Self {
        let root = Node { kind: Kind::Group, children: Vec::new(), owner, text };
        Self { nodes: vec![root] }
    }

    pub(super) fn add(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(node);
        self.nodes[parent].children.push(id);
        id
    }

    pub(super) fn section(&self, id: NodeId) -> Option<&Section> {
        match &self.nodes[id].kind {
            Kind::Section(section) => Some(section),
            _ => None,
        }
    }

    /// All nodes in the order of the text, each behind the nodes that hold it.
    pub(super) fn walk(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut next = vec![0];
        while let Some(id) = next.pop() {
            order.push(id);
            next.extend(self.nodes[id].children.iter().rev());
        }
        order
    }

    /// The sections of a parent, in the order of the text, for every parent.
    pub(super) fn by_parent(&self) -> HashMap<Option<NodeId>, Vec<NodeId>> {
        let mut map: HashMap<Option<NodeId>, Vec<NodeId>> = HashMap::new();
        for id in self.walk() {
            if let Some(section) = self.section(id) {
                map.entry(section.parent).or_default().push(id);
            }
        }
        map
    }

    /// The titles from the top down to a section, joined with `/`.
    pub(super) fn path(&self, id: NodeId) -> String {
        let mut titles = Vec::new();
        let mut at = Some(id);
        while let Some(section) = at.and_then(|id| self.section(id)) {
            titles.push(&*section.title);
            at = section.parent;
        }
        titles.reverse();
        titles.join("/")
    }
}
