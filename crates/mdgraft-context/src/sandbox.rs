//! The one way into a context folder: paths are checked, links are followed by hand, and what
//! comes out is a handle below the folder.

use std::path::{Component, Path};
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::{Disk, Facts, Kind, Reading, is_absence};
use crate::error::{ContextError, Denied};
use crate::objects::ObjectCache;
use crate::path::{VirtualPath, join};
use crate::rules::{IGNORE_FILE, Rules, built_in};

/// A context folder, open for reading.
///
/// All tools go through it. A path such as `/databases/x.md` begins at the folder, whatever is
/// above it on the disk, and nothing outside can be named or reached: not by `..`, not by a link,
/// and not by a name that is replaced by a link while it is used. Links that stay in the folder
/// are followed where a path names them, and the rules hold for where they lead, too. `.git`,
/// `.env*` and `.meta` are never read, nor what `.mdgraftignore` leaves out.
///
/// ```no_run
/// use mdgraft_context::{ContextFolder, ListRequest};
///
/// let folder = ContextFolder::open("context")?;
/// let listing = folder.list(&ListRequest { path: "/databases".into(), ..Default::default() })?;
/// println!("{}", listing.to_text());
/// # Ok::<(), mdgraft_context::ContextError>(())
/// ```
#[derive(Debug)]
pub struct ContextFolder {
    disk: Disk,
    rules: Mutex<Option<Arc<Rules>>>,
    pub(crate) objects: ObjectCache,
}

/// What a path leads to. The path is the real one, without links.
#[derive(Debug)]
pub(crate) enum Found {
    Folder {
        path: String,
        disk: Disk,
    },
    /// A file, by the folder that it stands in.
    File {
        path: String,
        folder: Disk,
        name: String,
    },
}

/// The ignore file may have this many bytes.
const LARGEST_IGNORE_FILE: u64 = 1024 * 1024;

/// The links that one path may go through.
const MOST_LINKS: usize = 40;

impl ContextFolder {
    /// Opens a folder, which is held open: when it is moved, the tools go along.
    ///
    /// # Errors
    ///
    /// [`ContextError::Failed`] if it is no folder or cannot be opened, and
    /// [`ContextError::Settings`] if its ignore file does not read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ContextError> {
        let path = path.as_ref();
        let disk = Disk::open(path)
            .map_err(|error| ContextError::failed(&path.to_string_lossy(), "opened", &error))?;
        let folder = Self { disk, rules: Mutex::new(None), objects: ObjectCache::default() };
        folder.rules()?;
        Ok(folder)
    }

    /// The same folder again, for something that wants one of its own.
    pub(crate) fn again(&self) -> Result<Self, ContextError> {
        let disk =
            self.disk.again().map_err(|error| ContextError::failed("/", "opened", &error))?;
        Ok(Self { disk, rules: Mutex::new(None), objects: ObjectCache::default() })
    }

    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The rules of the ignore file as it is now.
    pub(crate) fn rules(&self) -> Result<Arc<Rules>, ContextError> {
        let failed = |reason: &str| ContextError::Failed {
            path: format!("/{IGNORE_FILE}"),
            what: "read",
            reason: reason.to_owned(),
        };
        let mut text = Vec::new();
        match self.disk.read(IGNORE_FILE, LARGEST_IGNORE_FILE, &mut text) {
            Ok(Reading::Read(_)) => {}
            Ok(Reading::TooLarge(_)) => return Err(failed("it is larger than 1 MiB")),
            Ok(Reading::NoFile) => return Err(failed("it is no regular file")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            // A link is not followed: what it leads to could change what is hidden.
            Err(error) => return Err(failed(&crate::error::reason(&error))),
        }
        let mut kept = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = kept.as_ref().filter(|rules| rules.are_of(&text)) {
            return Ok(Arc::clone(rules));
        }
        let rules = Arc::new(Rules::read(text)?);
        *kept = Some(Arc::clone(&rules));
        Ok(rules)
    }

    /// What a path leads to, if it may be used.
    pub(crate) fn find(&self, given: &str, rules: &Rules) -> Result<Found, ContextError> {
        let path = VirtualPath::read(given)?;
        check_as_written(given, path.as_str(), rules)?;
        Follow { root: &self.disk, given, rules }.find(path.as_str())
    }

    /// A folder that a path leads to.
    pub(crate) fn find_folder(
        &self,
        given: &str,
        rules: &Rules,
    ) -> Result<(String, Disk), ContextError> {
        match self.find(given, rules)? {
            Found::Folder { path, disk } => Ok((path, disk)),
            Found::File { .. } => Err(ContextError::WrongKind {
                path: crate::error::plain(given),
                is: "a file",
                wanted: "a folder",
            }),
        }
    }
}

/// What can be said of a path before anything is looked at.
fn check_as_written(given: &str, path: &str, rules: &Rules) -> Result<(), ContextError> {
    let denied = |reason| ContextError::denied(given, reason);
    if let Some(reason) = path.split('/').find_map(built_in) {
        return Err(denied(reason));
    }
    for (at, _) in path.match_indices('/') {
        if let Some(reason) = rules.denied(&path[..at], last(&path[..at]), true) {
            return Err(denied(reason));
        }
    }
    Ok(())
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Walks a path name by name, and the targets of links as if they had been written.
struct Follow<'a> {
    root: &'a Disk,
    given: &'a str,
    rules: &'a Rules,
}

impl Follow<'_> {
    fn find(&self, path: &str) -> Result<Found, ContextError> {
        // The names still to go, the next one last, and the folders gone through.
        let mut todo: Vec<String> = path.rsplit('/').map(str::to_owned).collect();
        let mut folders: Vec<(String, Disk)> = Vec::new();
        let mut links = 0;
        while let Some(name) = todo.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." => {
                    folders.pop().ok_or_else(|| self.denied(Denied::Outside))?;
                    continue;
                }
                _ => {}
            }
            let (above, disk) = match folders.last() {
                Some((path, disk)) => (path.as_str(), disk),
                None => ("", self.root),
            };
            let here = join(above, &name);
            let facts = self.look(disk, &here, &name)?;
            if facts.kind == Kind::Link {
                links += 1;
                if links > MOST_LINKS {
                    return Err(self.failed("it leads through too many links"));
                }
                let target = disk.link_target(&name).map_err(|error| self.io(&error))?;
                todo.extend(self.names_of(&target)?);
                continue;
            }
            if facts.kind == Kind::Folder {
                let opened = disk.folder(&name).map_err(|error| self.io(&error))?;
                folders.push((here, opened));
                continue;
            }
            if todo.iter().any(|name| !matches!(name.as_str(), "" | ".")) {
                return Err(ContextError::not_found(self.given));
            }
            if facts.kind == Kind::Other {
                return Err(ContextError::WrongKind {
                    path: crate::error::plain(self.given),
                    is: "a special file",
                    wanted: "a regular file or a folder",
                });
            }
            let folder = match folders.pop() {
                Some((_, disk)) => disk,
                None => self.root.again().map_err(|error| self.io(&error))?,
            };
            return Ok(Found::File { path: here, folder, name });
        }
        if let Some((path, disk)) = folders.pop() {
            return Ok(Found::Folder { path, disk });
        }
        let disk = self.root.again().map_err(|error| self.io(&error))?;
        Ok(Found::Folder { path: String::new(), disk })
    }

    /// Looks at a name, if the rules allow. Where they forbid it as a file or as a folder, a name
    /// that is not there is answered as if it were the forbidden one.
    fn look(&self, disk: &Disk, here: &str, name: &str) -> Result<Facts, ContextError> {
        let as_file = self.rules.denied(here, name, false);
        let as_folder = self.rules.denied(here, name, true);
        if let (Some(reason), Some(_)) = (as_file, as_folder) {
            return Err(self.denied(reason));
        }
        let facts = disk.look(name).map_err(|error| self.io(&error))?;
        let reason = match facts.map(|facts| facts.kind) {
            // A link is neither of both: it is hidden where one of both is.
            None | Some(Kind::Link) => as_file.or(as_folder),
            Some(Kind::Folder) => as_folder,
            Some(Kind::File | Kind::Other) => as_file,
        };
        match (reason, facts) {
            (Some(reason), _) => Err(self.denied(reason)),
            (None, None) => Err(ContextError::not_found(self.given)),
            (None, Some(facts)) => Ok(facts),
        }
    }

    /// The names of a link's target, the first one last.
    fn names_of(&self, target: &Path) -> Result<Vec<String>, ContextError> {
        let mut names = Vec::new();
        for component in target.components() {
            names.push(match component {
                Component::Prefix(_) | Component::RootDir => {
                    return Err(self.denied(Denied::Outside));
                }
                Component::CurDir => continue,
                Component::ParentDir => "..".to_owned(),
                Component::Normal(name) => match name.to_str() {
                    Some(name) => name.to_owned(),
                    None => return Err(ContextError::not_found(self.given)),
                },
            });
        }
        names.reverse();
        Ok(names)
    }

    fn denied(&self, reason: Denied) -> ContextError {
        ContextError::denied(self.given, reason)
    }

    fn io(&self, error: &std::io::Error) -> ContextError {
        if is_absence(error) {
            return ContextError::not_found(self.given);
        }
        ContextError::failed(self.given, "read", error)
    }

    fn failed(&self, reason: &str) -> ContextError {
        ContextError::Failed {
            path: crate::error::plain(self.given),
            what: "read",
            reason: reason.to_owned(),
        }
    }
}
