//! A text with an upper bound, for what is made out of values.

/// The text would have become larger than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Full;

/// A text that is written piece by piece and never gets larger than `most` bytes.
pub(crate) struct Sink {
    text: String,
    most: usize,
}

impl Sink {
    pub(crate) fn new(most: usize) -> Self {
        Self { text: String::new(), most }
    }

    pub(crate) fn push(&mut self, piece: &str) -> Result<(), Full> {
        self.reserve(piece.len())?;
        self.text.push_str(piece);
        Ok(())
    }

    /// Pushes a piece a number of times.
    pub(crate) fn repeat(&mut self, piece: &str, times: usize) -> Result<(), Full> {
        self.reserve(piece.len().checked_mul(times).ok_or(Full)?)?;
        self.text.extend(std::iter::repeat_n(piece, times));
        Ok(())
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn reserve(&mut self, more: usize) -> Result<(), Full> {
        if more > self.most - self.text.len() {
            return Err(Full);
        }
        self.text.reserve(more);
        Ok(())
    }
}
