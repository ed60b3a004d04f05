//! From the path that a file holds to the files that it means.

use std::collections::HashSet;

use super::glob::{self, Budget, GlobError};
use super::loader::LoadError;
use super::lookup;
use super::read::Reader;
use super::report::{self, Miss, Missing};
use super::roots::{FileKey, RootId};
use super::suggest;
use crate::text::paths::{self, WrittenPath};

/// The names that all globs and enum paths of one run may look at.
const MOST_NAMES: usize = 1_000_000;
/// The missing files that near names are sought for.
const MOST_SUGGESTIONS: usize = 100;

/// Resolves paths, and counts what one run may do only so often.
pub(super) struct Resolver<'a> {
    pub(super) reader: Reader<'a>,
    variant: Option<&'a str>,
    /// Whether some name had the variant that was asked for.
    pub(super) variant_met: bool,
    pub(super) budget: Budget,
    suggestions: usize,
}

/// Where a path leads in text: a root, and a canonical path in it.
struct Place {
    root: RootId,
    path: String,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(reader: Reader<'a>, variant: Option<&'a str>) -> Self {
        Self {
            reader,
            variant,
            variant_met: false,
            budget: Budget(MOST_NAMES),
            suggestions: MOST_SUGGESTIONS,
        }
    }

    /// The one file that a path without signs means.
    pub(super) fn one(&mut self, holder: Option<&FileKey>, text: &str) -> Result<FileKey, Miss> {
        let Place { root, path } = self.place(holder, text)?;
        let found = lookup::find(&mut self.reader, root, &path, self.variant, holder);
        if let Some(found) = found.map_err(|error| self.load_miss(root, error))? {
            self.variant_met |= found.variant;
            return Ok(found.file);
        }
        let name = self.reader.roots.display(root, &path).to_string();
        Err(Miss::Missing(vec![Missing { root, path, name, suggestion: None }]))
    }

    /// Adds what may have been meant by missing files. Only for those that are told of: the
    /// folders listed for it are observed, and no optional file should depend on them.
    pub(super) fn suggest(&mut self, holder: Option<&FileKey>, mut miss: Miss) -> Miss {
        if let Miss::Missing(missing) = &mut miss {
            for file in missing {
                let Some(left) = self.suggestions.checked_sub(1) else { break };
                self.suggestions = left;
                file.suggestion = suggest::suggest(&mut self.reader, file.root, &file.path, holder);
            }
        }
        miss
    }

    /// The files that a path with signs takes, in byte order of the names that match. A file with
    /// several such names is taken once; the file that holds the pattern never is, nor the one
    /// that it is a variant of.
    pub(super) fn matching(&mut self, holder: &FileKey, text: &str) -> Result<Vec<FileKey>, Miss> {
        let Place { root, path } = self.place(Some(holder), text)?;
        let pattern = self.reader.roots.display(root, &path).to_string();
        let found = glob::matches(&mut self.reader, root, &path, &mut self.budget);
        let found = found.map_err(|error| match error {
            GlobError::Load(error) => self.load_miss(root, error),
            GlobError::Outside => Miss::Outside,
            GlobError::Work => Miss::Work("too many names"),
        })?;
        let mut files: Vec<FileKey> = Vec::new();
        let mut taken = HashSet::from([holder.clone()]);
        for name in glob::without_variants(&found) {
            let file = self.variant_or_plain(root, &name, holder)?;
            if let Some(file) = file.filter(|file| taken.insert(file.clone())) {
                files.push(file);
            }
        }
        if files.is_empty() {
            return Err(Miss::Nothing { pattern });
        }
        Ok(files)
    }

    /// The variant of a name that matched, else the name itself; nothing if either is the file
    /// that holds the pattern.
    fn variant_or_plain(
        &mut self,
        root: RootId,
        name: &str,
        holder: &FileKey,
    ) -> Result<Option<FileKey>, Miss> {
        let plain = self.file(root, name)?;
        let Some(variant) = self.variant else { return Ok(plain) };
        let variant = self.file(root, &paths::with_variant(name, variant))?;
        if plain.as_ref() == Some(holder) || variant.as_ref() == Some(holder) {
            return Ok(None);
        }
        self.variant_met |= variant.is_some();
        Ok(variant.or(plain))
    }

    fn file(&mut self, root: RootId, path: &str) -> Result<Option<FileKey>, Miss> {
        let found = self.reader.file(&FileKey::new(root, path));
        found.map_err(|error| self.load_miss(root, error))
    }

    fn place(&self, holder: Option<&FileKey>, text: &str) -> Result<Place, Miss> {
        let fault = |fault| Miss::Fault { fault, text: text.to_owned() };
        let written = paths::read(text).map_err(fault)?;
        let root = self.root(holder, &written)?;
        let folder = holder.map_or("", |holder| paths::folder(&holder.path));
        let path = written.fold(folder).map_err(fault)?;
        Ok(Place { root, path })
    }

    /// The root that a path starts in: the one it names, else that of the file that holds it.
    fn root(&self, holder: Option<&FileKey>, path: &WrittenPath<'_>) -> Result<RootId, Miss> {
        let roots = self.reader.roots;
        let Some(name) = path.root else {
            return Ok(holder.map_or(RootId::MAIN, |holder| holder.root));
        };
        roots.id(name).ok_or_else(|| Miss::UnknownRoot {
            name: name.to_owned(),
            near: report::near_root(name, roots.names()),
        })
    }

    fn load_miss(&self, root: RootId, error: LoadError) -> Miss {
        let path = match &error {
            LoadError::OutsideRoot { path }
            | LoadError::TooLarge { path, .. }
            | LoadError::TooMany { path, .. }
            | LoadError::Unreadable { path, .. } => path,
        };
        Miss::Load { name: self.reader.roots.display(root, path).to_string(), error }
    }
}
