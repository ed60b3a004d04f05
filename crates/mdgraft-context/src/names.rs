//! Names of databases, schemas and tables as names of folders, and back.
//!
//! `key=value`, where what a file system does not take is written as `%` and two digits. A name
//! that is too long for one folder goes on in a folder below it: a value that ends with a single
//! `%` is continued by `more=…`. So every name can be read back from the folders alone.

use std::fmt::Write as _;

/// The longest value of one folder, in bytes. File systems take 255 with the key.
const LONGEST: usize = 200;

/// The key of a folder that continues the name of the one above.
pub(crate) const MORE: &str = "more";

/// How the empty name is written.
const EMPTY: &str = "%_";

/// The folders of a name, joined by `/`.
pub(crate) fn folders(key: &str, name: &str) -> String {
    let mut path = format!("{key}=");
    if name.is_empty() {
        path.push_str(EMPTY);
        return path;
    }
    let mut written = 0;
    let last = name.chars().count() - 1;
    for (at, letter) in name.chars().enumerate() {
        let mut buffer = [0; 4];
        let bytes = letter.encode_utf8(&mut buffer).as_bytes();
        // A dot or blank at an end is dropped by some systems.
        let at_an_end = (at == 0 || at == last) && matches!(letter, '.' | ' ');
        let escaped = is_escaped(letter) || at_an_end;
        let length = if escaped { bytes.len() * 3 } else { bytes.len() };
        if written + length > LONGEST {
            path.push_str("%/");
            path.push_str(MORE);
            path.push('=');
            written = 0;
        }
        if escaped {
            for byte in bytes {
                let _ = write!(path, "%{byte:02X}");
            }
        } else {
            path.push(letter);
        }
        written += length;
    }
    path
}

/// A part of a name that was read from one folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) text: String,
    /// Whether it goes on in a folder below.
    pub(crate) continued: bool,
}

/// Reads the value of a folder `key=value`. What nobody here has written is taken as it stands.
pub(crate) fn read(value: &str) -> Part {
    if value == EMPTY {
        return Part { text: String::new(), continued: false };
    }
    let (body, continued) = match value.strip_suffix('%') {
        Some(body) => (body, true),
        None => (value, false),
    };
    match decode(body) {
        Some(text) => Part { text, continued },
        None => Part { text: value.to_owned(), continued: false },
    }
}

fn decode(body: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(body.len());
    let mut parts = body.split('%');
    bytes.extend(parts.next()?.bytes());
    for part in parts {
        let digits = part.get(..2)?;
        if !digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F')) {
            return None;
        }
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(part[2..].bytes());
    }
    String::from_utf8(bytes).ok()
}

/// What some file system does not take, what has a meaning in paths, and what cannot be seen.
fn is_escaped(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '%' | '`')
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(path: &str) -> String {
        let parts =
            path.split('/').map(|folder| read(folder.split_once('=').unwrap_or_default().1));
        parts.map(|part| part.text).collect()
    }

    #[test]
    fn names_are_read_back() {
        let long = "long_".repeat(60);
        let wide = "ü".repeat(300);
        let names = [
            "orders",
            "a/b",
            "..",
            ".",
            "",
            "%",
            "100%",
            "%41",
            "a\nb",
            "nul\0",
            " x ",
            "x.",
            "C:\\x",
            "ORDERS",
            "日本語",
            "a=b",
            "%_",
            "\u{202e}x",
            "more=x",
            &long,
            &wide,
        ];
        for name in names {
            let path = folders("table", name);
            assert_eq!(read_back(&path), name, "{path}");
            for folder in path.split('/') {
                assert!(folder.len() <= 255 && !folder.is_empty(), "{path}");
                assert!(!folder.contains(|letter: char| letter.is_control()), "{path:?}");
            }
        }
    }

    #[test]
    fn different_names_have_different_folders() {
        assert_eq!(folders("table", "a/b"), "table=a%2Fb");
        assert_eq!(folders("table", ".."), "table=%2E%2E");
        assert_eq!(folders("table", ""), "table=%_");
        let long = folders("table", &"x".repeat(300));
        assert_eq!(long, format!("table={}%/more={}", "x".repeat(200), "x".repeat(100)));
    }

    #[test]
    fn folders_of_others_are_taken_as_they_stand() {
        assert_eq!(read("50%x").text, "50%x");
        assert_eq!(read("%ff").text, "%ff");
        assert_eq!(read("100%"), Part { text: "100".to_owned(), continued: true });
    }
}
