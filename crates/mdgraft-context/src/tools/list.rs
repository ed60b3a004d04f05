//! `list`: what is in a folder.

use crate::disk::{Disk, Kind};
use crate::error::{ContextError, Denied};
use crate::path::{VirtualPath, join};
use crate::rules::Rules;
use crate::sandbox::ContextFolder;
use crate::walk::{Skipped, is_plain, threads};

/// What to list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListRequest {
    /// The folder; empty or `/` is the context folder.
    pub path: String,
    /// The entries to give at most.
    pub max_entries: usize,
}

impl Default for ListRequest {
    fn default() -> Self {
        Self { path: String::new(), max_entries: 1000 }
    }
}

/// What is in a folder, in byte order of the names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The folder, as a path from `/`.
    pub path: String,
    /// The entries, at most as many as were asked for.
    pub entries: Vec<Entry>,
    /// How many there are.
    pub total: usize,
    /// What is there and not shown.
    pub skipped: Skipped,
}

/// One name in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The path from `/`.
    pub path: String,
    /// The last name of it.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What a name in a folder is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A regular file.
    File {
        /// In bytes.
        size: u64,
    },
    /// A folder.
    Folder {
        /// How many visible names it holds; none if it cannot be read.
        items: Option<usize>,
    },
    /// A symbolic link, whatever it leads to.
    Link,
}

impl ContextFolder {
    /// Lists a folder.
    ///
    /// Every name is shown that the rules allow, those that begin with a dot too. Links are shown
    /// as links. Costs a look at each name, and an opening of each folder for its count.
    ///
    /// # Errors
    ///
    /// [`ContextError::Denied`], [`ContextError::NotFound`], [`ContextError::WrongKind`] for a
    /// file, [`ContextError::Failed`].
    pub fn list(&self, request: &ListRequest) -> Result<Listing, ContextError> {
        let rules = self.rules()?;
        let (path, disk) = self.find_folder(&request.path, &rules)?;
        let failed = |error| ContextError::failed(&request.path, "read", &error);
        let mut skipped = Skipped::default();
        let mut shown = Vec::new();
        for (name, kind) in disk.names().map_err(failed)? {
            let name = name.to_str();
            if let Some(name) = visible(&path, name, kind, &rules, &mut skipped) {
                shown.push((name.to_owned(), kind));
            }
        }
        shown.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let total = shown.len();
        shown.truncate(request.max_entries);
        let kinds = describe(&disk, &path, &rules, &shown);
        let entry = |((name, _), kind): ((String, Kind), Option<EntryKind>)| {
            let path = VirtualPath::folded(&join(&path, &name)).to_string();
            Some(Entry { path, name, kind: kind? })
        };
        let entries: Vec<Entry> = shown.into_iter().zip(kinds).filter_map(entry).collect();
        let path = VirtualPath::folded(&path).to_string();
        Ok(Listing { path, entries, total, skipped })
    }
}

/// The name, if it is shown; else it is counted.
fn visible<'a>(
    folder: &str,
    name: Option<&'a str>,
    kind: Kind,
    rules: &Rules,
    skipped: &mut Skipped,
) -> Option<&'a str> {
    let Some(name) = name.filter(|name| is_plain(name)) else {
        skipped.unnamed += 1;
        return None;
    };
    match rules.denied(&join(folder, name), name, kind == Kind::Folder) {
        Some(Denied::Ignored) => skipped.ignored += 1,
        Some(_) => skipped.hidden += 1,
        None if kind == Kind::Other => skipped.special += 1,
        None => return Some(name),
    }
    None
}

/// Sizes and counts, by several threads. None for what has gone in the meantime.
fn describe(
    disk: &Disk,
    path: &str,
    rules: &Rules,
    names: &[(String, Kind)],
) -> Vec<Option<EntryKind>> {
    /// Below this a thread costs more than it brings.
    const WORTH_A_THREAD: usize = 64;
    let share = names.len().div_ceil(threads()).max(WORTH_A_THREAD);
    let of_share = |names: &[(String, Kind)]| -> Vec<Option<EntryKind>> {
        names.iter().map(|(name, kind)| one(disk, path, rules, name, *kind)).collect()
    };
    if names.len() <= share {
        return of_share(names);
    }
    std::thread::scope(|scope| {
        let of_share = &of_share;
        let handles: Vec<_> =
            names.chunks(share).map(|names| scope.spawn(move || of_share(names))).collect();
        let joined = handles.into_iter().flat_map(|handle| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        joined.collect()
    })
}

fn one(disk: &Disk, path: &str, rules: &Rules, name: &str, kind: Kind) -> Option<EntryKind> {
    match kind {
        Kind::File => disk.look(name).ok()?.map(|facts| EntryKind::File { size: facts.size }),
        Kind::Folder => {
            let count = |names: Vec<_>| {
                let folder = join(path, name);
                let mut ignored = Skipped::default();
                let shown = |(name, kind): &(std::ffi::OsString, Kind)| {
                    visible(&folder, name.to_str(), *kind, rules, &mut ignored).is_some()
                };
                names.iter().map(shown).filter(|shown| *shown).count()
            };
            let names = disk.folder(name).and_then(|folder| folder.names());
            Some(EntryKind::Folder { items: names.ok().map(count) })
        }
        Kind::Link | Kind::Other => Some(EntryKind::Link),
    }
}
