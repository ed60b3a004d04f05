//! Inheritance: a file that extends another one is that file with changes, merged section by
//! section along the heading paths (language §5.1).

mod build;
mod emit;
mod join;
mod outline;

use super::program::Unit;
use crate::diag::Finding;
use crate::link::{FileId, Limits, Linked};

/// The unit of a file that extends another one.
pub(super) fn merge(
    linked: &Linked,
    file: FileId,
    strip: &[bool],
    limits: &Limits,
) -> (Unit, Vec<(FileId, Finding)>) {
    let mut lineage = vec![file];
    let mut at = file;
    while let Some(base) = linked.files[at.index()].base.files().next() {
        lineage.push(base);
        at = base;
    }
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
    let unit = merged.map(|outline| emit::emit(linked, file, &outline, strip)).unwrap_or_default();
    (unit, findings)
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
