//! `search`: files by the pattern of their paths.

use std::collections::BTreeSet;

use crate::disk::Disk;
use crate::error::ContextError;
use crate::glob::Pattern;
use crate::path::VirtualPath;
use crate::sandbox::ContextFolder;
use crate::walk::{Skipped, Visitor, threads, walk};

/// What to search for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchRequest {
    /// The pattern: `*` and `?` within a name, `**` over names, `[…]`, `{…}`. It may match at any
    /// depth.
    pub pattern: String,
    /// The folder to search; empty or `/` is the context folder.
    pub path: String,
    /// The files to give at most.
    pub max_results: usize,
}

impl Default for SearchRequest {
    fn default() -> Self {
        Self { pattern: String::new(), path: String::new(), max_results: 100 }
    }
}

/// Files whose paths match, in byte order of the paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundFiles {
    /// The files, at most as many as were asked for.
    pub files: Vec<FoundFile>,
    /// How many there are.
    pub total: usize,
    /// Folders of files that are not given, the shortest first.
    pub more_in: Vec<String>,
    /// How many such folders there are beside these.
    pub more_folders: usize,
    /// What was not looked at.
    pub skipped: Skipped,
}

/// A file that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundFile {
    /// The path from `/`.
    pub path: String,
    /// Its folder.
    pub folder: String,
    /// In bytes.
    pub size: u64,
}

/// The folders that are named of the files that are not given.
pub(crate) const MOST_FOLDERS: usize = 10;

impl ContextFolder {
    /// Searches for files by a pattern.
    ///
    /// Names that begin with a dot are not looked at, nor what the rules leave out; links are not
    /// followed. Costs a look at every folder below the one that is searched.
    ///
    /// # Errors
    ///
    /// [`ContextError::Pattern`], [`ContextError::Denied`], [`ContextError::NotFound`],
    /// [`ContextError::WrongKind`], [`ContextError::Failed`].
    pub fn search(&self, request: &SearchRequest) -> Result<FoundFiles, ContextError> {
        let pattern = Pattern::read(&request.pattern)?;
        let rules = self.rules()?;
        let (path, disk) = self.find_folder(&request.path, &rules)?;
        let root =
            disk.again().map_err(|error| ContextError::failed(&request.path, "read", &error))?;
        let finders = (0..threads()).map(|_| Finder { pattern: &pattern, paths: Vec::new() });
        let (finders, skipped) = walk(disk, &path, &rules, finders.collect());
        let mut paths: Vec<String> = finders.into_iter().flat_map(|finder| finder.paths).collect();
        paths.sort_unstable();
        let total = paths.len();
        let rest = paths.split_off(total.min(request.max_results));
        let sized = |found: String| {
            // From the folder that was walked; a file that has gone by now is not given.
            let inside = found[path.len()..].trim_start_matches('/');
            let (folder, name) = inside.rsplit_once('/').unwrap_or(("", inside));
            let size = root.folders(folder).ok()??.look(name).ok()??.size;
            let folder = found.rsplit_once('/').map_or("", |(folder, _)| folder);
            let folder = VirtualPath::folded(folder).to_string();
            Some(FoundFile { path: VirtualPath::folded(&found).to_string(), folder, size })
        };
        let files = paths.into_iter().filter_map(sized).collect();
        let (more_in, more_folders) = folders(&rest);
        Ok(FoundFiles { files, total, more_in, more_folders, skipped })
    }
}

struct Finder<'a> {
    pattern: &'a Pattern,
    paths: Vec<String>,
}

impl Visitor for Finder<'_> {
    fn file(&mut self, _: &Disk, _: &str, path: &str, _: &mut Skipped) {
        if self.pattern.matches(path) {
            self.paths.push(path.to_owned());
        }
    }
}

/// The folders of paths, the shortest first, and how many are not among them.
fn folders(paths: &[String]) -> (Vec<String>, usize) {
    let folder = |path: &String| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        VirtualPath::folded(folder).to_string()
    };
    let folders: BTreeSet<(usize, String)> =
        paths.iter().map(folder).map(|folder| (folder.chars().count(), folder)).collect();
    let more = folders.len().saturating_sub(MOST_FOLDERS);
    (folders.into_iter().take(MOST_FOLDERS).map(|(_, folder)| folder).collect(), more)
}
