//! Which sections of a prompt are printed in one render (language §8).

use crate::compile::program::{NEVER, Program, SectionState};
use crate::compile::uses::Printed;
use crate::section::{Include, Node, near_path, select};

/// What a render prints of each section.
#[derive(Debug)]
pub(crate) struct Gate {
    /// For each section of the placement, whether it is printed.
    on: Vec<bool>,
    /// For each section, whether its heading line is.
    heading: Vec<bool>,
    /// For each section, how many before it are printed or have their heading lines printed.
    before: Vec<u32>,
}

/// An entry of a filter that names no section, and a path near to it.
pub(crate) type Unknown = (String, Option<String>);

impl Gate {
    /// The gate of a filter; `None` where everything is printed.
    pub(crate) fn new(
        program: &Program,
        include: &Include,
        ancestors: bool,
    ) -> (Option<Self>, Vec<Unknown>) {
        let placement = &program.placement;
        if include.is_empty() && !placement.has_special_sections {
            return (None, Vec::new());
        }
        let mut on = vec![false; placement.sections.len()];
        let mut unknown = Vec::new();
        if include.is_empty() {
            for (on, section) in on.iter_mut().zip(&placement.sections) {
                *on = section.state == SectionState::InTree;
            }
        } else {
            let (ids, nodes) = nodes(program);
            let selection = select(include, &nodes);
            on[0] = selection.preamble;
            for (&id, &selected) in ids.iter().zip(&selection.sections) {
                on[id] = selected;
            }
            unknown = selection
                .unknown
                .into_iter()
                .map(|entry| {
                    let near = near_path(&entry, &nodes);
                    (entry, near)
                })
                .collect();
        }
        for (id, section) in placement.sections.iter().enumerate() {
            if let SectionState::Contained(root) = section.state {
                on[id] = on.get(root as usize).copied().unwrap_or(false);
            }
        }
        let mut heading = on.clone();
        if ancestors {
            for id in (0..on.len()).rev() {
                if let (true, Some(parent)) = (heading[id], placement.sections[id].parent) {
                    heading[parent as usize] = true;
                }
            }
        }
        let mut count = 0;
        let before = heading
            .iter()
            .map(|&printed| {
                let before = count;
                count += u32::from(printed);
                before
            })
            .chain(std::iter::once(0))
            .collect::<Vec<_>>();
        let mut gate = Self { on, heading, before };
        if let Some(last) = gate.before.last_mut() {
            *last = count;
        }
        (Some(gate), unknown)
    }

    /// Whether the heading line of a section is printed.
    pub(crate) fn has_heading(&self, section: u32) -> bool {
        self.heading.get(section as usize).copied().unwrap_or(false)
    }
}

impl Printed for Gate {
    fn is_on(&self, section: u32) -> bool {
        section != NEVER && self.on.get(section as usize).copied().unwrap_or(false)
    }

    fn any(&self, from: u32, to: u32) -> bool {
        let at = |index: u32| self.before.get(index as usize).copied().unwrap_or_default();
        at(to) > at(from)
    }
}

/// The sections of the tree, for a filter, with their indices.
pub(crate) fn nodes(program: &Program) -> (Vec<usize>, Vec<Node<'_>>) {
    let sections = &program.placement.sections;
    let mut at = vec![None; sections.len()];
    let mut ids = Vec::with_capacity(sections.len());
    let mut nodes = Vec::with_capacity(sections.len());
    for (id, section) in sections.iter().enumerate().skip(1) {
        if section.state != SectionState::InTree {
            continue;
        }
        at[id] = Some(ids.len());
        ids.push(id);
        nodes.push(Node {
            title: program.title(section),
            parent: section.parent.and_then(|parent| at[parent as usize]),
            ordinal: section.ordinal as usize,
        });
    }
    (ids, nodes)
}
