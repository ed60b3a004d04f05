//! What only a check warns of in a whole prompt: the shape of its outline, over all its files
//! (language §10). It looks at the tree as it is printed: levels are those of the output.

mod after;
mod equal;

use super::program::{Program, SectionEntry, SectionState};
use crate::diag::{Diagnostic, Finding, codes};
use crate::parse::document::HeadingMark;

/// The warnings about the outline of a prompt, in no order.
pub(crate) fn check(program: &Program) -> Vec<Diagnostic> {
    let mut told = skipped_levels(program);
    told.extend(equal::siblings(program));
    told.extend(after::text_after_sections(program));
    told
}

/// Headings more than one level below the one that they stand under.
fn skipped_levels(program: &Program) -> Vec<Diagnostic> {
    let sections = &program.placement.sections;
    let told = in_tree(program).filter_map(|(_, section)| {
        let parent = &sections[section.parent? as usize];
        let below = section.level.saturating_sub(parent.level);
        (below > 1).then(|| {
            let (title, above) = (program.title(section), program.title(parent));
            let message = format!("`{title}` stands {below} levels below `{above}`");
            told_at(program, section, |mark| {
                // An include may put both lower than they are written.
                let signs = "#".repeat(usize::from(mark.level.saturating_sub(below - 1).max(1)));
                let help = format!("write `{signs}`, or put a heading between the two");
                Finding::new(codes::SKIPPED_LEVEL, mark.span, message).help(help)
            })
        })
    });
    told.collect()
}

/// The sections of the tree with their numbers, in the order of the text.
fn in_tree(program: &Program) -> impl Iterator<Item = (usize, &SectionEntry)> {
    let sections = program.placement.sections.iter().enumerate().skip(1);
    sections.filter(|(_, section)| section.state == SectionState::InTree)
}

/// A diagnostic at the heading of a section.
fn told_at(
    program: &Program,
    section: &SectionEntry,
    finding: impl FnOnce(&HeadingMark) -> Finding,
) -> Diagnostic {
    let instance = &program.placement.instances[section.instance as usize];
    let unit = &program.units[instance.unit as usize];
    let heading = &unit.headings[section.heading as usize];
    let text = unit.text(heading.text);
    let document = &program.texts[text as usize].document;
    let finding = finding(&document.body.headings[heading.mark as usize]);
    program.diagnostic(text, section.instance, finding)
}
