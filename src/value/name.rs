//! What a name is in the language.

/// Words that are no names. `loop` begins the paths of a loop and is nothing else.
const RESERVED: [&str; 9] = ["and", "or", "not", "in", "true", "false", "null", "loop", "with"];

/// Whether a text can name a variable, an input or a function: `[a-z][a-z0-9_]*`, and no word of
/// the language.
pub(crate) fn is_name(text: &str) -> bool {
    let is_letter = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(is_letter)
        && !is_reserved(text)
}

/// Whether a word is one of the language, which names nothing.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}
