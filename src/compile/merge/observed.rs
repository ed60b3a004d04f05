//! What merging looks at, as a key: while it stays the same, so does the merged unit.

use std::collections::HashMap;

use super::{build, lineage};
use crate::link::{FileId, Limits, Linked};
use crate::parse::Mode;
use crate::text::Hash;

/// The files that merging looks into, in a defined order, and a hash over all that it sees there.
pub(in crate::compile) struct Observed {
    pub(in crate::compile) files: Vec<FileId>,
    pub(in crate::compile) key: Hash,
}

/// What merging a file with its bases looks at: these files, and those of includes that lead to
/// headings. Of an include that leads to none only that counts.
pub(in crate::compile) fn observed(
    linked: &Linked,
    file: FileId,
    strip: &[bool],
    limits: &Limits,
) -> Observed {
    let mut seen = Seen { files: Vec::new(), places: HashMap::new() };
    let lineage = lineage(linked, file);
    let mut key = Vec::new();
    number(&mut key, limits.max_expansions);
    number(&mut key, lineage.len());
    for &file in &lineage {
        number(&mut key, seen.place(file));
    }
    let mut at = 0;
    while let Some(&file) = seen.files.get(at) {
        at += 1;
        let of = &linked.files[file.index()];
        key.extend_from_slice(of.document.source.hash().as_bytes());
        key.push(match of.mode {
            Mode::Template => 0,
            Mode::Raw => 1,
            Mode::Code => 2,
        });
        key.push(u8::from(strip[file.index()]));
        for (include, target) in (0..).zip(&of.includes) {
            if !build::leads_to_sections(linked, file, include) {
                key.push(0);
                continue;
            }
            key.push(if build::is_choice(linked, file, include) { 1 } else { 2 });
            number(&mut key, target.files().count());
            for to in target.files() {
                number(&mut key, seen.place(to));
            }
        }
    }
    Observed { files: seen.files, key: Hash::of(&key) }
}

struct Seen {
    files: Vec<FileId>,
    places: HashMap<FileId, usize>,
}

impl Seen {
    /// Where a file stands among those that are looked into.
    fn place(&mut self, file: FileId) -> usize {
        *self.places.entry(file).or_insert_with(|| {
            self.files.push(file);
            self.files.len() - 1
        })
    }
}

fn number(key: &mut Vec<u8>, number: usize) {
    key.extend_from_slice(&(number as u64).to_le_bytes());
}
