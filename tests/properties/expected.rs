//! The outline that a prompt should have: its sections, chosen by the filter and by the values of
//! their conditions.

use std::collections::BTreeSet;

use mdgraft::{PromptTree, Section};

use crate::oracle::Heading;
use crate::prompt::{Given, Prompt};

/// The titles that no value and no directive changes.
pub(crate) fn fixed_titles(tree: &PromptTree) -> BTreeSet<String> {
    let written = |section: &Section| {
        let place = &section.place;
        let text = place.source.slice(place.span);
        !text.contains("{{") && !text.contains("<!--")
    };
    let changing: BTreeSet<String> =
        tree.sections().filter(|section| !written(section)).map(|section| section.title).collect();
    let titles = tree.sections().map(|section| section.title);
    titles.filter(|title| !changing.contains(title)).collect()
}

/// The headings that are printed; `None` where the conditions do not say it all.
pub(crate) fn outline(tree: &PromptTree, prompt: &Prompt) -> Option<Vec<Heading>> {
    if prompt.holds(&["elif"]) {
        return None;
    }
    let sections: Vec<Section> = tree.sections().collect();
    let mut printed: Vec<bool> =
        sections.iter().map(|section| is_selected(&section.path, &prompt.include)).collect();
    if prompt.ancestors {
        let mut above: Vec<usize> = Vec::new();
        for (at, section) in sections.iter().enumerate() {
            above.truncate(section.depth);
            if is_selected(&section.path, &prompt.include) {
                above.iter().for_each(|&at| printed[at] = true);
            }
            above.push(at);
        }
    }
    let mut found = Vec::new();
    for (section, printed) in sections.into_iter().zip(printed) {
        let mut rounds = true;
        for condition in &section.conditions {
            rounds &= holds(condition, prompt)?;
        }
        if printed && rounds {
            found.push((section.level, section.title));
        }
    }
    Some(found)
}

fn is_selected(path: &[String], include: &[String]) -> bool {
    let runs: Vec<String> = (1..=path.len()).map(|length| path[..length].join("/")).collect();
    let mut selected = include.first().is_none_or(|first| first.starts_with('!'));
    for entry in include {
        let (wanted, sign) = match entry.strip_prefix('!') {
            Some(rest) => (rest, false),
            None => (entry.as_str(), true),
        };
        if runs.iter().any(|run| run == wanted) {
            selected = sign;
        }
    }
    selected
}

/// Whether what stands below a condition is printed, once.
fn holds(condition: &str, prompt: &Prompt) -> Option<bool> {
    let given = |name: &str| prompt.values.iter().find(|(other, _)| other == name);
    let flag = |name: &str| match given(name) {
        Some((_, Given::Flag(flag))) => Some(*flag),
        _ => None,
    };
    if let Some(name) = condition.strip_prefix("else of ") {
        return Some(!flag(name)?);
    }
    if let Some(name) = condition.strip_prefix("if ") {
        return flag(name);
    }
    let (_, name) = condition.strip_prefix("for ")?.split_once(" in ")?;
    match given(name) {
        Some((_, Given::List(list))) if list.len() < 2 => Some(!list.is_empty()),
        _ => None,
    }
}
