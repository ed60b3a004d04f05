//! Who includes or extends whom.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use super::check::in_folder;
use super::{Engine, LoadOptions};
use crate::diag::Place;
use crate::link::{Linked, RootId, Site, on_cycles};

/// The files of prompts, and the ways between them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FileGraph {
    /// The files, by path.
    pub files: Vec<GraphFile>,
    /// The ways, by file and the order of its text. A directive that leads to several files has a
    /// way to each.
    pub ways: Vec<GraphWay>,
}

/// A file of a [`FileGraph`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GraphFile {
    /// Its path; `@name/path` in a named root.
    pub path: Arc<str>,
    /// The bytes of its text.
    pub bytes: usize,
}

/// A way from a file to another.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GraphWay {
    /// The file that includes or extends: an index into the files.
    pub from: usize,
    /// The file that it leads to.
    pub to: usize,
    /// Whether it extends; else it includes.
    pub extends: bool,
    /// Where it says so.
    pub place: Place,
    /// Whether it is part of a circle, which is an error.
    pub in_circle: bool,
}

impl FileGraph {
    /// The files that nothing includes or extends, but for themselves.
    #[must_use]
    pub fn orphans(&self) -> Vec<usize> {
        let mut reached = vec![false; self.files.len()];
        for way in self.ways.iter().filter(|way| way.from != way.to) {
            reached[way.to] = true;
        }
        (0..self.files.len()).filter(|&file| !reached[file]).collect()
    }

    /// The files that an edit of one would touch: itself, what includes or extends it, and so on;
    /// the nearest first, then by path. Empty if the graph has no such file.
    #[must_use]
    pub fn touched_by(&self, path: &str) -> Vec<usize> {
        let Some(first) = self.files.iter().position(|file| *file.path == *path) else {
            return Vec::new();
        };
        let mut leading: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.files.len()];
        for way in &self.ways {
            leading[way.to].insert(way.from);
        }
        let mut seen = vec![false; self.files.len()];
        seen[first] = true;
        let mut touched = Vec::new();
        let mut next = VecDeque::from([first]);
        while let Some(file) = next.pop_front() {
            touched.push(file);
            for &from in &leading[file] {
                if !std::mem::replace(&mut seen[from], true) {
                    next.push_back(from);
                }
            }
        }
        touched
    }
}

impl Engine {
    /// The files that entries can reach, on all branches, and the ways between them. An entry that
    /// ends with `/` is a folder: every Markdown file in it. An empty list means the whole root.
    ///
    /// What is wrong with the files is not told: see [`check`](Self::check).
    ///
    /// ```
    /// use mdgraft::{Engine, LoadOptions, MemoryLoader};
    ///
    /// let engine = Engine::new(MemoryLoader::from([
    ///     ("main.md", "<<> part.md>>\n"),
    ///     ("part.md", "A part.\n"),
    /// ]));
    /// let graph = engine.graph(&[], &LoadOptions::default());
    /// let touched = graph.touched_by("part.md").into_iter();
    /// let paths: Vec<&str> = touched.map(|file| &*graph.files[file].path).collect();
    /// assert_eq!(paths, ["part.md", "main.md"]);
    /// ```
    #[must_use]
    pub fn graph(&self, entries: &[&str], options: &LoadOptions) -> FileGraph {
        let mut found = Found::default();
        let mut next: VecDeque<String> = VecDeque::new();
        for entry in if entries.is_empty() { &["/"] } else { entries } {
            match entry.strip_suffix('/') {
                Some(folder) => next.extend(self.prompts(folder)),
                None => next.push_back((*entry).to_owned()),
            }
        }
        // A way that closes a circle is not part of what is linked, and neither is one that goes
        // too deep. From the file that it leaves, each of them is.
        let mut linked: BTreeSet<String> = BTreeSet::new();
        while let Some(entry) = next.pop_front() {
            if linked.insert(entry.clone()) {
                next.extend(found.add(&self.link(&entry, options)));
            }
        }
        found.finish()
    }

    /// The Markdown files of a folder of the main root and of its folders, by path; `""` is the
    /// root. Names that begin with a dot are left out.
    #[must_use]
    pub fn prompts(&self, folder: &str) -> Vec<String> {
        let folder = folder.trim_matches('/');
        in_folder(self.roots.loader(RootId::MAIN), folder).paths.into_iter().collect()
    }
}

#[derive(Default)]
struct Found {
    /// The bytes of each file.
    files: HashMap<Arc<str>, usize>,
    ways: HashMap<(Arc<str>, Site, Arc<str>), Place>,
}

impl Found {
    /// Adds what was linked; gives the templates among it that ways may lead on from.
    fn add(&mut self, linked: &Linked) -> Vec<String> {
        let mut more = Vec::new();
        for file in &linked.files {
            if self
                .files
                .insert(Arc::clone(&file.name), file.document.source.text().len())
                .is_none()
                && (file.base.files().next().is_some() || !file.document.body.includes.is_empty())
            {
                more.push(file.name.to_string());
            }
            let base = file.base.files().map(|to| (Site::Base, to));
            let includes = (0..)
                .zip(&file.includes)
                .flat_map(|(at, target)| target.files().map(move |to| (Site::Include(at), to)));
            for (site, to) in base.chain(includes) {
                let key =
                    (Arc::clone(&file.name), site, Arc::clone(&linked.files[to.index()].name));
                self.ways.entry(key).or_insert_with(|| Place {
                    file: Arc::clone(&file.name),
                    source: file.document.source.clone(),
                    span: file.span(site),
                });
            }
        }
        more
    }

    fn finish(self) -> FileGraph {
        let mut files: Vec<GraphFile> =
            self.files.into_iter().map(|(path, bytes)| GraphFile { path, bytes }).collect();
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        let number = |path: &str| files.partition_point(|file| *file.path < *path);
        let mut ways: Vec<(usize, Site, usize, Place)> = self
            .ways
            .into_iter()
            .map(|((from, site, to), place)| (number(&from), site, number(&to), place))
            .collect();
        ways.sort_unstable_by_key(|(from, site, to, _)| (*from, *site, *to));
        let ends: Vec<(usize, usize)> = ways.iter().map(|(from, _, to, _)| (*from, *to)).collect();
        let circles = on_cycles(files.len(), &ends);
        let ways = ways.into_iter().zip(circles).map(|((from, site, to, place), in_circle)| {
            GraphWay { from, to, extends: site == Site::Base, place, in_circle }
        });
        FileGraph { ways: ways.collect(), files }
    }
}
