//! Places the units of a prompt: every include gets instances of its own, and their headings make
//! one tree of sections (language §5 and §8).

use std::collections::HashMap;

use super::program::{
    Instance, Layout, NEVER, Placement, SectionEntry, SectionState, Site, TargetKind, Text, Unit,
    title,
};
use crate::compile::lower::index;
use crate::diag::{Finding, codes};
use crate::link::Limits;
use crate::parse::include::Include;
use crate::section::{self, Node};

/// A finding in a text of the prompt, met in an instance.
#[derive(Debug)]
pub(crate) struct Met {
    pub(crate) text: u32,
    pub(crate) instance: u32,
    pub(crate) finding: Finding,
}

/// More sections than this in one prompt are refused; output with so many would exceed any limit.
const MOST_SECTIONS: usize = 4_000_000;

/// Includes that a prompt may hold on all its branches, as a multiple of those that it may expand.
const BRANCHES: usize = 10;

/// Places the unit of the entry and all that it includes.
pub(crate) fn place(
    texts: &[Text],
    units: &[Unit],
    entry: u32,
    limits: &Limits,
) -> (Placement, Vec<Met>) {
    let mut placer = Placer {
        texts,
        units,
        limits,
        placement: Placement::default(),
        shifts: Vec::new(),
        met: Vec::new(),
        first_over: None,
    };
    placer.section(SectionEntry {
        instance: 0,
        heading: NEVER,
        parent: None,
        state: SectionState::InTree,
        ordinal: 1,
        level: 0,
    });
    placer.run(entry);
    placer.settle_levels();
    placer.number_equal_titles();
    (placer.placement, placer.met)
}

struct Placer<'p> {
    texts: &'p [Text],
    units: &'p [Unit],
    limits: &'p Limits,
    placement: Placement,
    /// How many levels each instance goes down within the one that includes it.
    shifts: Vec<u8>,
    met: Vec<Met>,
    /// The site that went over the number of includes that may be expanded.
    first_over: Option<(u32, u32)>,
}

/// An instance whose layout is being walked.
struct Frame {
    instance: u32,
    at: usize,
    /// The next target of the site at hand.
    target: usize,
    first_section: usize,
    /// The highest level of its headings so far, parts included.
    highest: Option<u8>,
}

impl<'p> Placer<'p> {
    fn run(&mut self, entry: u32) {
        let mut frames = vec![self.begin(entry, 0, None, false)];
        while let Some(frame) = frames.last_mut() {
            let unit = &self.units[self.placement.instances[frame.instance as usize].unit as usize];
            let Some(&layout) = unit.layout.get(frame.at) else {
                let Some(frame) = frames.pop() else { return };
                self.finish(&frame, frames.last_mut());
                continue;
            };
            match layout {
                Layout::Heading(heading) => self.heading(frame, unit, heading),
                Layout::Site(site) => {
                    let next = self.site(frame, unit, site);
                    match next {
                        Ok(child) => frames.extend(child),
                        Err(()) => return,
                    }
                }
            }
        }
    }

    fn section(&mut self, section: SectionEntry) -> u32 {
        let id = index(self.placement.sections.len());
        self.placement.sections.push(section);
        id
    }

    fn begin(
        &mut self,
        unit: u32,
        root: u32,
        parent: Option<(u32, u32)>,
        contained: bool,
    ) -> Frame {
        let placement = &mut self.placement;
        let instance = index(placement.instances.len());
        let of_unit = &self.units[unit as usize];
        placement.instances.push(Instance {
            unit,
            shift: 0,
            root,
            marks: index(placement.marks.len()),
            sites: index(placement.sites.len()),
            parent,
            contained,
        });
        self.shifts.push(0);
        placement.marks.resize(placement.marks.len() + of_unit.layout.len() + 1, 0);
        placement.sites.resize(placement.sites.len() + of_unit.sites.len(), 0..0);
        Frame { instance, at: 0, target: 0, first_section: placement.sections.len(), highest: None }
    }

    fn mark(&mut self, frame: &Frame) {
        let marks = self.placement.instances[frame.instance as usize].marks as usize;
        self.placement.marks[marks + frame.at] = index(self.placement.sections.len());
    }

    /// The section of a heading of an instance, or the section the instance stands in.
    fn section_of(&self, instance: u32, unit: &Unit, heading: Option<u32>) -> u32 {
        let of = &self.placement.instances[instance as usize];
        heading.map_or(of.root, |heading| {
            let layout = unit.headings[heading as usize].layout;
            self.placement.marks[(of.marks + layout) as usize]
        })
    }

    fn heading(&mut self, frame: &mut Frame, unit: &Unit, heading: u32) {
        self.mark(frame);
        let of = &unit.headings[heading as usize];
        let parent = self.section_of(frame.instance, unit, of.parent);
        self.section(SectionEntry {
            instance: frame.instance,
            heading,
            parent: (parent != 0 && parent != NEVER).then_some(parent),
            state: SectionState::InTree,
            ordinal: 1,
            level: of.level,
        });
        frame.highest = Some(frame.highest.map_or(of.level, |highest| highest.min(of.level)));
        frame.at += 1;
    }

    fn include(&self, unit: &Unit, site: &Site) -> &'p Include {
        &self.texts[unit.text(site.text) as usize].document.body.includes[site.include as usize]
    }

    fn is_contained(&self, unit: &Unit, site: &Site) -> bool {
        let marks = &self.texts[unit.text(site.text) as usize].document.body.include_marks;
        marks[site.include as usize].prefix.is_some()
    }

    /// The next target of a site; the frame moves on behind the last one.
    fn site(
        &mut self,
        frame: &mut Frame,
        unit: &'p Unit,
        index_of_site: u32,
    ) -> Result<Option<Frame>, ()> {
        let site = &unit.sites[index_of_site as usize];
        let targets = &unit.targets[index_of_site as usize].list;
        let own = &self.placement.instances[frame.instance as usize];
        let (contained, range_at) = (own.contained, (own.sites + index_of_site) as usize);
        if frame.target == 0 {
            self.mark(frame);
            let start = self.placement.children.len();
            self.placement.children.resize(start + targets.len(), NEVER);
            self.placement.sites[range_at] = index(start)..index(self.placement.children.len());
        }
        let Some(target) = targets.get(frame.target) else {
            frame.target = 0;
            frame.at += 1;
            return Ok(None);
        };
        let child_at = self.placement.sites[range_at].start as usize + frame.target;
        frame.target += 1;
        let TargetKind::Unit(child) = target.kind else { return Ok(None) };
        self.check_size(frame.instance, index_of_site)?;
        let root = self.section_of(frame.instance, unit, site.parent);
        self.placement.children[child_at] = index(self.placement.instances.len());
        let contained = contained || self.is_contained(unit, site);
        Ok(Some(self.begin(child, root, Some((frame.instance, index_of_site)), contained)))
    }

    fn check_size(&mut self, instance: u32, site: u32) -> Result<(), ()> {
        let expanded = self.placement.instances.len();
        if expanded > self.limits.max_expansions {
            self.first_over.get_or_insert((instance, site));
        }
        let most = self.limits.max_expansions.saturating_mul(BRANCHES);
        let too_large = self.placement.sections.len() + self.placement.marks.len() > MOST_SECTIONS;
        if expanded <= most && !too_large {
            return Ok(());
        }
        let (instance, site) = self.first_over.unwrap_or((instance, site));
        let unit = &self.units[self.placement.instances[instance as usize].unit as usize];
        let site = &unit.sites[site as usize];
        let include = self.include(unit, site);
        let message = format!("more than {} includes are expanded", self.limits.max_expansions);
        let finding = Finding::new(codes::LIMIT_EXCEEDED, include.span, message)
            .help("include fewer files, or raise `max_expansions`");
        self.met.push(Met { text: unit.text(site.text), instance, finding });
        Err(())
    }

    /// What is known once all of an instance is placed: what its section path takes, and how far
    /// its headings go down.
    fn finish(&mut self, frame: &Frame, above: Option<&mut Frame>) {
        self.mark(frame);
        let instance = &self.placement.instances[frame.instance as usize];
        let (Some((parent, site)), Some(above)) = (instance.parent, above) else { return };
        let root = instance.root;
        let parent_of = &self.placement.instances[parent as usize];
        let (parent_contained, parent_unit) = (parent_of.contained, parent_of.unit);
        let unit = &self.units[parent_unit as usize];
        let site = &unit.sites[site as usize];
        let include = self.include(unit, site);
        let mut highest = frame.highest;
        if include.section.is_some() {
            highest = self.take_section(frame, root, unit.text(site.text), include);
        }
        if self.placement.instances[frame.instance as usize].contained {
            if !parent_contained {
                self.contain(frame.first_section, root);
            }
            return;
        }
        let under = site
            .parent
            .map_or(0, |heading| self.units[parent_unit as usize].headings[heading as usize].level);
        let Some(highest) = highest else { return };
        let shift = if include.keep { 0 } else { (under + 1).saturating_sub(highest) };
        self.shifts[frame.instance as usize] = shift;
        let level = highest.saturating_add(shift);
        above.highest = Some(above.highest.map_or(level, |other| other.min(level)));
    }

    /// Drops what the section path of an include does not take; gives the highest level left.
    fn take_section(
        &mut self,
        frame: &Frame,
        root: u32,
        holder: u32,
        include: &Include,
    ) -> Option<u8> {
        let (path, span) = include.section.as_ref()?;
        let first = frame.first_section;
        let (ids, nodes) = self.nodes(first);
        let filter = section::Include::from(&[&**path]);
        let selection = section::select(&filter, &nodes);
        if let Some(unknown) = selection.unknown.first() {
            let message = format!("the file has no section `{unknown}`");
            let finding = Finding::new(codes::UNKNOWN_SECTION, *span, message);
            let finding = match section::near_path(unknown, &nodes) {
                Some(near) => finding.help(format!("did you mean `{near}`?")).edit(*span, near),
                None => finding,
            };
            let instance = self.placement.instances[frame.instance as usize]
                .parent
                .map_or(0, |(parent, _)| parent);
            self.met.push(Met { text: holder, instance, finding });
        }
        let mut cumulated = HashMap::new();
        cumulated.insert(frame.instance, 0_u8);
        for id in frame.instance as usize + 1..self.placement.instances.len() {
            let above = self.placement.instances[id].parent.map_or(0, |(parent, _)| parent);
            let shift = cumulated.get(&above).copied().unwrap_or(0).saturating_add(self.shifts[id]);
            cumulated.insert(index(id), shift);
        }
        let mut highest: Option<u8> = None;
        for (&id, &selected) in ids.iter().zip(&selection.sections) {
            let parent = self.placement.sections[id].parent;
            let parent = match parent {
                Some(above) if above as usize >= first => {
                    let above_entry = &self.placement.sections[above as usize];
                    if above_entry.state == SectionState::Dropped {
                        above_entry.parent
                    } else {
                        parent
                    }
                }
                _ => parent,
            };
            let entry = &mut self.placement.sections[id];
            entry.parent = parent;
            if selected {
                let shift = cumulated.get(&entry.instance).copied().unwrap_or(0);
                let level = entry.level.saturating_add(shift);
                highest = Some(highest.map_or(level, |other| other.min(level)));
            } else {
                entry.state = SectionState::Dropped;
                self.placement.has_special_sections = true;
            }
        }
        if !selection.preamble {
            self.placement.has_special_sections = true;
            for instance in &mut self.placement.instances[frame.instance as usize..] {
                if instance.root == root {
                    instance.root = NEVER;
                }
            }
        }
        highest
    }

    /// The sections from an index on that are in the tree, for a filter.
    fn nodes(&self, first: usize) -> (Vec<usize>, Vec<Node<'p>>) {
        let sections = &self.placement.sections;
        let ids: Vec<usize> = (first..sections.len())
            .filter(|&id| sections[id].state == SectionState::InTree)
            .collect();
        let mut at = HashMap::with_capacity(ids.len());
        let mut counts: HashMap<(Option<usize>, &str), usize> = HashMap::new();
        let mut nodes = Vec::with_capacity(ids.len());
        for (position, &id) in ids.iter().enumerate() {
            at.insert(index(id), position);
            let title = title(self.texts, self.units, &self.placement.instances, &sections[id]);
            let parent = sections[id].parent.and_then(|parent| at.get(&parent).copied());
            let count = counts.entry((parent, title)).or_default();
            *count += 1;
            nodes.push(Node { title, parent, ordinal: *count });
        }
        (ids, nodes)
    }

    /// Makes the sections from an index on part of the section that includes them.
    fn contain(&mut self, first: usize, root: u32) {
        for section in &mut self.placement.sections[first..] {
            if section.state == SectionState::InTree {
                section.state = SectionState::Contained(root);
                self.placement.has_special_sections = true;
            }
        }
    }

    /// Adds up the shifts from the entry down, and warns of headings that would go too deep.
    fn settle_levels(&mut self) {
        for id in 0..self.placement.instances.len() {
            let above = self.placement.instances[id]
                .parent
                .map_or(0, |(parent, _)| self.placement.instances[parent as usize].shift);
            self.placement.instances[id].shift = above.saturating_add(self.shifts[id]);
        }
        for section in &mut self.placement.sections[1..] {
            let instance = &self.placement.instances[section.instance as usize];
            let level = section.level.saturating_add(instance.shift);
            section.level = level.min(6);
            if level <= 6 || section.state != SectionState::InTree {
                continue;
            }
            let unit = &self.units[instance.unit as usize];
            let heading = &unit.headings[section.heading as usize];
            let text = unit.text(heading.text);
            let mark = &self.texts[text as usize].document.body.headings[heading.mark as usize];
            let message = format!("this heading would be at level {level}, and stays at level 6");
            let finding = Finding::new(codes::HEADING_TOO_DEEP, mark.span, message)
                .help("include the file higher up, or with `| keep`");
            self.met.push(Met { text, instance: section.instance, finding });
        }
    }

    fn number_equal_titles(&mut self) {
        let (ids, nodes) = self.nodes(1);
        for (id, node) in ids.into_iter().zip(nodes) {
            self.placement.sections[id].ordinal = index(node.ordinal);
        }
    }
}
