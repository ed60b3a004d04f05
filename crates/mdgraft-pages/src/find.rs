//! Finds the pages below a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The Markdown files below a folder in byte order of their paths, or the file itself. Names that
/// begin with a dot are left out, and links to folders are not followed.
pub(crate) fn find_pages(path: &Path) -> io::Result<Vec<PathBuf>> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    if !fs::metadata(path).map_err(named)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut pages = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}
