//! Following links, one name at a time, so that a path becomes that of what it leads to.

use super::loader::LoadError;
use crate::text::paths;

/// The links that one path may go through; a loop of links ends here.
const MOST_LINKS: usize = 40;

/// What stands at a path, its last name not followed. The path itself holds no link.
pub(super) enum Step<T> {
    Missing,
    File(T),
    Folder,
    Other,
    /// A link, with its target.
    Link(String),
}

/// What a path leads to.
pub(super) enum Followed<T> {
    Missing,
    File(String, T),
    Folder(String),
    Other,
}

/// Follows a path to the end, asking `look` for each path on the way.
///
/// A target that is absolute, or that climbs above the root, is outside; it is not looked at.
pub(super) fn follow<T>(
    path: &str,
    mut look: impl FnMut(&str) -> Result<Step<T>, LoadError>,
) -> Result<Followed<T>, LoadError> {
    if path.starts_with('/') {
        return Err(LoadError::outside(path));
    }
    let mut todo: Vec<String> = path.rsplit('/').map(str::to_owned).collect();
    let mut real = String::new();
    let mut links = 0;
    while let Some(name) = todo.pop() {
        match name.as_str() {
            "" | "." => continue,
            ".." if real.is_empty() => return Err(LoadError::outside(path)),
            ".." => {
                real = paths::folder(&real).to_owned();
                continue;
            }
            _ => {}
        }
        let here = paths::join(&real, &name);
        match look(&here)? {
            Step::Folder => real = here,
            Step::File(found) if todo.is_empty() => return Ok(Followed::File(here, found)),
            Step::Other if todo.is_empty() => return Ok(Followed::Other),
            Step::Missing | Step::File(_) | Step::Other => return Ok(Followed::Missing),
            Step::Link(target) if target.starts_with('/') => return Err(LoadError::outside(path)),
            Step::Link(target) => {
                links += 1;
                if links > MOST_LINKS {
                    return Err(LoadError::unreadable(path, "too many links"));
                }
                todo.extend(target.rsplit('/').map(str::to_owned));
            }
        }
    }
    Ok(Followed::Folder(real))
}
