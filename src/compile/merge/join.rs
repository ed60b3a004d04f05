//! Joins a base and a child: sections of one path meet.

use std::collections::{HashMap, HashSet};

use super::outline::{Kind, Node, NodeId, Outline, Section};
use crate::diag::{Finding, codes, near};
use crate::link::{FileId, Linked};
use crate::parse::Document;
use crate::parse::directive::Merge;
use crate::parse::document::{Item, ItemKind};

/// The base with the changes of the child.
pub(super) fn join(
    linked: &Linked,
    base: Outline,
    child: &Outline,
    findings: &mut Vec<(FileId, Finding)>,
) -> Outline {
    let sections = base.by_parent();
    let titles = titles(&base);
    let mut joiner = Joiner {
        linked,
        base,
        child,
        holders: holders(child),
        sections,
        titles,
        met: HashSet::new(),
        findings,
    };
    joiner.preamble();
    joiner.sections();
    joiner.base
}

/// The sections of a base by title, to tell of a new section that is the same elsewhere.
fn titles(base: &Outline) -> HashMap<String, NodeId> {
    let mut titles = HashMap::new();
    for id in base.walk() {
        if let Some(section) = base.section(id) {
            titles.entry(section.title.clone()).or_insert(id);
        }
    }
    titles
}

/// For each node the one that holds it.
fn holders(outline: &Outline) -> Vec<NodeId> {
    let mut holders = vec![0; outline.nodes.len()];
    for (id, node) in outline.nodes.iter().enumerate() {
        node.children.iter().for_each(|&child| holders[child] = id);
    }
    holders
}

struct Joiner<'j> {
    linked: &'j Linked,
    base: Outline,
    child: &'j Outline,
    /// The node of the child that holds each of its nodes.
    holders: Vec<NodeId>,
    /// The sections of the base below each of its sections.
    sections: HashMap<Option<NodeId>, Vec<NodeId>>,
    titles: HashMap<String, NodeId>,
    met: HashSet<NodeId>,
    findings: &'j mut Vec<(FileId, Finding)>,
}

impl Joiner<'_> {
    /// The text of the child before its first heading replaces that of the base.
    fn preamble(&mut self) {
        let own = own_text(self.child, 0);
        if !self.is_text(&own) {
            return;
        }
        drop_own_text(&mut self.base, 0);
        let copies = self.copy(&own, Copying::TEXT);
        self.base.nodes[0].children.splice(0..0, copies);
    }

    fn sections(&mut self) {
        let children = self.child.by_parent();
        let mut pairs: Vec<(Option<NodeId>, Option<NodeId>)> = vec![(None, None)];
        while let Some((base_parent, child_parent)) = pairs.pop() {
            let below = children.get(&child_parent).cloned().unwrap_or_default();
            let mut next = Vec::new();
            for child in below {
                let met = self.meet(base_parent, child);
                if met.is_empty() {
                    self.add(base_parent, child);
                    continue;
                }
                for base in met {
                    if self.apply(base, child) {
                        next.push((Some(base), Some(child)));
                    }
                }
            }
            pairs.extend(next.into_iter().rev());
        }
    }

    /// The sections of the base that one of the child meets: the next of that title, and those
    /// that are never printed together with it.
    fn meet(&mut self, base_parent: Option<NodeId>, child: NodeId) -> Vec<NodeId> {
        let Some(of) = self.child.section(child) else { return Vec::new() };
        let all = self.sections.get(&base_parent).map_or(&[][..], Vec::as_slice);
        let same =
            |id: &&NodeId| self.base.section(**id).is_some_and(|section| section.title == of.title);
        let open: Vec<NodeId> =
            all.iter().filter(same).filter(|id| !self.met.contains(id)).copied().collect();
        let Some(&first) = open.first() else { return Vec::new() };
        let met: Vec<NodeId> =
            open.into_iter().filter(|&id| id == first || self.exclude(first, id)).collect();
        self.met.extend(&met);
        met
    }

    /// Whether two sections stand in different branches of one block.
    fn exclude(&self, one: NodeId, other: NodeId) -> bool {
        let branches = |id| self.base.section(id).map_or(&[][..], |section| &section.branches);
        let blocks: HashMap<NodeId, NodeId> = branches(one).iter().copied().collect();
        branches(other)
            .iter()
            .any(|(block, branch)| blocks.get(block).is_some_and(|at| at != branch))
    }

    /// Applies a section of the child to one of the base; whether what is below is merged too.
    fn apply(&mut self, base: NodeId, child: NodeId) -> bool {
        let (Some(of), Some(into)) = (self.child.section(child), self.base.section(base)) else {
            return false;
        };
        let shift = i16::from(into.level) - i16::from(of.level);
        let (directive, owner) =
            (of.directive.map(|(directive, _)| directive), self.child.nodes[child].owner);
        let text = own_text(self.child, child);
        let has_text = self.is_text(&text);
        if directive == Some(Merge::Remove) {
            take_out(&mut self.base, base);
            return false;
        }
        let base_has_text =
            own_text(&self.base, base).iter().any(|&id| is_text(self.linked, &self.base, id));
        let of = of.clone();
        if let Kind::Section(section) = &mut self.base.nodes[base].kind {
            section.met = Some((section.heading_text, section.mark));
            section.heading = of.heading.clone();
            section.heading_text = self.child.nodes[child].text;
            section.mark = of.mark;
            let from_child = match directive {
                Some(Merge::Replace) => true,
                Some(Merge::Append) => has_text && !base_has_text,
                _ => has_text,
            };
            if from_child {
                section.heading_owner = owner;
            }
        }
        match directive {
            Some(Merge::Replace) => {
                self.base.nodes[base].children.clear();
                let all = self.child.nodes[child].children.clone();
                let copies =
                    self.copy(&all, Copying { sections: true, below: Some((child, base)), shift });
                self.base.nodes[base].children = copies;
                false
            }
            _ if !has_text => true,
            Some(Merge::Append) => {
                let at = own_end(&self.base, base);
                let copies = self.copy(&text, Copying::TEXT);
                self.base.nodes[base].children.splice(at..at, copies);
                true
            }
            Some(Merge::Prepend) => {
                let copies = self.copy(&text, Copying::TEXT);
                self.base.nodes[base].children.splice(0..0, copies);
                true
            }
            _ => {
                drop_own_text(&mut self.base, base);
                let copies = self.copy(&text, Copying::TEXT);
                self.base.nodes[base].children.splice(0..0, copies);
                true
            }
        }
    }

    /// Puts a new section behind those of the base.
    fn add(&mut self, base_parent: Option<NodeId>, child: NodeId) {
        let Some(of) = self.child.section(child).cloned() else { return };
        self.check_new(base_parent, &of, child);
        let shift = match (
            base_parent.and_then(|id| self.base.section(id)),
            of.parent.and_then(|id| self.child.section(id)),
        ) {
            (Some(base), Some(child)) => i16::from(base.level) - i16::from(child.level),
            _ => 0,
        };
        let below = of.parent.zip(base_parent);
        let copies = self.copy(&[child], Copying { sections: true, below, shift });
        let holder = base_parent.unwrap_or(0);
        self.base.nodes[holder].children.extend(copies);
    }

    /// A new section with a directive has nothing to meet; one that looks like another is told of.
    fn check_new(&mut self, base_parent: Option<NodeId>, of: &Section, child: NodeId) {
        let file = FileId(self.child.nodes[child].text);
        let siblings = self.sections.get(&base_parent).cloned().unwrap_or_default();
        let sibling_titles = siblings
            .iter()
            .filter_map(|&id| self.base.section(id).map(|section| (id, &*section.title)));
        let near = near::nearest(&of.title, sibling_titles.clone().map(|(_, title)| title));
        let near = near
            .and_then(|near| sibling_titles.clone().find(|(_, title)| *title == near))
            .map(|(id, _)| id);
        let other = near
            .or_else(|| self.titles.get(&of.title).copied().filter(|id| !siblings.contains(id)));
        let path = other.map(|id| self.base.path(id));
        if let Some((_, span)) = of.directive {
            let message = format!("the base has no section `{}`", self.child.path(child));
            let finding = Finding::new(codes::NOTHING_TO_MERGE, span, message);
            let help = match path {
                Some(path) => format!("did you mean `{path}`?"),
                None => "drop the directive to add the section".to_owned(),
            };
            return self.findings.push((file, finding.help(help)));
        }
        if let Some(path) = path {
            let heading = &self.linked.files[file.index()].document.body.headings[of.mark as usize];
            let message = format!("`{}` is new, and the base has `{path}`", self.child.path(child));
            let finding = Finding::new(codes::UNMET_SECTION, heading.span, message)
                .help(format!("write the headings of `{path}` to change that section"));
            self.findings.push((file, finding));
        }
    }

    /// Copies nodes of the child, with what is below, and with the variables of the includes that
    /// they come from.
    fn copy(&mut self, ids: &[NodeId], copying: Copying) -> Vec<NodeId> {
        let mut names: HashMap<NodeId, NodeId> = copying.below.into_iter().collect();
        let mut copied = Vec::with_capacity(ids.len());
        for &id in ids {
            let mut copy = self.copy_one(id, copying, &mut names);
            for part in self.bound_by(id) {
                let wrapped = Node { children: vec![copy], ..self.child.nodes[part].clone() };
                copy = self.base.nodes.len();
                self.base.nodes.push(wrapped);
            }
            copied.push(copy);
        }
        copied
    }

    fn copy_one(
        &mut self,
        id: NodeId,
        copying: Copying,
        names: &mut HashMap<NodeId, NodeId>,
    ) -> NodeId {
        let first = self.base.nodes.len();
        let mut next: Vec<(NodeId, Option<NodeId>)> = vec![(id, None)];
        while let Some((id, holder)) = next.pop() {
            let of = &self.child.nodes[id];
            let copy = self.base.nodes.len();
            let mut node = Node { children: Vec::new(), ..of.clone() };
            if let Kind::Section(section) = &mut node.kind {
                if !copying.sections {
                    continue;
                }
                let level = i16::from(section.level) + copying.shift;
                section.level = u8::try_from(level.max(1)).unwrap_or(u8::MAX);
                section.parent = section.parent.and_then(|parent| names.get(&parent).copied());
                section.branches.clear();
            }
            self.base.nodes.push(node);
            names.insert(id, copy);
            if let Some(holder) = holder {
                self.base.nodes[holder].children.push(copy);
            }
            next.extend(of.children.iter().rev().map(|&child| (child, Some(copy))));
        }
        first
    }

    /// The parts around a node of the child that give variables, the innermost first.
    fn bound_by(&self, id: NodeId) -> Vec<NodeId> {
        let mut parts = Vec::new();
        let mut at = id;
        while at != 0 {
            at = self.holders[at];
            let node = &self.child.nodes[at];
            if let Kind::Part { include, .. } = node.kind {
                let includes = &self.linked.files[node.text as usize].document.body.includes;
                if !includes[include as usize].with.is_empty() {
                    parts.push(at);
                }
            }
        }
        parts
    }

    fn is_text(&self, ids: &[NodeId]) -> bool {
        ids.iter().any(|&id| is_text(self.linked, self.child, id))
    }
}

/// How nodes of a child are copied.
#[derive(Clone, Copy)]
struct Copying {
    /// Sections too, not only text.
    sections: bool,
    /// What hung below the first hangs below the second.
    below: Option<(NodeId, NodeId)>,
    /// How many levels headings go down.
    shift: i16,
}

impl Copying {
    const TEXT: Self = Self { sections: false, below: None, shift: 0 };
}

/// What a section holds that is no section: runs, and parts, whose sections do not count.
fn own_text(outline: &Outline, id: NodeId) -> Vec<NodeId> {
    let own = |&id: &NodeId| matches!(outline.nodes[id].kind, Kind::Run(_) | Kind::Part { .. });
    outline.nodes[id].children.iter().copied().filter(own).collect()
}

/// Where the text of a section ends: before the first child that is or holds a section.
fn own_end(outline: &Outline, id: NodeId) -> usize {
    let children = &outline.nodes[id].children;
    let no_text =
        |&id: &NodeId| !matches!(outline.nodes[id].kind, Kind::Run(_) | Kind::Gap(_) | Kind::Group);
    children.iter().position(no_text).unwrap_or(children.len())
}

/// Takes the text of a section away, that in blocks and parts and behind sub-sections too. Where
/// other text does not take its place, a seam is left.
fn drop_own_text(outline: &mut Outline, id: NodeId) {
    let mut replaced = true;
    let mut next: Vec<NodeId> = outline.nodes[id].children.iter().rev().copied().collect();
    while let Some(id) = next.pop() {
        let Node { kind, children, .. } = &mut outline.nodes[id];
        match kind {
            Kind::Run(_) if replaced => *kind = Kind::Group,
            Kind::Run(items) => *kind = Kind::Gap(items.clone()),
            Kind::Section(_) => replaced = false,
            _ => next.extend(children.iter().rev()),
        }
    }
}

/// Takes a section away, with all that is below it.
fn take_out(outline: &mut Outline, id: NodeId) {
    let mut next = vec![id];
    while let Some(id) = next.pop() {
        let Node { kind, children, .. } = &mut outline.nodes[id];
        *kind = match kind {
            Kind::Run(items) | Kind::Gap(items) => Kind::Gap(items.clone()),
            _ => Kind::Group,
        };
        next.extend(&*children);
    }
}

/// Whether a node prints anything but blank lines, its sections not counted.
fn is_text(linked: &Linked, outline: &Outline, id: NodeId) -> bool {
    let mut next = vec![id];
    while let Some(id) = next.pop() {
        let node = &outline.nodes[id];
        match &node.kind {
            Kind::Section(_) | Kind::Gap(_) => {}
            Kind::Run(items) => {
                let document = &linked.files[node.text as usize].document;
                if document.body.items[items.clone()].iter().any(|item| prints(document, item)) {
                    return true;
                }
            }
            _ => next.extend(&node.children),
        }
    }
    false
}

fn prints(document: &Document, item: &Item) -> bool {
    match item.kind {
        ItemKind::Blank | ItemKind::Marker | ItemKind::Merge(_) | ItemKind::Skip => false,
        ItemKind::Text => {
            !document.source.slice(item.span).trim_matches([' ', '\t', '\n']).is_empty()
        }
        _ => true,
    }
}
