//! Builds the outline of a file: its items grouped by section, parts with sections opened up.

use super::outline::{Kind, Node, NodeId, Outline, Section};
use crate::diag::{Finding, codes};
use crate::link::{FileId, Limits, Linked, Target};
use crate::parse::document::{Item, ItemKind};
use crate::parse::{Document, Mode};
use crate::section::{self, Node as FilterNode};
use crate::text::Span;

/// Builds the outline of a file. In a child no heading may stand in a block.
pub(super) fn build(
    linked: &Linked,
    file: FileId,
    owner: u32,
    is_child: bool,
    limits: &Limits,
    findings: &mut Vec<(FileId, Finding)>,
) -> Outline {
    let mut builder = Builder {
        linked,
        outline: Outline::new(file.0, owner),
        owner,
        is_child,
        parts: 0,
        most_parts: limits.max_expansions,
        findings,
    };
    builder.file(file, 0, None, &[], 0);
    let Builder { outline, .. } = builder;
    outline
}

/// The comment of a directive item, whose span may be its whole line.
pub(super) fn comment_span(document: &Document, item: &Item) -> Span {
    let written = document.source.slice(item.span);
    let start = written.find("<!--").unwrap_or(0);
    let length = written[start..].find("-->").map_or(written.len() - start, |end| end + 3);
    let start = item.span.start + Span::at(0, start).end;
    Span::new(start, start + Span::at(0, length).end)
}

struct Builder<'l, 'f> {
    linked: &'l Linked,
    outline: Outline,
    owner: u32,
    is_child: bool,
    parts: usize,
    most_parts: usize,
    findings: &'f mut Vec<(FileId, Finding)>,
}

/// A file that is being read.
struct Reading<'l> {
    file: FileId,
    document: &'l Document,
    /// The node that takes what comes next.
    at: NodeId,
    /// The branch or file at hand, in which sections at the top of it stand.
    frame: NodeId,
    /// The section that is open.
    section: Option<NodeId>,
    /// The section that the file hangs below.
    root: Option<NodeId>,
    branches: Vec<(NodeId, NodeId)>,
    /// What blocks of the file were entered: where it stood, and the section before.
    open: Vec<(NodeId, NodeId, Option<NodeId>)>,
    /// Where the items of the run at hand begin.
    run: Option<usize>,
}

impl Reading<'_> {
    /// Whether a block of the file is open that holds sections.
    fn at_block(&self) -> bool {
        !self.open.is_empty()
    }
}

impl<'l> Builder<'l, '_> {
    /// Reads a file into a node. Recurses over includes, whose depth is bounded.
    fn file(
        &mut self,
        file: FileId,
        at: NodeId,
        root: Option<NodeId>,
        branches: &[(NodeId, NodeId)],
        depth: usize,
    ) {
        let linked = self.linked;
        let document = &*linked.files[file.index()].document;
        let mut reading = Reading {
            file,
            document,
            at,
            frame: at,
            section: root,
            root,
            branches: branches.to_vec(),
            open: Vec::new(),
            run: None,
        };
        let holds = blocks_with_sections(linked, file);
        let items = &document.body.items;
        let mut index = 0;
        while index < items.len() {
            match items[index].kind {
                ItemKind::HeadingOpen(mark) => {
                    self.end_run(&mut reading, index);
                    let close = heading_end(items, index, mark);
                    self.section(&mut reading, mark, index..close + 1);
                    index = close + 1;
                    continue;
                }
                ItemKind::Open(block) if holds[block as usize] => {
                    self.end_run(&mut reading, index);
                    self.open_block(&mut reading, index);
                }
                ItemKind::Branch(block, _) if holds[block as usize] => {
                    self.end_run(&mut reading, index);
                    self.next_branch(&mut reading, index);
                }
                ItemKind::Close(block) if holds[block as usize] => {
                    self.end_run(&mut reading, index);
                    self.close_block(&mut reading, index);
                }
                ItemKind::Include(Some(include))
                    if self.is_child && is_choice_of_sections(linked, file, include) =>
                {
                    self.refuse_headings(file, include);
                    reading.run.get_or_insert(index);
                }
                ItemKind::Include(Some(include)) if opens_up(linked, file, include) => {
                    if self.is_child && reading.at_block() {
                        self.refuse_headings(file, include);
                    }
                    self.end_run(&mut reading, index);
                    self.part(&mut reading, include, depth);
                }
                ItemKind::Merge(directive) => {
                    self.directive(&mut reading, index, directive);
                    reading.run.get_or_insert(index);
                }
                _ => {
                    reading.run.get_or_insert(index);
                }
            }
            index += 1;
        }
        self.end_run(&mut reading, items.len());
    }

    fn end_run(&mut self, reading: &mut Reading<'l>, end: usize) {
        if let Some(start) = reading.run.take() {
            self.add(reading, reading.at, Kind::Run(start..end));
        }
    }

    fn add(&mut self, reading: &Reading<'l>, parent: NodeId, kind: Kind) -> NodeId {
        let node = Node { kind, children: Vec::new(), owner: self.owner, text: reading.file.0 };
        self.outline.add(parent, node)
    }

    fn report(&mut self, file: FileId, finding: Finding) {
        self.findings.push((file, finding));
    }

    fn section(&mut self, reading: &mut Reading<'l>, mark: u32, heading: std::ops::Range<usize>) {
        let of = &reading.document.body.headings[mark as usize];
        if self.is_child && of.block.is_some() {
            let title = &of.title;
            let message = format!("`{title}` stands in a block of a file that extends another one");
            let finding = Finding::new(codes::SECTION_IN_BLOCK, of.span, message)
                .help("put the block below the heading, or the condition into the base");
            self.report(reading.file, finding);
        }
        let mut parent = reading.section;
        while parent != reading.root {
            let Some(above) = parent.and_then(|id| self.outline.section(id)) else { break };
            if above.level < of.level {
                break;
            }
            parent = above.parent;
        }
        // Below its parent, unless the parent was opened outside of the block or file at hand.
        let container =
            match parent.and_then(|id| self.outline.section(id).map(|of| (id, of.frame))) {
                Some((id, frame)) if frame == reading.frame => id,
                _ => reading.frame,
            };
        let id = self.add(
            reading,
            container,
            Kind::Section(Section {
                mark,
                heading,
                heading_text: reading.file.0,
                heading_owner: self.owner,
                level: of.level,
                title: of.title.to_string(),
                parent,
                directive: None,
                met: None,
                branches: reading.branches.clone(),
                frame: reading.frame,
            }),
        );
        reading.section = Some(id);
        reading.at = id;
    }

    fn open_block(&mut self, reading: &mut Reading<'l>, index: usize) {
        reading.open.push((reading.at, reading.frame, reading.section));
        let block = self.add(reading, reading.at, Kind::Block { close: index });
        let branch = self.add(reading, block, Kind::Branch { marker: index });
        reading.branches.push((block, branch));
        (reading.at, reading.frame) = (branch, branch);
    }

    fn next_branch(&mut self, reading: &mut Reading<'l>, index: usize) {
        let Some(&(block, _)) = reading.branches.last() else { return };
        let branch = self.add(reading, block, Kind::Branch { marker: index });
        reading.branches.pop();
        reading.branches.push((block, branch));
        (reading.at, reading.frame) = (branch, branch);
        reading.section = reading.open.last().and_then(|(.., section)| *section);
    }

    fn close_block(&mut self, reading: &mut Reading<'l>, index: usize) {
        let Some((block, _)) = reading.branches.pop() else { return };
        self.outline.nodes[block].kind = Kind::Block { close: index };
        if let Some((at, frame, section)) = reading.open.pop() {
            (reading.at, reading.frame, reading.section) = (at, frame, section);
        }
    }

    fn part(&mut self, reading: &mut Reading<'l>, index: u32, depth: usize) {
        let include = &reading.document.body.includes[index as usize];
        for to in self.linked.files[reading.file.index()].includes[index as usize]
            .files()
            .collect::<Vec<_>>()
        {
            self.parts += 1;
            if self.parts > self.most_parts {
                let message = format!("more than {} includes are expanded", self.most_parts);
                let finding = Finding::new(codes::LIMIT_EXCEEDED, include.span, message)
                    .help("include fewer files, or raise `max_expansions`");
                return self.report(reading.file, finding);
            }
            let part = self.add(
                reading,
                reading.at,
                Kind::Part { include: index, dissolved: self.is_child },
            );
            let first = self.outline.nodes.len();
            let branches = reading.branches.clone();
            self.file(to, part, reading.section, &branches, depth + 1);
            if let Some((path, span)) = &include.section {
                self.take(reading, first, path, *span);
            }
            self.level(reading, first, include.keep);
        }
    }

    /// Reports the headings that an include in a block of a child brings.
    fn refuse_headings(&mut self, file: FileId, include: u32) {
        let of = &self.linked.files[file.index()];
        let mut next: Vec<FileId> = of.includes[include as usize].files().collect();
        let mut seen = std::collections::HashSet::new();
        while let Some(file) = next.pop() {
            let of = &self.linked.files[file.index()];
            if of.mode != Mode::Template || !seen.insert(file) {
                continue;
            }
            for heading in &of.document.body.headings {
                let message =
                    "this heading is included in a block of a file that extends another one";
                let help = "put the condition into the base, or below the heading";
                self.report(
                    file,
                    Finding::new(codes::SECTION_IN_BLOCK, heading.span, message).help(help),
                );
            }
            next.extend(of.includes.iter().flat_map(Target::files));
        }
    }

    /// Drops what a section path does not take of a part.
    fn take(&mut self, reading: &Reading<'l>, first: NodeId, path: &str, span: Span) {
        let root = reading.section;
        let ids: Vec<NodeId> = (first..self.outline.nodes.len())
            .filter(|&id| self.outline.section(id).is_some())
            .collect();
        let mut ordinals = std::collections::HashMap::new();
        let mut filter = Vec::with_capacity(ids.len());
        for &id in &ids {
            let Some(section) = self.outline.section(id) else { continue };
            let above = section.parent.filter(|_| section.parent != root);
            let parent = above.and_then(|above| ids.binary_search(&above).ok());
            let ordinal = ordinals.entry((parent, &*section.title)).or_insert(0_usize);
            *ordinal += 1;
            filter.push(FilterNode { title: &section.title, parent, ordinal: *ordinal });
        }
        let selection = section::select(&section::Include::from(&[path]), &filter);
        if let Some(unknown) = selection.unknown.first() {
            let message = format!("the file has no section `{unknown}`");
            let finding = Finding::new(codes::UNKNOWN_SECTION, span, message);
            let finding = match section::near_path(unknown, &filter) {
                Some(near) => finding.help(format!("did you mean `{near}`?")).edit(span, near),
                None => finding,
            };
            return self.report(reading.file, finding);
        }
        let dropped: Vec<bool> = selection.sections.iter().map(|selected| !selected).collect();
        for (&id, &dropped) in ids.iter().zip(&dropped) {
            if dropped {
                self.drop_section(id, root);
            }
        }
        if !selection.preamble {
            let part = first - 1;
            let runs: Vec<NodeId> = self.outline.nodes[part].children.clone();
            for id in runs {
                if matches!(self.outline.nodes[id].kind, Kind::Run(_)) {
                    self.outline.nodes[id].kind = Kind::Group;
                }
            }
        }
    }

    /// Takes a section's heading and own text away; what stands below it hangs higher.
    fn drop_section(&mut self, id: NodeId, root: Option<NodeId>) {
        let parent = self.outline.section(id).and_then(|section| section.parent).or(root);
        for child in self.outline.nodes[id].children.clone() {
            if matches!(self.outline.nodes[child].kind, Kind::Run(_)) {
                self.outline.nodes[child].kind = Kind::Group;
            }
        }
        for node in &mut self.outline.nodes {
            if let Kind::Section(section) = &mut node.kind
                && section.parent == Some(id)
            {
                section.parent = parent;
            }
        }
        self.outline.nodes[id].kind = Kind::Group;
    }

    /// Levels the headings of a part below the section that it stands in.
    fn level(&mut self, reading: &Reading<'l>, first: NodeId, keep: bool) {
        let under = reading
            .section
            .and_then(|id| self.outline.section(id))
            .map_or(0, |section| section.level);
        let sections =
            self.outline.nodes[first..].iter_mut().filter_map(|node| match &mut node.kind {
                Kind::Section(section) => Some(section),
                _ => None,
            });
        let sections: Vec<&mut Section> = sections.collect();
        let Some(highest) = sections.iter().map(|section| section.level).min() else { return };
        let shift = if keep { 0 } else { (under + 1).saturating_sub(highest) };
        for section in sections {
            section.level = section.level.saturating_add(shift);
        }
    }

    fn directive(
        &mut self,
        reading: &mut Reading<'l>,
        index: usize,
        directive: crate::parse::directive::Merge,
    ) {
        let span = comment_span(reading.document, &reading.document.body.items[index]);
        let below_heading = match reading.run {
            None => true,
            Some(start) => reading.document.body.items[start..index]
                .iter()
                .all(|item| matches!(item.kind, ItemKind::Blank | ItemKind::Merge(_))),
        };
        let section = reading.section.filter(|id| reading.at == *id && below_heading);
        let Some(section) = section.and_then(|id| match &mut self.outline.nodes[id].kind {
            Kind::Section(section) => Some(section),
            _ => None,
        }) else {
            let message = "this `merge` does not stand below a heading";
            let finding = Finding::new(codes::NOTHING_TO_MERGE, span, message)
                .help("put it right below the heading of the section that it is about");
            return self.report(reading.file, finding);
        };
        if section.directive.is_some() {
            let message = "a section has one `merge` at the most";
            let finding = Finding::new(codes::UNBALANCED_DIRECTIVE, span, message)
                .help("drop one of the two");
            return self.report(reading.file, finding);
        }
        section.directive = Some((directive, span));
    }
}

fn heading_end(items: &[Item], open: usize, mark: u32) -> usize {
    let close = items[open..].iter().position(|item| item.kind == ItemKind::HeadingClose(mark));
    close.map_or(open, |offset| open + offset)
}

/// Whether the files of an include hold sections that are merged. An include with a reference in
/// its path counts as a block.
fn opens_up(linked: &Linked, file: FileId, include: u32) -> bool {
    !is_choice(linked, file, include) && brings_sections(linked, file, include)
}

fn is_choice_of_sections(linked: &Linked, file: FileId, include: u32) -> bool {
    is_choice(linked, file, include) && brings_sections(linked, file, include)
}

pub(super) fn is_choice(linked: &Linked, file: FileId, include: u32) -> bool {
    matches!(linked.files[file.index()].includes[include as usize], Target::Choice(_))
}

/// Whether an include brings sections: one in a list item or quote has none.
fn brings_sections(linked: &Linked, file: FileId, include: u32) -> bool {
    let of = &linked.files[file.index()];
    let contained = of.document.body.include_marks[include as usize].prefix.is_some();
    !contained && leads_to_sections(linked, file, include)
}

/// Whether headings stand in the files of an include, or in theirs.
pub(super) fn leads_to_sections(linked: &Linked, file: FileId, include: u32) -> bool {
    let mut files = linked.files[file.index()].includes[include as usize].files();
    files.any(|to| has_sections(linked, to))
}

/// Whether a template holds headings, its parts counted. Links have no cycles.
fn has_sections(linked: &Linked, file: FileId) -> bool {
    let mut next = vec![file];
    let mut seen = std::collections::HashSet::new();
    while let Some(file) = next.pop() {
        let of = &linked.files[file.index()];
        if of.mode != Mode::Template || !seen.insert(file) {
            continue;
        }
        if !of.document.body.headings.is_empty() {
            return true;
        }
        next.extend(of.includes.iter().flat_map(Target::files));
    }
    false
}

/// For each block of a file, whether headings stand in it, those of parts too.
fn blocks_with_sections(linked: &Linked, file: FileId) -> Vec<bool> {
    let document = &linked.files[file.index()].document;
    let mut holds = vec![false; document.body.blocks.len()];
    let mut open: Vec<u32> = Vec::new();
    for item in &document.body.items {
        match item.kind {
            ItemKind::Open(block) => open.push(block),
            ItemKind::Close(_) => {
                if let Some(block) = open.pop()
                    && let (true, Some(&above)) = (holds[block as usize], open.last())
                {
                    holds[above as usize] = true;
                }
            }
            ItemKind::HeadingOpen(_) => {
                open.last().into_iter().for_each(|&block| holds[block as usize] = true);
            }
            ItemKind::Include(Some(include)) if opens_up(linked, file, include) => {
                open.last().into_iter().for_each(|&block| holds[block as usize] = true);
            }
            _ => {}
        }
    }
    holds
}
