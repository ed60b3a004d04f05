//! Sections side by side with one title, of which both can be printed in one run.

use std::collections::HashMap;

use super::{in_tree, told_at};
use crate::compile::program::{Instance, Program, SectionEntry};
use crate::diag::{Diagnostic, Finding, Place, codes};

/// Blocks and includes around a section; what lies deeper is not compared.
const DEEPEST: usize = 100;

/// Sections with a title that one before them, below the same parent, has too, unless they stand
/// in branches that exclude each other.
pub(super) fn siblings(program: &Program) -> Vec<Diagnostic> {
    let sections = &program.placement.sections;
    let mut groups: HashMap<(Option<u32>, &str), Vec<usize>> = HashMap::new();
    for (id, section) in in_tree(program) {
        groups.entry((section.parent, program.title(section))).or_default().push(id);
    }
    let mut choices = Choices { program, known: HashMap::new() };
    let mut told = Vec::new();
    for (id, section) in in_tree(program) {
        // The first of a group speaks for it.
        let group = &groups[&(section.parent, program.title(section))];
        if group.len() > 1 && group[0] == id {
            let mut seen = Seen::default();
            for &id in group {
                let met = seen.add(id, &choices.around(&sections[id]));
                told.extend(met.map(|first| duplicate(program, &sections[first], &sections[id])));
            }
        }
    }
    told
}

fn duplicate(program: &Program, first: &SectionEntry, section: &SectionEntry) -> Diagnostic {
    let title = program.title(section);
    let message = format!("a section `{title}` stands here a second time");
    let (first, second) = (place(program, first), place(program, section));
    told_at(program, section, |mark| {
        let finding = Finding::new(codes::DUPLICATE_SECTION, mark.span, message);
        if first == second {
            return finding.help("include the file once");
        }
        finding
            .help("give each a title of its own, or make them one section")
            .related(first, "the first one")
    })
}

fn place(program: &Program, section: &SectionEntry) -> Place {
    let instance = &program.placement.instances[section.instance as usize];
    let unit = &program.units[instance.unit as usize];
    let heading = &unit.headings[section.heading as usize];
    let text = unit.text(heading.text);
    let document = &program.texts[text as usize].document;
    program.place(text, document.body.headings[heading.mark as usize].span)
}

/// Something that prints one of several parts: a block or an include whose path is chosen by
/// values, in an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Chooser {
    Block(u32, u32),
    Include(u32, u32),
}

/// Finds the parts that are chosen where sections are printed.
struct Choices<'p> {
    program: &'p Program,
    /// For includes whose path is chosen by values, the choice that each instance belongs to.
    known: HashMap<(u32, u32), HashMap<u32, u32>>,
}

impl Choices<'_> {
    /// The parts that are chosen around a section, the outermost first.
    fn around(&mut self, section: &SectionEntry) -> Vec<(Chooser, u32)> {
        let program = self.program;
        let mut found = Vec::new();
        let mut at = section.instance;
        let mut instance = &program.placement.instances[at as usize];
        let mut unit = &program.units[instance.unit as usize];
        let mut block = unit.headings[section.heading as usize].block;
        loop {
            while let Some((index, branch)) = block.filter(|_| found.len() < DEEPEST) {
                found.push((Chooser::Block(at, index), branch));
                block = unit.blocks[index as usize].parent;
            }
            let parent = instance.parent.filter(|_| found.len() < DEEPEST);
            let Some((parent, index)) = parent else { break };
            let child = std::mem::replace(&mut at, parent);
            instance = &program.placement.instances[at as usize];
            unit = &program.units[instance.unit as usize];
            let site = &unit.sites[index as usize];
            if !unit.targets[index as usize].chosen_by.is_empty() {
                let of_site = self.known.entry((at, index));
                let choices = of_site.or_insert_with(|| choices(program, instance, index));
                found
                    .push((Chooser::Include(at, index), choices.get(&child).copied().unwrap_or(0)));
            }
            block = site.block;
        }
        found.reverse();
        found
    }
}

/// The choice that each instance of a site belongs to; the files of one choice stand together.
fn choices(program: &Program, instance: &Instance, site: u32) -> HashMap<u32, u32> {
    let placement = &program.placement;
    let children = placement.sites[(instance.sites + site) as usize].clone();
    let children = &placement.children[children.start as usize..children.end as usize];
    let targets = &program.units[instance.unit as usize].targets[site as usize].list;
    let mut number = 0;
    let mut last = None;
    let numbered = children.iter().zip(targets).map(|(&child, target)| {
        number +=
            u32::from(last.replace(&target.choice).is_some_and(|last| *last != target.choice));
        (child, number)
    });
    numbered.collect()
}

/// The sections of a group that were met: a tree of choosers and their parts.
#[derive(Default)]
struct Seen {
    parts: Vec<Part>,
    /// The part of a chooser within another part.
    index: HashMap<(usize, Chooser, u32), usize>,
}

/// A part of a chooser, or everything.
#[derive(Clone, Default)]
struct Part {
    /// The first section met in it, and the first one that was not met below the same chooser as
    /// that.
    first: Option<(Option<Chooser>, usize)>,
    other: Option<usize>,
}

impl Seen {
    /// Adds a section; gives one before it that can be printed together with it.
    fn add(&mut self, id: usize, conditions: &[(Chooser, u32)]) -> Option<usize> {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        let mut met = None;
        let mut at = 0;
        for depth in 0..=conditions.len() {
            let chooser = conditions.get(depth).map(|(chooser, _)| *chooser);
            let part = &mut self.parts[at];
            // What stands beside the chooser goes with all its parts.
            met = met.or(match part.first {
                Some((of, first)) if of != chooser || chooser.is_none() => Some(first),
                _ => part.other,
            });
            match part.first {
                None => part.first = Some((chooser, id)),
                Some((of, _)) if of != chooser => part.other = part.other.or(Some(id)),
                Some(_) => {}
            }
            let Some(&(chooser, branch)) = conditions.get(depth) else { break };
            let next = self.parts.len();
            at = *self.index.entry((at, chooser, branch)).or_insert(next);
            if at == next {
                self.parts.push(Part::default());
            }
        }
        met
    }
}
