//! The stored form of what loaders answered, and of texts.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::wire::{Reader, Wire, Writer, enums, structs};
use crate::link::{EntryKind, Facts, Listing, LoadError};
use crate::text::{Hash, Source};

/// What a loader answered, as a pack keeps it: nothing in it is of one machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    Nothing,
    /// The canonical path of a file, and the hash of its content.
    File(Arc<str>, Hash),
    Folder(Listing),
    Failed(LoadError),
}

/// A file of one machine: its content is that of the hash while its facts are these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Remembered {
    pub(crate) facts: Facts,
    pub(crate) hash: Hash,
}

structs! {
    Remembered { facts, hash }
    Facts { path, size, modified, changed, identity, settled }
}

enums! {
    Stored { 0 Nothing, 1 File(path, hash), 2 Folder(listing), 3 Failed(error), }
    EntryKind { 0 File, 1 Folder, 2 Outside, 3 Other, }
    LoadError {
        0 OutsideRoot { path },
        1 TooLarge { path, limit },
        2 TooMany { path, limit },
        3 Unreadable { path, reason },
    }
}

/// Seconds and nanoseconds from the epoch, on either side of it.
impl Wire for SystemTime {
    fn write(&self, to: &mut Writer) {
        let since = self.duration_since(Self::UNIX_EPOCH);
        let (after, distance) = match &since {
            Ok(distance) => (true, *distance),
            Err(error) => (false, error.duration()),
        };
        after.write(to);
        distance.as_secs().write(to);
        distance.subsec_nanos().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (after, seconds, nanoseconds): (bool, u64, u32) = Wire::read(from)?;
        if nanoseconds >= 1_000_000_000 {
            return None;
        }
        let distance = Duration::new(seconds, nanoseconds);
        if after {
            Self::UNIX_EPOCH.checked_add(distance)
        } else {
            Self::UNIX_EPOCH.checked_sub(distance)
        }
    }
}

impl Wire for Hash {
    fn write(&self, to: &mut Writer) {
        to.extend_from_slice(self.as_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.array().map(Self::from_bytes)
    }
}

impl Wire for Listing {
    fn write(&self, to: &mut Writer) {
        self.path.write(to);
        super::wire::write_length(self.entries().len(), to);
        for (name, kind) in self.entries() {
            name.to_owned().write(to);
            kind.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (path, entries): (Arc<str>, Vec<(String, EntryKind)>) = Wire::read(from)?;
        Some(Self::new(path, entries))
    }
}

impl Wire for Source {
    fn write(&self, to: &mut Writer) {
        let (dropped, invalid_at) = self.losses();
        self.hash().write(to);
        dropped.to_vec().write(to);
        invalid_at.write(to);
        self.text().to_owned().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let hash = Hash::read(from)?;
        let (dropped, invalid_at): (Vec<(u32, u32)>, Option<usize>) = Wire::read(from)?;
        Some(Self::restored(String::read(from)?, hash, dropped, invalid_at))
    }
}
