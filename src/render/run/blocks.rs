//! Branches, loops and roles.

use std::sync::Arc;

use super::{Frame, Items, Loop, Machine};
use crate::compile::program::{Block, BlockKind, Op};
use crate::parse::directive::RoleName;
use crate::render::eval;
use crate::render::scope::Slot;
use crate::value::Value;

impl<'p> Machine<'p> {
    pub(super) fn set_role(&mut self, role: RoleName) {
        self.role = role;
        self.roles.push((self.out.len(), role));
    }

    pub(super) fn restore_role(&mut self, role: RoleName) {
        if self.role != role {
            self.set_role(role);
        }
    }

    pub(super) fn block(&mut self, index: u32, whole: bool) {
        let block = &self.unit.blocks[index as usize];
        let at = self.glue(block.span);
        if whole {
            self.out.seam(at);
        }
        let layout = block.branches.first().map_or(0, |branch| branch.layout.start)
            ..block.branches.last().map_or(0, |branch| branch.layout.end);
        let own = self.on && block.branches.iter().any(|branch| branch.own_content);
        if self.gate.is_some() && !own && !self.is_live(layout) {
            return self.leave_block(block, None);
        }
        match &block.kind {
            BlockKind::If => self.choose(block),
            BlockKind::For(header) => {
                let text = self.text();
                let scope = self.slots.scope(self.program, text);
                let context = scope.context(self.program.limits.max_output, block.span);
                let items = match eval::items(&header.expr, header.names.len(), &context) {
                    Ok(eval::Items::List(items)) => Items::List(items),
                    Ok(eval::Items::Map(map)) => Items::Map(
                        map.iter().map(|(key, value)| (Arc::clone(key), value.clone())).collect(),
                    ),
                    Err(finding) => {
                        self.report(*finding);
                        return self.leave_block(block, None);
                    }
                };
                let names = header.names.iter().map(|(symbol, _)| text.slots[symbol.0 as usize]);
                let names = names.chain(self.program.loop_slot);
                let shadowed =
                    names.map(|slot| (slot, self.slots.replace(slot, Slot::Nothing))).collect();
                self.frames.push(Frame::Loop(Loop { items, next: 0, role: self.role, shadowed }));
                self.next_round(block);
            }
        }
    }

    /// Goes into the first branch whose condition holds.
    pub(super) fn choose(&mut self, block: &'p Block) {
        for (at, branch) in block.branches.iter().enumerate() {
            let holds = match &branch.condition {
                None => Ok(true),
                Some(condition) => {
                    let scope = self.slots.scope(self.program, self.text());
                    eval::condition(
                        condition,
                        &scope.context(self.program.limits.max_output, block.span),
                    )
                }
            };
            match holds {
                Ok(true) => {
                    if at > 0 && self.marker_is_whole(branch.ops.start) {
                        self.out.seam(self.glue(block.span));
                    }
                    self.frames.push(Frame::Branch { role: self.role });
                    self.pc = branch.ops.start as usize;
                    return;
                }
                Ok(false) => self.note_blank(branch.blank),
                Err(finding) => {
                    self.report(*finding);
                    return self.leave_block(block, Some(at));
                }
            }
        }
        self.leave_block(block, Some(block.branches.len()));
    }

    /// Whether the marker right before an operation takes its line along.
    pub(super) fn marker_is_whole(&self, ops: u32) -> bool {
        let before = (ops as usize).checked_sub(1).and_then(|at| self.unit.ops.get(at));
        matches!(before, Some(Op::BlockEnd(_, true)))
    }

    /// Goes behind a block; the branches from an index on are left out.
    pub(super) fn leave_block(&mut self, block: &'p Block, from: Option<usize>) {
        if block.close_whole {
            self.out.seam(self.glue(block.span));
        }
        if self.out.in_seam() {
            for branch in block.branches.iter().skip(from.unwrap_or(0)) {
                self.note_blank(branch.blank);
            }
        }
        self.pc = block.end as usize;
    }

    pub(super) fn block_end(&mut self, index: u32, whole: bool) {
        let block = &self.unit.blocks[index as usize];
        if whole {
            self.out.seam(self.glue(block.span));
        }
        match self.frames.last() {
            Some(Frame::Loop(_)) => self.next_round(block),
            Some(Frame::Branch { role }) => {
                let role = *role;
                self.frames.pop();
                self.restore_role(role);
                let at = index_of_branch(block, self.pc);
                self.leave_block(block, Some(at + 1));
            }
            _ => self.pc = block.end as usize,
        }
    }

    pub(super) fn next_round(&mut self, block: &'p Block) {
        let Some(Frame::Loop(frame)) = self.frames.last_mut() else { return };
        let role = frame.role;
        let at = frame.next;
        frame.next += 1;
        let length = frame.items.len();
        let round = match &frame.items {
            Items::List(items) => items.get(at).map(|item| [Some(item.clone()), None]),
            Items::Map(items) => items
                .get(at)
                .map(|(key, value)| [Some(Value::Text(Arc::clone(key))), Some(value.clone())]),
        };
        let slots: Vec<u32> = frame.shadowed.iter().map(|(slot, _)| *slot).collect();
        self.restore_role(role);
        let Some(round) = round else {
            if let Some(Frame::Loop(frame)) = self.frames.pop() {
                self.slots.give_back(frame.shadowed);
            }
            if length > 0 {
                self.pc = block.end as usize;
            } else {
                self.leave_block(block, None);
            }
            return;
        };
        let mut slots = slots.into_iter();
        for value in round.into_iter().flatten() {
            if let Some(slot) = slots.next() {
                self.slots.replace(slot, Slot::Bound(value));
            }
        }
        if let Some(slot) = slots.next() {
            self.slots.replace(slot, Slot::Round(eval::Round { index: at + 1, length }));
        }
        let branch = &block.branches[0];
        self.pc = branch.ops.start as usize;
        // A round begins in the section the block stands in.
        self.enter_section(self.section_of(block.section));
    }
}

impl Items {
    fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Map(items) => items.len(),
        }
    }
}

/// The branch that ends right before an operation.
fn index_of_branch(block: &Block, pc: usize) -> usize {
    block
        .branches
        .iter()
        .position(|branch| branch.ops.end as usize + 1 == pc)
        .unwrap_or(block.branches.len())
}
