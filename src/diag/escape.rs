//! What a file, a name or a value holds is shown so that it cannot steer a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// A text for one line of a terminal: what would move the cursor, change the direction or not be
/// seen at all is written as an escape (`\n`, `\u{1b}`).
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        push_escaped(&mut escaped, character);
    }
    Cow::Owned(escaped)
}

/// Adds one character, escaped where it must be.
pub(super) fn push_escaped(to: &mut String, character: char) {
    match character {
        '\t' => to.push_str("\\t"),
        '\n' => to.push_str("\\n"),
        '\r' => to.push_str("\\r"),
        _ if is_unsafe(character) => {
            let _ = write!(to, "\\u{{{:x}}}", u32::from(character));
        }
        _ => to.push(character),
    }
}

/// Whether a character is never printed as it is: controls (C0, DEL, C1), what sets the direction
/// of a text, the line separators of Unicode, and what takes no room, so that a text could hide in
/// a text. Joiners stay, since letters and pictographs are made with them.
pub(super) fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_escaped() {
        for (text, shown) in [
            ("plain", "plain"),
            ("日本 é e\u{301} 👩\u{200d}💻 ❤\u{fe0f}", "日本 é e\u{301} 👩\u{200d}💻 ❤\u{fe0f}"),
            ("a\tb\r\nc\0", "a\\tb\\r\\nc\\u{0}"),
            ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a\\u{202e}b\\u{2066}c\\u{200f}"),
            ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
            ("a\u{200b}\u{feff}\u{2060}\u{e0041}", "a\\u{200b}\\u{feff}\\u{2060}\\u{e0041}"),
        ] {
            assert_eq!(escape(text), shown);
        }
    }
}
