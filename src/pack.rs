//! Packs: what engines know of files, and the documents that were parsed of them, as bytes.
//!
//! A pack holds nothing of the machine that it was made on, so that equal files give equal bytes.
//! What does not read, or was made by another version, is never believed.

mod answer;
mod document;
mod format;
mod wire;

use std::fmt;

pub(crate) use answer::{Remembered, Stored};
pub(crate) use format::Bytes;
use format::{Key, Layout, blob, half, lay, open};
use wire::{Wire, read_all};

use crate::link::Question;
use crate::parse::{Document, Mode};
use crate::text::{Hash, Source};

/// Why a pack cannot be used, or not be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// It is no pack, or one of another version of the library.
    #[error("this is no pack of this version")]
    Foreign,
    /// Its bytes are not those that were written.
    #[error("the pack is damaged")]
    Damaged,
    /// It cannot be read or written.
    #[error("the pack cannot be used: {reason}")]
    Io {
        /// What the system said.
        reason: String,
    },
}

/// Changes with every change of what is stored, or of how.
const FORMAT: &str = "1";

/// What blobs are about; part of their keys.
#[derive(Clone, Copy)]
enum Kind {
    Roots = 1,
    Source = 2,
    Document = 3,
    Answer = 4,
    Remembered = 5,
}

/// A pack that is read from.
pub(crate) struct Pack {
    bytes: Box<dyn Bytes>,
    layout: Layout,
}

impl Pack {
    /// Opens a pack, which reads its header only.
    pub(crate) fn open(bytes: Box<dyn Bytes>) -> Result<Self, PackError> {
        let layout = open(&*bytes, maker())?;
        Ok(Self { bytes, layout })
    }

    /// The names of the named roots, in their order.
    pub(crate) fn roots(&self) -> Result<Vec<String>, PackError> {
        self.read(key(Kind::Roots, &[])).map(Option::unwrap_or_default)
    }

    /// What the loader of a root answered; `None` if it was not asked.
    pub(crate) fn answer(
        &self,
        root: &str,
        question: Question,
        path: &str,
    ) -> Result<Option<Stored>, PackError> {
        self.read(answer_key(root, question, path))
    }

    /// A text by the hash of its bytes.
    pub(crate) fn source(&self, hash: Hash) -> Result<Option<Source>, PackError> {
        let source: Option<Source> = self.read(key(Kind::Source, &[hash.as_bytes()]))?;
        match source {
            Some(source) if source.hash() != hash => Err(PackError::Damaged),
            source => Ok(source),
        }
    }

    /// The document of a text.
    pub(crate) fn document(
        &self,
        source: &Source,
        mode: Mode,
    ) -> Result<Option<Document>, PackError> {
        let found = self.layout.find(&*self.bytes, document_key(source, mode))?;
        let read = |blob: Vec<u8>| document::read(&blob, source).ok_or(PackError::Damaged);
        found.map(read).transpose()
    }

    /// What is remembered of a file of this machine.
    pub(crate) fn remembered(
        &self,
        root: &str,
        path: &str,
    ) -> Result<Option<Remembered>, PackError> {
        self.read(remembered_key(root, path))
    }

    /// Reads all of it; gives the number of its entries.
    pub(crate) fn verify(&self) -> Result<u64, PackError> {
        let mut count = 0;
        for bucket in 0..self.layout.buckets() {
            for record in self.layout.bucket(&*self.bytes, bucket)? {
                blob(&*self.bytes, &record)?;
                count += 1;
            }
        }
        if count == self.layout.records { Ok(count) } else { Err(PackError::Damaged) }
    }

    fn read<T: Wire>(&self, key: Key) -> Result<Option<T>, PackError> {
        let found = self.layout.find(&*self.bytes, key)?;
        found.map(|blob| read_all(&blob).ok_or(PackError::Damaged)).transpose()
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pack").field("entries", &self.layout.records).finish_non_exhaustive()
    }
}

/// A pack that is being made. The order in which things are added does not matter.
#[derive(Default)]
pub(crate) struct Builder {
    blobs: Vec<(Key, Vec<u8>)>,
}

impl Builder {
    pub(crate) fn roots(&mut self, names: &[String]) {
        self.add(key(Kind::Roots, &[]), &names.to_vec());
    }

    pub(crate) fn answer(&mut self, root: &str, question: Question, path: &str, answer: &Stored) {
        self.add(answer_key(root, question, path), answer);
    }

    pub(crate) fn remember(&mut self, root: &str, path: &str, remembered: &Remembered) {
        self.add(remembered_key(root, path), remembered);
    }

    pub(crate) fn source(&mut self, source: &Source) {
        self.add(key(Kind::Source, &[source.hash().as_bytes()]), source);
    }

    pub(crate) fn document(&mut self, document: &Document, mode: Mode) {
        let mut blob = Vec::new();
        if document::write(document, &mut blob) {
            self.blobs.push((document_key(&document.source, mode), blob));
        }
    }

    /// The bytes of the pack.
    pub(crate) fn finish(self) -> Vec<u8> {
        lay(self.blobs, maker())
    }

    fn add(&mut self, key: Key, value: &impl Wire) {
        let mut blob = Vec::new();
        value.write(&mut blob);
        self.blobs.push((key, blob));
    }
}

/// Who understands a pack: a library of this version, of these very sources, with this parser.
fn maker() -> Hash {
    let parts = [
        FORMAT,
        env!("CARGO_PKG_VERSION"),
        env!("MDGRAFT_SOURCES"),
        crate::parse::markdown::version(),
    ];
    Hash::of(parts.join("\0").as_bytes())
}

fn document_key(source: &Source, mode: Mode) -> Key {
    let mode = match mode {
        Mode::Template => 0,
        Mode::Raw => 1,
        Mode::Code => 2,
    };
    key(Kind::Document, &[source.hash().as_bytes(), &[mode]])
}

fn answer_key(root: &str, question: Question, path: &str) -> Key {
    let question = match question {
        Question::File => 0,
        Question::Folder => 1,
    };
    // No name of a root holds a line end, so that the parts cannot be taken for each other.
    key(Kind::Answer, &[&[question], root.as_bytes(), b"\n", path.as_bytes()])
}

fn remembered_key(root: &str, path: &str) -> Key {
    key(Kind::Remembered, &[root.as_bytes(), b"\n", path.as_bytes()])
}

fn key(kind: Kind, parts: &[&[u8]]) -> Key {
    let mut text = vec![kind as u8];
    for part in parts {
        text.extend_from_slice(part);
    }
    half(Hash::of(&text))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Bytes that count how many of them were read.
    struct Counted(Vec<u8>, Arc<AtomicUsize>);

    impl Bytes for Counted {
        fn read(&self, offset: u64, length: usize) -> Result<Cow<'_, [u8]>, PackError> {
            self.1.fetch_add(length, Ordering::Relaxed);
            let start = usize::try_from(offset).map_err(|_| PackError::Damaged)?;
            self.0.get(start..start + length).map(Cow::Borrowed).ok_or(PackError::Damaged)
        }

        fn length(&self) -> u64 {
            self.0.len() as u64
        }
    }

    #[test]
    fn a_look_up_reads_as_little_in_a_large_pack_as_in_a_small_one() {
        let mut costs = Vec::new();
        for count in [10, 1_000, 20_000] {
            let mut builder = Builder::default();
            for number in 0..count {
                let path = format!("{number}.md");
                builder.answer("", Question::File, &path, &Stored::Nothing);
            }
            let read = Arc::new(AtomicUsize::new(0));
            let counted = Counted(builder.finish(), Arc::clone(&read));
            let Ok(pack) = Pack::open(Box::new(counted)) else { panic!("{count}") };
            assert_eq!(pack.answer("", Question::File, "7.md"), Ok(Some(Stored::Nothing)));
            assert_eq!(pack.answer("", Question::Folder, "7.md"), Ok(None));
            assert_eq!(pack.verify(), Ok(count));
            let whole = read.swap(0, Ordering::Relaxed);
            let found = pack.answer("", Question::File, "3.md");
            assert_eq!(found, Ok(Some(Stored::Nothing)));
            costs.push((read.load(Ordering::Relaxed), whole));
        }
        assert!(costs.iter().all(|(one, _)| *one < 4_000), "{costs:?}");
    }
}
