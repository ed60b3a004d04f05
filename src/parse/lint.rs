//! What is likely to be a mistake in one text, though it means something: warnings that only a
//! check gives (language §10). Loading never comes here.

mod fences;
mod invisible;
mod json;
mod length;

use super::Document;
use crate::diag::Finding;

pub(crate) use json::Content;

/// The warnings about a template, in no order. The cost grows with the length of the text.
pub(crate) fn lint(document: &Document) -> Vec<Finding> {
    let mut findings = fences::nested(document);
    findings.extend(json::broken(document));
    findings.extend(length::long_sections(document));
    findings.extend(invisible::invisible(document));
    findings
}
