//! `read`: the text of a file, or some lines of it.

use crate::disk::Reading;
use crate::error::{ContextError, plain};
use crate::path::VirtualPath;
use crate::sandbox::{ContextFolder, Found};

/// What to read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadRequest {
    /// The file.
    pub path: String,
    /// The first line, counted from 1; the first of the file if none is given.
    pub first_line: Option<usize>,
    /// The last line, which is read too; the last of the file if none is given.
    pub last_line: Option<usize>,
}

/// The text of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    /// The file, as a path from `/`; that of its target, where it is a link.
    pub path: String,
    /// The text of the lines asked for, as it stands in the file. Bytes that are no UTF-8 are
    /// replaced by U+FFFD.
    pub text: String,
    /// The number of the first line of the text.
    pub first_line: usize,
    /// The lines of the whole file: its line feeds, and one.
    pub total_lines: usize,
    /// Whether bytes were replaced.
    pub lossy: bool,
}

/// The largest file that is read.
pub(crate) const LARGEST: u64 = 10 * 1024 * 1024;

impl ContextFolder {
    /// Reads a file of at most 10 MiB.
    ///
    /// # Errors
    ///
    /// [`ContextError::Denied`], [`ContextError::NotFound`], [`ContextError::TooLarge`],
    /// [`ContextError::WrongKind`] for a folder or a binary file, [`ContextError::Argument`] for
    /// lines that the file does not have, [`ContextError::Failed`].
    pub fn read(&self, request: &ReadRequest) -> Result<Content, ContextError> {
        let rules = self.rules()?;
        let (path, bytes) = match self.find(&request.path, &rules)? {
            Found::File { path, folder, name } => {
                let mut bytes = Vec::new();
                let reading = folder.read(&name, LARGEST, &mut bytes);
                (path, checked(&request.path, reading, LARGEST).map(|()| bytes)?)
            }
            Found::Folder { .. } => return Err(wrong_kind(&request.path, "a folder")),
        };
        if memchr::memchr(0, &bytes).is_some() {
            return Err(wrong_kind(&request.path, "a binary file"));
        }
        let text = String::from_utf8(bytes);
        let lossy = text.is_err();
        let text =
            text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let total_lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        let (first_line, text) = cut(text, total_lines, request)?;
        let path = VirtualPath::folded(&path).to_string();
        Ok(Content { path, text, first_line, total_lines, lossy })
    }
}

/// What came of reading, as an error if it is no text of a file.
pub(crate) fn checked(
    given: &str,
    reading: std::io::Result<Reading>,
    limit: u64,
) -> Result<(), ContextError> {
    match reading {
        Ok(Reading::Read(_)) => Ok(()),
        Ok(Reading::TooLarge(size)) => {
            Err(ContextError::TooLarge { path: plain(given), size, limit })
        }
        Ok(Reading::NoFile) => Err(wrong_kind(given, "a special file")),
        Err(error) if crate::disk::is_absence(&error) => Err(ContextError::not_found(given)),
        Err(error) => Err(ContextError::failed(given, "read", &error)),
    }
}

fn wrong_kind(given: &str, is: &'static str) -> ContextError {
    ContextError::WrongKind { path: plain(given), is, wanted: "a text file" }
}

/// The lines that were asked for, and the number of the first.
fn cut(text: String, total: usize, request: &ReadRequest) -> Result<(usize, String), ContextError> {
    let first = request.first_line.unwrap_or(1);
    let last = request.last_line.unwrap_or(total).min(total);
    if first == 0 {
        return Err(ContextError::Argument("lines are counted from 1".to_owned()));
    }
    if first > total {
        let message = format!("line {first} is asked for, and the file has {total}");
        return Err(ContextError::Argument(message));
    }
    if last < first {
        let message = format!("the last line {last} stands before the first line {first}");
        return Err(ContextError::Argument(message));
    }
    if (first, last) == (1, total) {
        return Ok((1, text));
    }
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes());
    let start = match first {
        1 => 0,
        first => ends.nth(first - 2).map_or(text.len(), |at| at + 1),
    };
    let end = ends.nth(last - first).unwrap_or(text.len());
    Ok((first, text[start..end].to_owned()))
}
