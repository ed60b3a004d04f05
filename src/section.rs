//! Section paths and filters (language §8): which sections of a tree a list of entries selects.

use std::collections::HashSet;

use crate::diag::near;
use crate::parse::markdown::clean_title;

/// Which sections are rendered: a list of filter entries, each a path such as `Rules/Style`
/// (`!` removes) or a list of titles.
///
/// An empty list renders everything.
///
/// ```
/// use mdgraft::Include;
///
/// let include = Include::from(&["Rules", "!Rules/Examples"]);
/// assert!(!include.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Include {
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Entry {
    Path(String),
    Titles(Vec<String>),
}

impl Include {
    /// Adds an entry written as a path.
    pub fn push_path(&mut self, path: impl Into<String>) {
        self.entries.push(Entry::Path(path.into()));
    }

    /// Adds an entry given as a list of titles, which selects.
    pub fn push_titles(&mut self, titles: impl IntoIterator<Item = impl Into<String>>) {
        self.entries.push(Entry::Titles(titles.into_iter().map(Into::into).collect()));
    }

    /// Adds an entry that removes what a path selects: the same as the path behind a `!`.
    pub fn push_exclude(&mut self, path: impl AsRef<str>) {
        self.entries.push(Entry::Path(format!("!{}", path.as_ref())));
    }

    /// Whether the list is empty, so that everything is rendered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<S: AsRef<str>> From<&[S]> for Include {
    fn from(paths: &[S]) -> Self {
        Self { entries: paths.iter().map(|path| Entry::Path(path.as_ref().to_owned())).collect() }
    }
}

impl<S: AsRef<str>, const N: usize> From<&[S; N]> for Include {
    fn from(paths: &[S; N]) -> Self {
        Self::from(paths.as_slice())
    }
}

impl<S: AsRef<str>, const N: usize> From<[S; N]> for Include {
    fn from(paths: [S; N]) -> Self {
        Self::from(paths.as_slice())
    }
}

impl<S: AsRef<str>> From<&Vec<S>> for Include {
    fn from(paths: &Vec<S>) -> Self {
        Self::from(paths.as_slice())
    }
}

impl<S: AsRef<str>> From<Vec<S>> for Include {
    fn from(paths: Vec<S>) -> Self {
        Self::from(paths.as_slice())
    }
}

impl From<()> for Include {
    /// Everything.
    fn from((): ()) -> Self {
        Self::default()
    }
}

/// A section as the filter sees it. Sections come in the order of the text, parents before their
/// children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'t> {
    pub(crate) title: &'t str,
    pub(crate) parent: Option<usize>,
    /// The number of this section among those of equal title below the same parent, from 1.
    pub(crate) ordinal: usize,
}

/// What a filter selects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Selection {
    /// Whether the text before the first heading is selected.
    pub(crate) preamble: bool,
    /// For each section, whether it is selected.
    pub(crate) sections: Vec<bool>,
    /// The entries that name no section, as written.
    pub(crate) unknown: Vec<String>,
}

/// Selects from a tree of sections.
pub(crate) fn select(include: &Include, nodes: &[Node<'_>]) -> Selection {
    let entries: Vec<Pattern> = include.entries.iter().map(Pattern::of).collect();
    let all_but = entries.first().is_none_or(|entry| entry.removes);
    let numbered_titles: HashSet<(Option<usize>, &str)> = nodes
        .iter()
        .filter(|node| node.title.ends_with(']'))
        .map(|node| (node.parent, node.title))
        .collect();
    let mut matched = vec![false; entries.len()];
    // For each section the last entry that matches it or one above it.
    let mut verdicts: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    // For each section the entries that go on below it, with how far they are matched.
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::with_capacity(nodes.len());
    let start: Vec<(u32, u32)> = (0..entries.len()).map(|index| (index_u32(index), 0)).collect();
    for node in nodes {
        let mut verdict = node.parent.and_then(|parent| verdicts[parent]);
        let from = open.len();
        let above = node.parent.map(|parent| ranges[parent].clone());
        let count = above.as_ref().map_or(start.len(), ExactSizeIterator::len);
        for index in 0..count {
            let (entry, at) =
                above.as_ref().map_or_else(|| start[index], |range| open[range.start + index]);
            let step = entries[entry as usize].step(at, node, &numbered_titles);
            for next in step.into_iter().flatten() {
                match next {
                    Step::Whole => {
                        matched[entry as usize] = true;
                        verdict = verdict.max(Some(entry as usize));
                    }
                    Step::Part(at) => open.push((entry, at)),
                }
            }
        }
        ranges.push(from..open.len());
        verdicts.push(verdict);
    }
    let mut preamble = None;
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_preamble() {
            matched[index] = true;
            preamble = Some(index);
        }
    }
    let decide = |verdict: Option<usize>| verdict.map_or(all_but, |index| !entries[index].removes);
    Selection {
        preamble: decide(preamble),
        sections: verdicts.into_iter().map(decide).collect(),
        unknown: entries
            .iter()
            .zip(matched)
            .filter(|(_, matched)| !matched)
            .map(|(entry, _)| entry.written.clone())
            .collect(),
    }
}

/// The path of the section nearest to an entry that names none.
pub(crate) fn near_path(entry: &str, nodes: &[Node<'_>]) -> Option<String> {
    /// Beyond this the search would cost more than the hint is worth.
    const MOST: usize = 10_000;
    let wanted = entry.strip_prefix('!').unwrap_or(entry);
    let mut paths: Vec<String> = Vec::with_capacity(nodes.len().min(MOST));
    for node in nodes.iter().take(MOST) {
        paths.push(match node.parent {
            Some(parent) if parent < paths.len() => format!("{}/{}", paths[parent], node.title),
            _ => node.title.to_owned(),
        });
    }
    let near = near::nearest(wanted, paths.iter().map(String::as_str));
    // A sub-section that was named without what stands above it.
    let below = || {
        let last = wanted.rsplit('/').next().unwrap_or(wanted);
        let index = nodes.iter().take(MOST).position(|node| node.title == last)?;
        (paths[index] != wanted).then(|| paths[index].as_str())
    };
    near.or_else(below).map(ToOwned::to_owned)
}

fn index_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// An entry, ready to be matched.
#[derive(Debug)]
struct Pattern {
    written: String,
    removes: bool,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Path(String),
    Titles(Vec<String>),
}

/// How one title takes an entry further.
enum Step {
    /// The entry names this section.
    Whole,
    /// The entry goes on: the offset in its path, or the number of titles matched.
    Part(u32),
}

impl Pattern {
    fn of(entry: &Entry) -> Self {
        match entry {
            Entry::Path(path) => {
                let (removes, rest) = match path.strip_prefix('!') {
                    Some(rest) => (true, rest),
                    None => (false, path.as_str()),
                };
                let rest = match rest.strip_prefix("\\!") {
                    Some(title) => format!("!{title}"),
                    None => rest.to_owned(),
                };
                let shape = Shape::Path(clean_title(&rest));
                Self { written: path.clone(), removes, shape }
            }
            Entry::Titles(titles) => Self {
                written: titles.join("/"),
                removes: false,
                shape: Shape::Titles(titles.iter().map(|title| clean_title(title)).collect()),
            },
        }
    }

    fn is_preamble(&self) -> bool {
        matches!(&self.shape, Shape::Path(path) if path == "/")
    }

    /// What the title of a section makes of an entry matched up to `at`.
    fn step<'t>(
        &'t self,
        at: u32,
        node: &Node<'_>,
        numbered_titles: &HashSet<(Option<usize>, &str)>,
    ) -> [Option<Step>; 2] {
        let numbered = |text: &'t str| -> Option<&'t str> {
            let tag = text.strip_prefix(node.title)?;
            let (digits, rest) = tag.strip_prefix('[')?.split_once(']')?;
            let whole = &text[..text.len() - rest.len()];
            let number = digits.parse::<usize>().ok()?;
            let is_title = numbered_titles.contains(&(node.parent, whole));
            (number == node.ordinal && !digits.starts_with('0') && !is_title).then_some(rest)
        };
        match &self.shape {
            Shape::Path(path) => {
                let text = &path[(at as usize).min(path.len())..];
                let step = |rest: &str| match rest.strip_prefix('/') {
                    Some(more) => Some(Step::Part(index_u32(path.len() - more.len()))),
                    None => rest.is_empty().then_some(Step::Whole),
                };
                [text.strip_prefix(node.title).and_then(step), numbered(text).and_then(step)]
            }
            Shape::Titles(titles) => {
                let Some(title) = titles.get(at as usize) else { return [None, None] };
                if title != node.title && numbered(title) != Some("") {
                    return [None, None];
                }
                let whole = at as usize + 1 == titles.len();
                [Some(if whole { Step::Whole } else { Step::Part(at + 1) }), None]
            }
        }
    }
}
