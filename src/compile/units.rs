//! The units of a prompt: each file is lowered by itself, and only what it is merged with counts.

use std::sync::Arc;

use super::lower::lower;
use super::merge;
use super::program::{Code, Unit};
use crate::diag::Finding;
use crate::link::{FileId, Limits, Linked, Target};
use crate::parse::Mode;
use crate::text::Hash;

/// All that lowering a unit can observe. Equal keys lower to the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum UnitKey {
    /// A file by itself: its content, and whether comments are stripped.
    Plain { document: Hash, strip: bool },
    /// A file merged with its bases: a hash over what merging looks at.
    Merged(Hash),
}

/// A lowered unit, in no prompt yet.
#[derive(Debug, Default)]
pub(crate) struct Lowered {
    pub(crate) code: Code,
    /// The texts of the code, each a file of those that lowering saw, by its place among them.
    pub(crate) texts: Vec<u32>,
    /// What is wrong with these files.
    pub(crate) findings: Vec<(u32, Finding)>,
}

/// How a unit is lowered: the same key may give the same unit again.
pub(crate) type LowerHook<'a> = dyn Fn(UnitKey, &dyn Fn() -> Lowered) -> Arc<Lowered> + 'a;

/// The units of all files, without the targets of their sites, and what is wrong with them; the
/// unit of a file has the index of the file.
pub(super) fn units(
    linked: &Linked,
    strip: &[bool],
    limits: &Limits,
    lowering: &LowerHook<'_>,
) -> (Vec<Unit>, Vec<(FileId, Finding)>) {
    let mut units = Vec::with_capacity(linked.files.len());
    let mut findings = Vec::new();
    let nothing = Arc::new(Lowered { texts: vec![0], ..Lowered::default() });
    for (file, id) in linked.files.iter().zip((0..).map(FileId)) {
        let (seen, lowered) = match (file.mode, &file.base) {
            (Mode::Template, Target::File(_)) => {
                let merge::Observed { files, key } = merge::observed(linked, id, strip, limits);
                let make = || merge::merge(linked, id, &files, strip, limits);
                let lowered = lowering(UnitKey::Merged(key), &make);
                (files, lowered)
            }
            (Mode::Template, _) => {
                let strip = strip[id.index()];
                let key = UnitKey::Plain { document: file.document.source.hash(), strip };
                let make = || Lowered {
                    code: lower(&file.document, strip),
                    texts: vec![0],
                    findings: Vec::new(),
                };
                (vec![id], lowering(key, &make))
            }
            _ => (vec![id], Arc::clone(&nothing)),
        };
        let file_of = |place: u32| seen.get(place as usize).copied().unwrap_or(id);
        let found = lowered.findings.iter().cloned();
        findings.extend(found.map(|(place, finding)| (file_of(place), finding)));
        units.push(Unit {
            texts: lowered.texts.iter().map(|&place| file_of(place).0).collect(),
            lowered,
            targets: Vec::new(),
        });
    }
    (units, findings)
}
