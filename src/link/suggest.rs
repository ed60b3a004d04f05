//! Near names for a file that is not there, from the names in its folder.

use std::sync::Arc;

use super::loader::{EntryKind, Listing};
use super::lookup;
use super::read::Reader;
use super::roots::{FileKey, RootId};
use crate::diag::near;
use crate::text::paths;

/// What is there instead of a file.
pub(super) enum Suggestion {
    /// A file with a near path.
    File(String),
    /// A folder of that very name.
    Folder,
}

/// What may have been meant by a canonical path that no file has; never the file that says it.
pub(super) fn suggest(
    reader: &mut Reader<'_>,
    root: RootId,
    path: &str,
    holder: Option<&FileKey>,
) -> Option<Suggestion> {
    let (listing, folder) = deepest_folder(reader, root, path)?;
    let below = path[folder.len()..].trim_start_matches('/');
    if let Some((missing, rest)) = below.split_once('/') {
        let near = near::nearest(missing, names(&listing, EntryKind::Folder))?;
        let path = paths::join(&paths::join(folder, near), rest);
        return lookup::plain(&path).into_iter().find_map(|path| {
            let file = reader.file(&FileKey::new(root, path.as_str())).ok()??;
            (Some(&file) != holder).then_some(Suggestion::File(path))
        });
    }
    let holder = holder.filter(|holder| holder.root == root).map(|holder| &*holder.path);
    let files = names(&listing, EntryKind::File)
        .filter(|name| holder != Some(paths::join(&listing.path, name).as_str()));
    if let Some(name) = nearest_file(below, files.collect()) {
        return Some(Suggestion::File(paths::join(folder, name)));
    }
    let is_folder = names(&listing, EntryKind::Folder).any(|name| name == below);
    is_folder.then_some(Suggestion::Folder)
}

/// The deepest folder on the way to a path that is there, and its part of the path.
fn deepest_folder<'p>(
    reader: &mut Reader<'_>,
    root: RootId,
    path: &'p str,
) -> Option<(Arc<Listing>, &'p str)> {
    let mut folder = paths::folder(path);
    loop {
        if let Some(listing) = reader.folder(&FileKey::new(root, folder)).ok()? {
            return Some((listing, folder));
        }
        if folder.is_empty() {
            return None;
        }
        folder = paths::folder(folder);
    }
}

fn names(listing: &Listing, wanted: EntryKind) -> impl Iterator<Item = &str> {
    listing
        .entries()
        .filter(move |(name, kind)| *kind == wanted && paths::is_name(name))
        .map(|(name, _)| name)
}

/// The file nearest to a name: one that differs in letter case or extension only, else one that
/// is written nearly so. A name without extension is held against the names without theirs.
fn nearest_file<'a>(name: &str, files: Vec<&'a str>) -> Option<&'a str> {
    let (stem, extension) = paths::split_extension(name);
    let stem_of = |file: &'a str| paths::split_extension(file).0;
    let same = |left: &str, right: &str| left.to_lowercase() == right.to_lowercase();
    if let Some(file) = files.iter().find(|file| same(file, name)) {
        return Some(file);
    }
    if let Some(file) = files.iter().find(|file| same(stem_of(file), stem)) {
        return Some(file);
    }
    if extension.is_some() {
        return near::nearest(name, files);
    }
    let near = near::nearest(name, files.iter().map(|file| stem_of(file)))?;
    files.into_iter().find(|file| stem_of(file) == near)
}

/// The written path, changed so that it leads to another canonical path of the same root.
pub(super) fn rewrite(written: &str, path: &str, other: &str) -> String {
    let mut common = 0;
    for (at, (left, right)) in path.bytes().zip(other.bytes()).enumerate() {
        if left != right {
            break;
        }
        if left == b'/' {
            common = at + 1;
        }
    }
    let kept = written.strip_suffix(&path[common..]);
    match kept.filter(|kept| kept.is_empty() || kept.ends_with('/')) {
        Some(kept) => format!("{kept}{}", &other[common..]),
        None => match written.strip_prefix('@').and_then(|named| named.split_once('/')) {
            Some((root, _)) => format!("@{root}/{other}"),
            None => format!("/{other}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_files_differ_little() {
        let files = || vec!["README.md", "a.md", "rules.md", "style.txt"];
        for (name, near) in [
            ("rulez.md", Some("rules.md")),
            ("rulez", Some("rules.md")),
            ("readme.md", Some("README.md")),
            ("readme", Some("README.md")),
            ("a.txt", Some("a.md")),
            ("style.md", Some("style.txt")),
            ("other.md", None),
            ("b", Some("a.md")),
        ] {
            assert_eq!(nearest_file(name, files()), near, "{name}");
        }
    }

    #[test]
    fn a_path_is_rewritten_as_it_was_written() {
        for (written, path, other, rewritten) in [
            ("rulez.md", "d/rulez.md", "d/rules.md", "rules.md"),
            ("../rulez.md", "rulez.md", "rules.md", "../rules.md"),
            ("/e/rulez.md", "e/rulez.md", "e/rules.md", "/e/rules.md"),
            ("../f/x.md", "f/x.md", "g/x.md", "../g/x.md"),
            ("../f/../f/x.md", "f/x.md", "g/x.md", "../f/../g/x.md"),
            ("x/./../f//x.md", "f/x.md", "g/x.md", "/g/x.md"),
            ("@lib/z.md", "z.md", "y.md", "@lib/y.md"),
            ("@lib/f//x.md", "f/x.md", "g/x.md", "@lib/g/x.md"),
        ] {
            assert_eq!(rewrite(written, path, other), rewritten, "{written}");
        }
    }
}
