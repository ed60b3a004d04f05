//! Inheritance: a file that extends another one is that file with changes, merged section by
//! section along the heading paths (language §5.1).

mod build;
mod emit;
mod join;
mod observed;
mod outline;

use std::collections::HashMap;

use super::units::Lowered;
use crate::diag::Finding;
use crate::link::{FileId, Limits, Linked};

pub(super) use observed::{Observed, observed};

/// Lowers a file that extends another one. It looks at nothing but what [`observed`] says, in the
/// files that it lists, and names them by their place there.
pub(super) fn merge(
    linked: &Linked,
    file: FileId,
    seen: &[FileId],
    strip: &[bool],
    limits: &Limits,
) -> Lowered {
    let lineage = lineage(linked, file);
    let mut findings = Vec::new();
    let mut merged: Option<outline::Outline> = None;
    for (owner, &of) in (0..).zip(lineage.iter().rev()) {
        let is_child = merged.is_some();
        let built = build::build(linked, of, owner, is_child, limits, &mut findings);
        merged = Some(match merged {
            None => built,
            Some(base) => join::join(linked, base, &built, &mut findings),
        });
    }
    let places: HashMap<FileId, u32> = seen.iter().copied().zip(0..).collect();
    let place = |file: FileId| places.get(&file).copied().unwrap_or_default();
    let (code, texts) =
        merged.map(|outline| emit::emit(linked, file, &outline, strip)).unwrap_or_default();
    Lowered {
        code,
        texts: texts.into_iter().map(|text| place(FileId(text))).collect(),
        findings: findings.into_iter().map(|(file, finding)| (place(file), finding)).collect(),
    }
}

/// A file and its bases, the last one last.
fn lineage(linked: &Linked, file: FileId) -> Vec<FileId> {
    let base = |file: &FileId| linked.files[file.index()].base.files().next();
    std::iter::successors(Some(file), base).collect()
}

/// `merge` directives of files that extend nothing.
pub(super) fn stray(linked: &Linked) -> Vec<(FileId, Finding)> {
    let mut findings = Vec::new();
    for (file, id) in linked.files.iter().zip(0..) {
        if file.document.front.extends.is_some() {
            continue;
        }
        for item in &file.document.body.items {
            if matches!(item.kind, crate::parse::document::ItemKind::Merge(_)) {
                let span = build::comment_span(&file.document, item);
                let message = "this file extends nothing, so there is nothing to merge with";
                let finding = Finding::new(crate::diag::codes::NOTHING_TO_MERGE, span, message)
                    .help("drop it, or name a base with `extends` in the front matter");
                findings.push((FileId(id), finding));
            }
        }
    }
    findings
}
