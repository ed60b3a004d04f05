//! Paths with `*`, `?` and `**`: which files they take (language §5).

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Arc;

use super::loader::{EntryKind, LoadError};
use super::read::Reader;
use super::roots::{FileKey, RootId};
use crate::text::paths;

/// Whether a text holds a glob sign.
pub(super) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Why a glob gives no list.
pub(super) enum GlobError {
    Load(LoadError),
    /// A name that matches leads out of the root.
    Outside,
    /// More names to look at than [`Budget`] allows.
    Work,
}

impl From<LoadError> for GlobError {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}

/// How many more names of folders, files and choices one run may look at.
pub(super) struct Budget(pub(super) usize);

impl Budget {
    /// Takes as much as a piece of work costs; false when that was not left.
    pub(super) fn take(&mut self, cost: usize) -> bool {
        let left = self.0.checked_sub(cost);
        self.0 = left.unwrap_or_default();
        left.is_some()
    }
}

/// The paths that match a canonical path with glob signs, in byte order.
///
/// Signs match no name that begins with a dot, and no file is taken whose name does; a folder
/// like `.github` may be named in full. `**` goes through links to folders, and no folder is
/// walked twice, so that a loop of links ends.
pub(super) fn matches(
    reader: &mut Reader<'_>,
    root: RootId,
    pattern: &str,
    budget: &mut Budget,
) -> Result<BTreeSet<String>, GlobError> {
    let segments = segments(pattern);
    let mut walk = Walk {
        root,
        segments: &segments,
        walked: HashSet::new(),
        queue: VecDeque::from([Step { folder: String::new(), at: 0, linked: false }]),
        linked: VecDeque::new(),
        found: BTreeSet::new(),
    };
    while let Some(step) = walk.queue.pop_front().or_else(|| walk.linked.pop_front()) {
        walk.step(reader, step, budget)?;
    }
    Ok(walk.found)
}

enum Segment<'a> {
    /// Any number of folders.
    Folders,
    /// A name without signs.
    Name(&'a str),
    /// A name with signs.
    Signs(Vec<char>),
}

/// The segments, so that `**` never ends the list and never follows itself.
fn segments(pattern: &str) -> Vec<Segment<'_>> {
    let mut segments: Vec<Segment<'_>> = Vec::new();
    for segment in pattern.split('/') {
        match segment {
            "**" if matches!(segments.last(), Some(Segment::Folders)) => {}
            "**" => segments.push(Segment::Folders),
            name if is_glob(name) => segments.push(Segment::Signs(name.chars().collect())),
            name => segments.push(Segment::Name(name)),
        }
    }
    if matches!(segments.last(), Some(Segment::Folders)) {
        segments.push(Segment::Signs(vec!['*']));
    }
    segments
}

struct Walk<'a> {
    root: RootId,
    segments: &'a [Segment<'a>],
    /// The canonical folders walked, each with the segment its names were held against.
    walked: HashSet<(Arc<str>, usize)>,
    queue: VecDeque<Step>,
    /// Folders reached through a link: they wait, so that a folder is walked by its own path if
    /// that matches too.
    linked: VecDeque<Step>,
    found: BTreeSet<String>,
}

/// A folder whose names are to be held against a segment.
struct Step {
    folder: String,
    at: usize,
    linked: bool,
}

impl Walk<'_> {
    fn step(
        &mut self,
        reader: &mut Reader<'_>,
        step: Step,
        budget: &mut Budget,
    ) -> Result<(), GlobError> {
        let segments = self.segments;
        let Some(segment) = segments.get(step.at) else { return Ok(()) };
        let last = step.at + 1 == segments.len();
        if !budget.take(1) {
            return Err(GlobError::Work);
        }
        if let Segment::Name(name) = segment {
            return self.named(reader, paths::join(&step.folder, name), step.at, last);
        }
        let Some(listing) = reader.folder(&FileKey::new(self.root, step.folder.as_str()))? else {
            return Ok(());
        };
        if !step.linked && *listing.path != *step.folder {
            self.linked.push_back(Step { linked: true, ..step });
            return Ok(());
        }
        if !self.walked.insert((Arc::clone(&listing.path), step.at)) {
            return Ok(());
        }
        if matches!(segment, Segment::Folders) {
            self.go(step.folder.clone(), step.at + 1);
        }
        for (name, kind) in listing.entries() {
            if !budget.take(1) {
                return Err(GlobError::Work);
            }
            if name.starts_with('.') || !paths::is_name(name) {
                continue;
            }
            let path = paths::join(&step.folder, name);
            match (segment, kind) {
                (Segment::Folders, EntryKind::Folder) => self.go(path, step.at),
                (Segment::Signs(signs), _) if !sign_match(signs, name) => {}
                (Segment::Signs(_), EntryKind::Outside) => return Err(GlobError::Outside),
                (Segment::Signs(_), EntryKind::Folder) if !last => self.go(path, step.at + 1),
                (Segment::Signs(_), EntryKind::File) if last => {
                    self.found.insert(path);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn go(&mut self, folder: String, at: usize) {
        self.queue.push_back(Step { folder, at, linked: false });
    }

    /// A segment without signs needs no listing.
    fn named(
        &mut self,
        reader: &mut Reader<'_>,
        path: String,
        at: usize,
        last: bool,
    ) -> Result<(), GlobError> {
        if !last {
            self.go(path, at + 1);
        } else if !paths::name(&path).starts_with('.')
            && reader.file(&FileKey::new(self.root, path.as_str()))?.is_some()
        {
            self.found.insert(path);
        }
        Ok(())
    }
}

/// Whether a name matches signs: `*` any letters, `?` one. Goes back to the last `*` only, so
/// that it costs at most the product of the two lengths.
fn sign_match(signs: &[char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut sign, mut letter) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while letter < name.len() {
        match signs.get(sign) {
            Some('*') => {
                star = Some((sign, letter));
                sign += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == name[letter] => {
                sign += 1;
                letter += 1;
            }
            _ => {
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                sign = at + 1;
                letter = from + 1;
            }
        }
    }
    signs[sign..].iter().all(|&rest| rest == '*')
}

/// Leaves out what is another's variant: `x.V.md` where `x.md` matches too.
pub(super) fn without_variants(found: &BTreeSet<String>) -> Vec<String> {
    let is_plain =
        |path: &&String| paths::without_variant(path).is_none_or(|plain| !found.contains(&plain));
    found.iter().filter(is_plain).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::loader::Loader;
    use crate::link::memory::MemoryLoader;
    use crate::link::roots::Roots;

    fn taken(loader: &Arc<MemoryLoader>, pattern: &str) -> Vec<String> {
        let main: Arc<dyn Loader> = loader.clone();
        let roots = Roots::new(main);
        let mut reader = Reader::new(&roots, &roots, 100);
        let found = matches(&mut reader, RootId::MAIN, pattern, &mut Budget(1000));
        found.unwrap_or_else(|_| BTreeSet::from(["failed".to_owned()])).into_iter().collect()
    }

    #[test]
    fn signs_stay_within_a_segment() {
        let files = ["a.md", "b.txt", "ab.md", "é.md", ".c.md", "d/a.md", "d/e/a.md", "d-a/a.md"];
        let loader = Arc::new(MemoryLoader::new(files.map(|path| (path, ""))));
        loader.insert(".git/a.md", "");
        loader.insert("d/.h/a.md", "");
        for (pattern, paths) in [
            ("*", "a.md ab.md b.txt é.md"),
            ("*.md", "a.md ab.md é.md"),
            ("?.md", "a.md é.md"),
            ("*a*.md", "a.md ab.md"),
            ("a**.md", "a.md ab.md"),
            ("*/a.md", "d-a/a.md d/a.md"),
            ("*/?/a.md", "d/e/a.md"),
            ("**/a.md", "a.md d-a/a.md d/a.md d/e/a.md"),
            ("**/**/a.md", "a.md d-a/a.md d/a.md d/e/a.md"),
            ("d/**", "d/a.md d/e/a.md"),
            ("**/e/*.md", "d/e/a.md"),
            ("*/**/*/a.md", "d/e/a.md"),
            (".git/*.md", ".git/a.md"),
            ("*/.h/*.md", "d/.h/a.md"),
            (".*", ""),
            ("*/.c.md", ""),
            ("[ab].md*", ""),
            ("no/*.md", ""),
        ] {
            assert_eq!(taken(&loader, pattern).join(" "), paths, "{pattern}");
        }
    }

    #[test]
    fn links_to_folders_are_walked_once() {
        let loader =
            Arc::new(MemoryLoader::new([("r/a.md", ""), ("r/s/b.md", ""), ("o/c.md", "")]));
        loader.link("r/s/loop", "../..");
        loader.link("r/a-link", "s");
        loader.link("r/other", "../o");
        assert_eq!(taken(&loader, "r/**/*.md").join(" "), "r/a.md r/other/c.md r/s/b.md");
        loader.link("r/out", "../../x");
        assert_eq!(taken(&loader, "r/**/*.md").join(" "), "r/a.md r/other/c.md r/s/b.md");
        assert_eq!(taken(&loader, "r/o*/*.md").join(" "), "failed");
    }

    #[test]
    fn work_is_bounded() {
        let names = (0..2000).map(|number| (format!("{number}.md"), ""));
        assert_eq!(taken(&Arc::new(MemoryLoader::new(names)), "*.md").join(" "), "failed");
    }

    #[test]
    fn many_stars_are_no_trouble() {
        let signs: Vec<char> = "*a".repeat(100).chars().chain(['b']).collect();
        assert!(!sign_match(&signs, &"a".repeat(255)));
    }
}
