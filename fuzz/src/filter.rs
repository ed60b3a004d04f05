//! What a filter selects, said a second time and as simply as can be: by trying every way in which
//! the titles down to a section may be written.

use mdgraft::Section;

use crate::cases::Entry;

/// For each section whether it is selected; `None` where the entries are written in a way that
/// only the library cleans.
#[must_use]
pub fn selected(sections: &[Section], entries: &[Entry]) -> Option<Vec<bool>> {
    let entries: Vec<Pattern> = entries.iter().map(Pattern::of).collect::<Option<_>>()?;
    let names = names(sections);
    let everything = entries.first().is_none_or(|entry| entry.removes);
    let chosen = names.iter().map(|chain| {
        let last = entries.iter().rev().find(|entry| entry.selects(chain));
        last.map_or(everything, |entry| !entry.removes)
    });
    Some(chosen.collect())
}

struct Pattern {
    removes: bool,
    path: Result<String, Vec<String>>,
}

impl Pattern {
    fn of(entry: &Entry) -> Option<Self> {
        let pattern = match entry {
            Entry::Path(path) => {
                let (removes, rest) =
                    path.strip_prefix('!').map_or((false, &**path), |rest| (true, rest));
                let rest =
                    rest.strip_prefix('\\').filter(|rest| rest.starts_with('!')).unwrap_or(rest);
                Self { removes, path: Ok(rest.to_owned()) }
            }
            Entry::Titles(titles) => Self { removes: false, path: Err(titles.clone()) },
        };
        let clean = |text: &str| {
            let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || " /![]".contains(c));
            plain && !text.contains("  ") && text.trim() == text
        };
        let is_clean = match &pattern.path {
            Ok(path) => clean(path),
            Err(titles) => titles.iter().all(|title| clean(title)),
        };
        is_clean.then_some(pattern)
    }

    fn selects(&self, chain: &[Vec<String>]) -> bool {
        (1..=chain.len()).any(|end| match &self.path {
            Ok(path) => is_written(path, &chain[..end]),
            Err(titles) => {
                titles.len() == end
                    && titles.iter().zip(chain).all(|(title, names)| names.contains(title))
            }
        })
    }
}

/// Whether a path is one of the ways to write a chain of names.
fn is_written(path: &str, chain: &[Vec<String>]) -> bool {
    let Some((first, below)) = chain.split_first() else { return path.is_empty() };
    first.iter().any(|name| match path.strip_prefix(name.as_str()) {
        Some(rest) if below.is_empty() => rest.is_empty(),
        Some(rest) => rest.strip_prefix('/').is_some_and(|rest| is_written(rest, below)),
        None => false,
    })
}

/// For each section the names of those down to it: the title, and the title with its number.
fn names(sections: &[Section]) -> Vec<Vec<Vec<String>>> {
    let parents = parents(sections);
    let mut all: Vec<Vec<Vec<String>>> = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        let siblings = (0..sections.len()).filter(|&other| parents[other] == parents[at]);
        let equal =
            siblings.clone().filter(|&other| other <= at && sections[other].title == section.title);
        let numbered = format!("{}[{}]", section.title, equal.count());
        let mut names = vec![section.title.clone()];
        if siblings.clone().all(|other| sections[other].title != numbered) {
            names.push(numbered);
        }
        let mut chain = parents[at].map_or_else(Vec::new, |parent| all[parent].clone());
        chain.push(names);
        all.push(chain);
    }
    all
}

fn parents(sections: &[Section]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        open.truncate(section.depth);
        parents.push(open.last().copied());
        open.push(at);
    }
    parents
}
