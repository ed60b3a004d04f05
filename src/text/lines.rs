//! Where the lines of a text begin, so that a position costs a search instead of a walk.

use super::{Position, Span};

/// The lines of one text.
pub(super) struct Lines {
    /// The offset at which each line begins.
    starts: Box<[u32]>,
    /// How many characters begin before each block of [`BLOCK`] bytes, so that a column in a line
    /// of a megabyte does not cost that megabyte.
    characters: Box<[u32]>,
}

const BLOCK: usize = 1024;

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).map(narrow).collect();
        let mut characters = vec![0];
        let mut before = 0;
        for block in text.as_bytes().chunks(BLOCK) {
            before += count(block);
            characters.push(narrow(before));
        }
        Self { starts, characters: characters.into() }
    }

    /// The line and column of an offset; one behind the end is the end, and one inside a
    /// character is that character.
    pub(super) fn position(&self, text: &str, offset: u32) -> Position {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start as usize <= offset);
        let start = self.starts.get(line - 1).map_or(0, |&start| start as usize);
        let column = self.characters_before(text, offset) - self.characters_before(text, start) + 1;
        Position { line, column }
    }

    /// The span of a line, counted from 1, without its line end.
    pub(super) fn line(&self, text: &str, line: usize) -> Span {
        let start = |index: usize| self.starts.get(index).map(|&start| start as usize);
        let line = line.max(1);
        let begin = start(line - 1).unwrap_or(text.len());
        Span::at(begin, start(line).map_or(text.len(), |next| next - 1))
    }

    fn characters_before(&self, text: &str, offset: usize) -> usize {
        let block = offset / BLOCK;
        let before = self.characters.get(block).map_or(0, |&before| before as usize);
        before + count(&text.as_bytes()[block * BLOCK..offset])
    }
}

/// How many characters begin in these bytes of a text.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count()
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_that_of_a_walk() {
        let long = format!("é{}\n\n{}日", "ab\u{301}".repeat(700), "x".repeat(BLOCK * 2));
        let block = "y".repeat(BLOCK);
        for text in ["", "\n", "a", "a\n", "a\n\nb", "é\n日本\n🎯x", &long, &block] {
            let lines = Lines::of(text);
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let before = &text[..offset];
                let start = before.rfind('\n').map_or(0, |at| at + 1);
                let walked = Position {
                    line: before.matches('\n').count() + 1,
                    column: before[start..].chars().count() + 1,
                };
                assert_eq!(lines.position(text, narrow(offset)), walked, "{offset} of {text:?}");
                let line = lines.line(text, walked.line);
                let rest = text[start..].split('\n').next().unwrap_or_default();
                assert_eq!(&text[line.range()], rest, "line {} of {text:?}", walked.line);
            }
        }
    }

    #[test]
    fn no_offset_and_no_line_is_out_of_bounds() {
        let lines = Lines::of("é\nb");
        assert_eq!(lines.position("é\nb", 1), Position { line: 1, column: 1 });
        assert_eq!(lines.position("é\nb", 99), Position { line: 2, column: 2 });
        assert_eq!(lines.line("é\nb", 0), Span::new(0, 2));
        assert_eq!(lines.line("é\nb", 9), Span::new(4, 4));
    }
}
