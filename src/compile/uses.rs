//! Which variables a prompt, or a selected part of it, can use on any branch (language §3).

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::program::{BlockKind, Local, NEVER, Op, Program, Unit};
use super::walk::paths;
use crate::parse::expr::Expr;

/// A variable used in a unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Use {
    slot: u32,
    /// The heading it stands below; [`NEVER`] is none.
    heading: u32,
    /// Whether it is used where the text of that heading is printed.
    own: bool,
    /// What of the layout uses it as well, if it prints anything.
    layout: (u32, u32),
}

/// What a unit uses, and what its sites bind for the files they include.
#[derive(Debug, Default)]
pub(crate) struct UnitUses {
    uses: BTreeSet<Use>,
    sites: Vec<Vec<u32>>,
}

/// What the sections of a selection print.
pub(crate) trait Printed {
    /// Whether text of a section is printed.
    fn is_on(&self, section: u32) -> bool;
    /// Whether anything of a range of sections is printed.
    fn any(&self, from: u32, to: u32) -> bool;
}

/// The uses of every unit.
pub(super) fn of_all(program: &Program) -> Vec<UnitUses> {
    program.units.iter().map(|unit| of_unit(program, unit)).collect()
}

fn of_unit(program: &Program, unit: &Unit) -> UnitUses {
    let mut found = UnitUses { sites: vec![Vec::new(); unit.sites.len()], ..UnitUses::default() };
    let mut text = unit.text(Local::FIRST);
    let mut heading = NEVER;
    let mut open: Vec<(u32, Vec<u32>)> = Vec::new();
    for (at, op) in unit.ops.iter().enumerate() {
        let slots = &program.texts[text as usize].slots;
        let body = &program.texts[text as usize].document.body;
        let bound = |open: &[(u32, Vec<u32>)], slot: u32| {
            open.iter().any(|(_, names)| names.contains(&slot))
        };
        let mut add = |open: &[(u32, Vec<u32>)], expr: &Expr, own: bool, layout: (u32, u32)| {
            paths(expr, &mut |path| {
                let slot = slots[path.name.0 as usize];
                if !bound(open, slot) {
                    found.uses.insert(Use { slot, heading, own, layout });
                }
            });
        };
        match op {
            Op::SetText(next) => text = unit.text(*next),
            Op::SetSection(next) => heading = *next,
            Op::Reference(index, _) => {
                add(&open, &body.references[*index as usize].expr, true, (0, 0));
            }
            Op::Block(index, _) => {
                let block = &unit.blocks[*index as usize];
                let own = block.branches.iter().any(|branch| branch.own_content);
                let layout = (
                    block.branches.first().map_or(0, |branch| branch.layout.start),
                    block.branches.last().map_or(0, |branch| branch.layout.end),
                );
                for condition in
                    block.branches.iter().filter_map(|branch| branch.condition.as_ref())
                {
                    add(&open, condition, own, layout);
                }
                let mut names = Vec::new();
                if let BlockKind::For(header) = &block.kind {
                    add(&open, &header.expr, own, layout);
                    names.extend(header.names.iter().map(|(symbol, _)| slots[symbol.0 as usize]));
                    names.extend(program.loop_slot);
                }
                open.push((*index, names));
            }
            Op::BlockEnd(index, _) => {
                let last = unit.blocks[*index as usize].branches.last();
                if last.is_some_and(|branch| branch.ops.end as usize == at) {
                    open.pop();
                }
            }
            Op::Site(index) => {
                let site = &unit.sites[*index as usize];
                let include = &body.includes[site.include as usize];
                let layout = (site.layout, site.layout + 1);
                for (.., expr) in &include.with {
                    add(&open, expr, true, layout);
                }
                for symbol in &unit.targets[*index as usize].chosen_by {
                    found.uses.insert(Use {
                        slot: slots[symbol.0 as usize],
                        heading,
                        own: true,
                        layout,
                    });
                }
                let names = include.with.iter().map(|(symbol, ..)| slots[symbol.0 as usize]);
                found.sites[*index as usize] =
                    names.chain(open.iter().flat_map(|(_, names)| names.iter().copied())).collect();
            }
            Op::PartOpen(index) => {
                let part = &unit.parts[*index as usize];
                let include = &program.texts[unit.text(part.text) as usize].document.body.includes
                    [part.include as usize];
                let layout = (part.layout.start, part.layout.end);
                for (.., expr) in &include.with {
                    add(&open, expr, part.own_content, layout);
                }
                let names = include.with.iter().map(|(symbol, ..)| slots[symbol.0 as usize]);
                open.push((NEVER, names.collect()));
            }
            Op::PartClose(_) => {
                open.pop();
            }
            _ => {}
        }
    }
    found
}

/// For each slot, whether the printed part can use a given value of that name.
pub(crate) fn used(program: &Program, printed: Option<&dyn Printed>) -> Vec<bool> {
    let placement = &program.placement;
    let mut used = vec![false; program.slots.len()];
    let mut bound: Vec<Option<Arc<[u32]>>> = Vec::with_capacity(placement.instances.len());
    for instance in &placement.instances {
        let of_unit = &program.uses[instance.unit as usize];
        let here = instance.parent.and_then(|(parent, site)| {
            let above = bound[parent as usize].clone();
            let unit = placement.instances[parent as usize].unit;
            let names = &program.uses[unit as usize].sites[site as usize];
            if names.is_empty() {
                return above;
            }
            Some(above.iter().flat_map(|above| above.iter()).chain(names).copied().collect())
        });
        let unit = &program.units[instance.unit as usize];
        let mark = |layout: u32| placement.marks[(instance.marks + layout) as usize];
        for one in &of_unit.uses {
            if used[one.slot as usize]
                || here.as_ref().is_some_and(|names| names.contains(&one.slot))
            {
                continue;
            }
            used[one.slot as usize] = printed.is_none_or(|printed| {
                let section = match unit.headings.get(one.heading as usize) {
                    Some(heading) => mark(heading.layout),
                    None => instance.root,
                };
                let Range { start, end } = one.layout.0..one.layout.1;
                one.own && section != NEVER && printed.is_on(section)
                    || start < end && printed.any(mark(start), mark(end))
            });
        }
        bound.push(here);
    }
    used
}
