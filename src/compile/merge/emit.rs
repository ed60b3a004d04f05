//! Lowers a merged outline to a unit.

use std::collections::HashMap;

use super::outline::{Kind, Node, NodeId, Outline, Section};
use crate::compile::lower::{Lowerer, index};
use crate::compile::program::{Code, Local, Op, TextId};
use crate::link::{FileId, Linked};
use crate::parse::Document;
use crate::parse::document::ItemKind;
use crate::text::Span;

/// Lowers the outline of a file that extends another one, and lists the texts of the code.
pub(super) fn emit(
    linked: &Linked,
    file: FileId,
    outline: &Outline,
    strip: &[bool],
) -> (Code, Vec<TextId>) {
    let mut emitter = Emitter {
        linked,
        outline,
        strip,
        lowerer: Lowerer::new(),
        texts: vec![file.0],
        locals: HashMap::from([(file.0, Local::FIRST)]),
        owner: None,
        headings: HashMap::new(),
        within: Vec::new(),
    };
    let mut next = vec![Step::Enter(0)];
    while let Some(step) = next.pop() {
        match step {
            Step::Enter(id) => {
                emitter.enter(id);
                next.push(Step::Leave(id));
                next.extend(
                    outline.nodes[id].children.iter().rev().map(|&child| Step::Enter(child)),
                );
            }
            Step::Leave(id) => emitter.leave(id),
        }
    }
    (emitter.lowerer.finish(), emitter.texts)
}

enum Step {
    Enter(NodeId),
    Leave(NodeId),
}

struct Emitter<'e> {
    linked: &'e Linked,
    outline: &'e Outline,
    strip: &'e [bool],
    lowerer: Lowerer,
    /// The texts met so far, and where each stands among them.
    texts: Vec<TextId>,
    locals: HashMap<TextId, Local>,
    /// The generation of the text printed last.
    owner: Option<u32>,
    /// The headings of the unit that sections became.
    headings: HashMap<NodeId, u32>,
    /// The headings that text at hand stands below, the innermost last.
    within: Vec<u32>,
}

impl<'e> Emitter<'e> {
    fn document(&self, text: u32) -> &'e Document {
        &self.linked.files[text as usize].document
    }

    fn local(&mut self, text: TextId) -> Local {
        *self.locals.entry(text).or_insert_with(|| {
            self.texts.push(text);
            Local(index(self.texts.len() - 1))
        })
    }

    fn pieces(&mut self, text: u32, items: std::ops::Range<usize>) {
        let document = self.document(text);
        let local = self.local(text);
        self.lowerer.pieces(local, document, self.strip[text as usize], items);
    }

    /// One blank line stands where text of two generations meets.
    fn meet(&mut self, owner: u32) {
        if self.owner.is_some_and(|before| before != owner) {
            self.lowerer.push(Op::Border);
        }
        self.owner = Some(owner);
    }

    fn enter(&mut self, id: NodeId) {
        let node = &self.outline.nodes[id];
        match &node.kind {
            Kind::Group | Kind::Block { .. } => {}
            Kind::Run(items) => {
                self.meet(node.owner);
                self.lowerer.set_heading(self.within.last().copied());
                self.pieces(node.text, items.clone());
                if items.end == self.document(node.text).body.items.len() {
                    self.lowerer.push(Op::FileEnd);
                }
            }
            Kind::Gap(items) => self.gap(node.text, items.clone()),
            Kind::Section(section) => self.section(id, section),
            Kind::Branch { marker } => {
                self.lowerer.set_heading(self.within.last().copied());
                self.pieces(node.text, *marker..marker + 1);
            }
            Kind::Part { include, dissolved } => {
                self.lowerer.set_heading(self.within.last().copied());
                let text = self.local(node.text);
                self.lowerer.open_part(text, *include, !dissolved);
            }
        }
    }

    fn is_loop(&self, block: NodeId) -> bool {
        let branch = self.outline.nodes[block].children.first().map(|&id| &self.outline.nodes[id]);
        let Some(Node { kind: Kind::Branch { marker }, text, .. }) = branch else { return false };
        let body = &self.document(*text).body;
        matches!(body.items[*marker].kind, ItemKind::Open(block) if body.blocks[block as usize].is_for())
    }

    /// The seam where items were taken out; a blank line among them counts.
    fn gap(&mut self, text: u32, items: std::ops::Range<usize>) {
        let document = self.document(text);
        let of = &document.body.items[items];
        let (Some(first), Some(last)) = (of.first(), of.last()) else { return };
        let span = Span::new(first.span.start, last.span.end);
        let text = self.local(text);
        self.lowerer.set_text(text);
        self.lowerer.push(Op::Seam(span));
        if let Some(blank) = document.first_blank_line(span) {
            self.lowerer.push(Op::Blank(blank));
        }
    }

    fn section(&mut self, id: NodeId, section: &Section) {
        self.meet(section.heading_owner);
        let parent = section.parent.and_then(|parent| self.headings.get(&parent).copied());
        let document = self.document(section.heading_text);
        let text = self.local(section.heading_text);
        let met = section.met.map(|(text, mark)| (self.local(text), mark));
        self.lowerer.set_text(text);
        let heading = self.lowerer.open_heading_below(section.mark, section.level, parent, met);
        self.headings.insert(id, heading);
        self.within.push(heading);
        let open = &document.body.items[section.heading.start];
        self.lowerer.push(Op::HeadingOpen(heading, open.span));
        self.pieces(section.heading_text, section.heading.start + 1..section.heading.end);
    }

    fn leave(&mut self, id: NodeId) {
        let node = &self.outline.nodes[id];
        match &node.kind {
            Kind::Group | Kind::Run(_) | Kind::Gap(_) | Kind::Branch { .. } => {}
            Kind::Section(_) => {
                self.within.pop();
            }
            Kind::Block { close } => {
                if self.is_loop(id) {
                    // The next round begins with text of the base.
                    self.meet(node.owner);
                }
                self.pieces(node.text, *close..close + 1);
            }
            Kind::Part { .. } => self.lowerer.close_part(),
        }
    }
}
