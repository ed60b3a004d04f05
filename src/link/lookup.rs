//! Looking a name up: which files it may mean, and which of them is there first (language §1).

use super::loader::LoadError;
use super::read::Reader;
use super::roots::{FileKey, RootId};
use crate::text::paths;

/// A file that a name means.
pub(super) struct Found {
    pub(super) file: FileKey,
    /// Whether it is a variant of the name.
    pub(super) variant: bool,
}

/// The first regular file that a canonical path may mean: in the variant, then without.
///
/// The holder is the file that says the name. If it is itself the variant of the name, the plain
/// file is meant, so that a variant can include or extend what it varies.
pub(super) fn find(
    reader: &mut Reader<'_>,
    root: RootId,
    path: &str,
    variant: Option<&str>,
    holder: Option<&FileKey>,
) -> Result<Option<Found>, LoadError> {
    for name in variant.iter().flat_map(|variant| variants(path, variant)) {
        let found = reader.file(&FileKey::new(root, name))?;
        if let Some(file) = found.filter(|file| Some(file) != holder) {
            return Ok(Some(Found { file, variant: true }));
        }
    }
    for name in plain(path) {
        if let Some(file) = reader.file(&FileKey::new(root, name))? {
            return Ok(Some(Found { file, variant: false }));
        }
    }
    Ok(None)
}

/// The names that a path is tried as, in order.
pub(super) fn plain(path: &str) -> [String; 3] {
    [path.to_owned(), format!("{path}.md"), format!("{path}.markdown")]
}

/// The same names with the variant before their extension. What already ends like Markdown has
/// one variant only.
fn variants(path: &str, variant: &str) -> Vec<String> {
    let names = plain(path);
    let has_extension = paths::split_extension(path).1.is_some() && paths::is_markdown(path);
    let count = if has_extension { 1 } else { names.len() };
    names.iter().take(count).map(|name| paths::with_variant(name, variant)).collect()
}
