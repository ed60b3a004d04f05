//! Paths as they are shown: from the working directory.

use std::fs;
use std::path::{Component, Path};

use crate::problem::Problem;

/// The folder that a path stands in.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The way from the working directory to a folder, whose path is canonical; empty if they are the
/// same.
pub(crate) fn way_to(folder: &Path) -> Result<String, Problem> {
    let here = fs::canonicalize(".").map_err(|error| Problem::of(Path::new("."), &error))?;
    Ok(way(&here, folder))
}

/// The way from one folder to another, with `/`; both are canonical.
fn way(from: &Path, to: &Path) -> String {
    let from: Vec<Component<'_>> = from.components().collect();
    let to: Vec<Component<'_>> = to.components().collect();
    let same = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - same);
    let down = to[same..].iter().map(|name| name.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_leads_up_and_down() {
        let way = |from: &str, to: &str| way(Path::new(from), Path::new(to));
        assert_eq!(way("/a/b", "/a/b"), "");
        assert_eq!(way("/a", "/a/b/c"), "b/c");
        assert_eq!(way("/a/b", "/a/c"), "../c");
        assert_eq!(way("/a/b/c", "/"), "../../..");
    }
}
