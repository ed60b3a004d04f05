//! A context folder as a root of the engine: `<<> @context/databases/…/columns.md>>`.

use mdgraft::{EntryKind as Kind, Facts, Listing, LoadError, Loaded, Loader};

use crate::disk;
use crate::error::{ContextError, Denied};
use crate::path::join;
use crate::sandbox::{ContextFolder, Found};
use crate::walk::is_plain;

/// Prompts include from a context folder through the same sandbox as the tools read it, so that
/// what is excluded or ignored is as far away as what is outside.
impl Loader for ContextFolder {
    fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError> {
        let rules = self.rules().map_err(|error| unreadable(path, &error))?;
        let Some(Found::File { path: real, folder, name }) = self.found(path, &rules)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        match folder.read(&name, limit, &mut bytes) {
            Ok(disk::Reading::Read(facts)) => {
                Ok(Some(Loaded { facts: loaded_facts(&real, &facts), bytes }))
            }
            Ok(disk::Reading::TooLarge(_)) => {
                Err(LoadError::TooLarge { path: path.to_owned(), limit })
            }
            Ok(disk::Reading::NoFile) => Ok(None),
            Err(error) if disk::is_absence(&error) => Ok(None),
            Err(error) => Err(unreadable(path, &ContextError::failed(path, "read", &error))),
        }
    }

    fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
        let rules = self.rules().map_err(|error| unreadable(path, &error))?;
        let Some(Found::File { path: real, folder, name }) = self.found(path, &rules)? else {
            return Ok(None);
        };
        let facts = folder.look(&name);
        let facts =
            facts.map_err(|error| unreadable(path, &ContextError::failed(path, "read", &error)))?;
        let facts = facts.filter(|facts| facts.kind == disk::Kind::File);
        Ok(facts.map(|facts| loaded_facts(&real, &facts)))
    }

    fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError> {
        let rules = self.rules().map_err(|error| unreadable(folder, &error))?;
        let Some(Found::Folder { path, disk }) = self.found(folder, &rules)? else {
            return Ok(None);
        };
        let failed = |error| unreadable(folder, &ContextError::failed(folder, "read", &error));
        let mut entries = Vec::new();
        for (name, kind) in disk.names().map_err(failed)? {
            let Some(name) = name.to_str().filter(|name| is_plain(name)) else { continue };
            let here = join(&path, name);
            if rules.denied(&here, name, kind == disk::Kind::Folder).is_some() {
                continue;
            }
            let kind = match kind {
                disk::Kind::File => Kind::File,
                disk::Kind::Folder => Kind::Folder,
                disk::Kind::Other => Kind::Other,
                disk::Kind::Link => match self.found(&here, &rules) {
                    Ok(Some(Found::File { .. })) => Kind::File,
                    Ok(Some(Found::Folder { .. })) => Kind::Folder,
                    Err(LoadError::OutsideRoot { .. }) => Kind::Outside,
                    Ok(None) | Err(_) => Kind::Other,
                },
            };
            entries.push((name.to_owned(), kind));
        }
        Ok(Some(Listing::new(path, entries)))
    }
}

impl ContextFolder {
    fn found(&self, path: &str, rules: &crate::rules::Rules) -> Result<Option<Found>, LoadError> {
        match self.find(path, rules) {
            Ok(found) => Ok(Some(found)),
            Err(ContextError::NotFound { .. } | ContextError::WrongKind { .. }) => Ok(None),
            Err(ContextError::Denied { reason: Denied::Outside, .. }) => {
                Err(LoadError::OutsideRoot { path: path.to_owned() })
            }
            Err(error) => Err(unreadable(path, &error)),
        }
    }
}

fn loaded_facts(path: &str, found: &disk::Facts) -> Facts {
    let mut facts = Facts::new(path, found.size);
    facts.modified = found.modified;
    facts.changed = found.changed;
    facts.identity = found.identity;
    facts
}

fn unreadable(path: &str, error: &ContextError) -> LoadError {
    LoadError::Unreadable { path: path.to_owned(), reason: error.to_string() }
}
