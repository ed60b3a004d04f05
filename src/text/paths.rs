//! Paths as authors write them, and the canonical root-relative paths that they fold to
//! (language §1 and §5). Nothing here looks at a file system, and the answers are the same on
//! every system.

/// The bytes that a written path may have.
pub(crate) const LONGEST: usize = 4096;

/// Why a text is no path of a file in a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathFault {
    /// Longer than [`LONGEST`].
    TooLong,
    Control(char),
    /// It begins with a drive letter.
    Drive(char),
    /// It begins with `~`.
    Home,
    /// It begins with `scheme://`.
    Url,
    Backslash,
    /// It begins with `//`.
    TwoSlashes,
    /// It can only name a folder: it is empty or ends with `/`, `/.` or `/..`.
    Folder,
    /// It climbs above its root.
    Outside,
}

/// A path as written, read but not yet folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WrittenPath<'a> {
    /// The other root that `@name/…` reads from.
    pub(crate) root: Option<&'a str>,
    /// Whether it starts at the root rather than at the folder of the file that holds it.
    from_root: bool,
    rest: &'a str,
}

/// Reads a path as written; refuses what is a path of one system only, or no path at all.
pub(crate) fn read(text: &str) -> Result<WrittenPath<'_>, PathFault> {
    if text.len() > LONGEST {
        return Err(PathFault::TooLong);
    }
    if let Some(control) = text.chars().find(|letter| letter.is_control()) {
        return Err(PathFault::Control(control));
    }
    if let Some(letter) = drive_letter(text) {
        return Err(PathFault::Drive(letter));
    }
    if text.starts_with('~') {
        return Err(PathFault::Home);
    }
    if is_url(text) {
        return Err(PathFault::Url);
    }
    if text.contains('\\') {
        return Err(PathFault::Backslash);
    }
    if text.starts_with("//") {
        return Err(PathFault::TwoSlashes);
    }
    if let Some(named) = text.strip_prefix('@') {
        let (root, rest) = named.split_once('/').unwrap_or((named, ""));
        return Ok(WrittenPath { root: Some(root), from_root: true, rest });
    }
    Ok(WrittenPath { root: None, from_root: text.starts_with('/'), rest: text })
}

impl WrittenPath<'_> {
    /// The canonical path, as seen from a file of this folder: `.`, `..` and empty segments are
    /// folded in the text, before any link is followed.
    pub(crate) fn fold(&self, folder: &str) -> Result<String, PathFault> {
        let start = if self.from_root { "" } else { folder };
        let mut segments: Vec<&str> = Vec::new();
        for segment in start.split('/').chain(self.rest.split('/')) {
            match segment {
                "" | "." => {}
                ".." => {
                    segments.pop().ok_or(PathFault::Outside)?;
                }
                name => segments.push(name),
            }
        }
        let last = self.rest.rsplit('/').next().unwrap_or_default();
        if matches!(last, "" | "." | "..") {
            return Err(PathFault::Folder);
        }
        Ok(segments.join("/"))
    }
}

/// The letter of a path like `C:\x`, also behind the slash of the root.
fn drive_letter(text: &str) -> Option<char> {
    let text = text.strip_prefix('/').unwrap_or(text);
    match text.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => Some(char::from(*letter)),
        _ => None,
    }
}

fn is_url(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once("://") else { return false };
    scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// The folder of a path; `""` is the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last segment of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The path of a name in a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The path without its extension, and the extension. A name like `.rules` has none.
pub(crate) fn split_extension(path: &str) -> (&str, Option<&str>) {
    match name(path).rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.is_empty() => {
            (&path[..path.len() - extension.len() - 1], Some(extension))
        }
        _ => (path, None),
    }
}

/// Whether a file of this path is Markdown: by its extension, in any case of letters, or for
/// want of one.
pub(crate) fn is_markdown(path: &str) -> bool {
    const MARKDOWN: [&str; 3] = ["md", "markdown", "mdc"];
    split_extension(path)
        .1
        .is_none_or(|extension| MARKDOWN.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// Whether a path can spell this name of a file or folder.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|letter| letter.is_control() || letter == '\\')
}

/// Whether a text can name a variant: `[a-z0-9][a-z0-9-]*`.
pub(crate) fn is_variant(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// The path with a variant before its extension: `a/rules.zh.md`.
pub(crate) fn with_variant(path: &str, variant: &str) -> String {
    match split_extension(path) {
        (stem, Some(extension)) => format!("{stem}.{variant}.{extension}"),
        (stem, None) => format!("{stem}.{variant}"),
    }
}

/// `x.md` for `x.V.md` with any variant V.
pub(crate) fn without_variant(path: &str) -> Option<String> {
    let (stem, extension) = split_extension(path);
    let (plain, variant) = split_extension(stem);
    is_variant(variant?).then(|| format!("{plain}.{}", extension.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(text: &str) -> Result<String, PathFault> {
        read(text)?.fold("a/b")
    }

    #[test]
    fn written_paths_fold_to_canonical_ones() {
        for (text, path) in [
            ("x.md", "a/b/x.md"),
            ("./x.md", "a/b/x.md"),
            ("../x.md", "a/x.md"),
            ("../../x.md", "x.md"),
            ("c/../x.md", "a/b/x.md"),
            ("c//x.md", "a/b/c/x.md"),
            ("/x.md", "x.md"),
            ("/c/./../x.md", "x.md"),
            ("./@x/y.md", "a/b/@x/y.md"),
            ("/@x/y.md", "@x/y.md"),
            ("@lib/y.md", "y.md"),
            ("my notes/1 file (v2).md", "a/b/my notes/1 file (v2).md"),
            ("...", "a/b/..."),
            ("x~", "a/b/x~"),
            ("note: a.md", "a/b/note: a.md"),
            ("über.md", "a/b/über.md"),
        ] {
            assert_eq!(fold(text).as_deref(), Ok(path), "{text}");
        }
        assert_eq!(read("@lib/y.md").map(|path| path.root), Ok(Some("lib")));
        assert_eq!(read("./@lib/y.md").map(|path| path.root), Ok(None));
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for (text, fault) in [
            ("sub\\a.md", PathFault::Backslash),
            ("\\\\srv\\s\\a.md", PathFault::Backslash),
            ("C:a.md", PathFault::Drive('C')),
            ("c:\\a.md", PathFault::Drive('c')),
            ("/C:/a.md", PathFault::Drive('C')),
            ("~/x.md", PathFault::Home),
            ("~", PathFault::Home),
            ("https://example.org/x.md", PathFault::Url),
            ("file:///etc/x", PathFault::Url),
            ("a\u{1b}[31m.md", PathFault::Control('\u{1b}')),
            ("a\tb.md", PathFault::Control('\t')),
            ("a\u{85}b.md", PathFault::Control('\u{85}')),
            ("//srv/a.md", PathFault::TwoSlashes),
            ("", PathFault::Folder),
            (".", PathFault::Folder),
            ("..", PathFault::Folder),
            ("x/", PathFault::Folder),
            ("x/..", PathFault::Folder),
            ("/", PathFault::Folder),
            ("@lib", PathFault::Folder),
            ("@lib/", PathFault::Folder),
            ("../../../x.md", PathFault::Outside),
            ("../../..", PathFault::Outside),
            ("/../x.md", PathFault::Outside),
            ("@lib/../x.md", PathFault::Outside),
            ("c/../../../../a/b/x.md", PathFault::Outside),
        ] {
            assert_eq!(fold(text), Err(fault), "{text}");
        }
        assert_eq!(fold(&"x".repeat(LONGEST + 1)), Err(PathFault::TooLong));
        assert!(fold(&"x".repeat(LONGEST)).is_ok());
    }

    #[test]
    fn names_have_extensions_and_variants() {
        for (path, markdown, variant) in [
            ("rules", true, "rules.zh"),
            ("a.b/rules", true, "a.b/rules.zh"),
            ("rules.md", true, "rules.zh.md"),
            ("RULES.MD", true, "RULES.zh.MD"),
            ("r.mdc", true, "r.zh.mdc"),
            (".rules", true, ".rules.zh"),
            ("note.txt", false, "note.zh.txt"),
            ("rules v1.2", false, "rules v1.zh.2"),
        ] {
            assert_eq!(is_markdown(path), markdown, "{path}");
            assert_eq!(with_variant(path, "zh"), variant, "{path}");
        }
        assert_eq!(without_variant("r/x.zh.md").as_deref(), Some("r/x.md"));
        assert_eq!(without_variant("r/x.b-2.md").as_deref(), Some("r/x.md"));
        for plain in ["r/x.md", "r/x.ZH.md", "r/.zh.md", "zh.md", "r.zh/x.md", "x.zh"] {
            assert_eq!(without_variant(plain), None, "{plain}");
        }
    }
}
