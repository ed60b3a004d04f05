//! An expectation beside what came.

use mdgraft::{Diagnostic, Diagnostics, Severity};

use crate::diff::diff;
use crate::expect::{Content, Expectation, Finding, Kind};
use crate::observe::{Observed, human, messages, short};
use crate::origins::origin_lines;

/// How what came differs from what was expected.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// What a person reads.
    pub(crate) detail: String,
    /// The text that the block would have to hold, if it could hold what came.
    pub(crate) update: Option<String>,
}

impl Mismatch {
    pub(crate) fn texts(expected: &str, actual: &str) -> Self {
        Self { detail: diff(expected, actual), update: Some(actual.to_owned()) }
    }

    /// There is nothing to compare with, because of errors.
    fn errors(diagnostics: &Diagnostics) -> Self {
        let detail = format!("there are errors:\n{}", human(diagnostics));
        Self { detail, update: None }
    }
}

/// Compares; `None` if all is as expected. Consoles are not compared here.
pub(crate) fn compare(expectation: &Expectation, observed: &Observed) -> Option<Mismatch> {
    let diagnostics = if expectation.check { &observed.check } else { &observed.diagnostics };
    match (&expectation.content, expectation.kind) {
        (Content::Findings(expected), Kind::Errors) => {
            let mismatch = findings(expected, diagnostics, Severity::Error)?;
            Some(with_output(mismatch, expectation, observed))
        }
        (Content::Findings(expected), _) => warnings(expected, diagnostics, expectation, observed),
        (Content::Json(expected), _) => rendered(observed, |rendered| {
            let actual = messages(rendered);
            let equal = serde_json::from_str(&actual)
                .is_ok_and(|json: serde_json::Value| json == *expected);
            (!equal).then(|| Mismatch::texts(&expectation.text, &actual))
        }),
        (Content::Commands(_), _) => None,
        (Content::Text, kind) => match kind {
            Kind::Output => rendered(observed, |rendered| text(expectation, rendered.text())),
            Kind::Origins => match &observed.traced {
                Some(traced) => text(expectation, &origin_lines(traced)),
                None => Some(Mismatch::errors(&observed.diagnostics)),
            },
            Kind::Outline => match &observed.outline {
                Some(outline) => text(expectation, outline),
                None => Some(Mismatch::errors(&observed.diagnostics)),
            },
            Kind::Human => text(expectation, &human(diagnostics)),
            Kind::Work => text(expectation, &observed.work),
            _ => text(expectation, &short(diagnostics)),
        },
    }
}

fn text(expectation: &Expectation, actual: &str) -> Option<Mismatch> {
    (expectation.text != actual).then(|| Mismatch::texts(&expectation.text, actual))
}

fn rendered(
    observed: &Observed,
    compare: impl FnOnce(&mdgraft::Rendered) -> Option<Mismatch>,
) -> Option<Mismatch> {
    match &observed.rendered {
        Some(rendered) => compare(rendered),
        None => Some(Mismatch::errors(&observed.diagnostics)),
    }
}

/// Warnings are expected of something that has no errors.
fn warnings(
    expected: &[Finding],
    diagnostics: &Diagnostics,
    expectation: &Expectation,
    observed: &Observed,
) -> Option<Mismatch> {
    if !expectation.check && observed.rendered.is_none() {
        return Some(Mismatch::errors(diagnostics));
    }
    findings(expected, diagnostics, Severity::Warning)
}

/// A test that expects errors and gets an output is easier to mend with the output in view.
fn with_output(mut mismatch: Mismatch, expectation: &Expectation, observed: &Observed) -> Mismatch {
    if let (false, Some(rendered)) = (expectation.check, &observed.rendered) {
        let output = diff("", rendered.text());
        mismatch.detail.push_str("the prompt is rendered:\n");
        mismatch.detail.push_str(&output);
    }
    mismatch
}

fn findings(
    expected: &[Finding],
    diagnostics: &Diagnostics,
    severity: Severity,
) -> Option<Mismatch> {
    let actual: Vec<&Diagnostic> =
        diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).collect();
    let met = |(finding, diagnostic): (&Finding, &&Diagnostic)| meets(finding, diagnostic);
    if expected.len() == actual.len() && expected.iter().zip(&actual).all(met) {
        return None;
    }
    let wanted: String = expected.iter().map(|finding| finding.line() + "\n").collect();
    let line = |(index, diagnostic): (usize, &&Diagnostic)| {
        let same_place = |finding: &&Finding| finding.place == place(diagnostic);
        let at_index = expected.get(index).filter(same_place);
        match at_index.or_else(|| expected.iter().find(same_place)) {
            Some(finding) if meets(finding, diagnostic) => finding.line() + "\n",
            // The place is right, so what differs is the message.
            Some(_) => format!("{} — {}\n", place(diagnostic), diagnostic.message),
            None => place(diagnostic) + "\n",
        }
    };
    let came: String = actual.iter().enumerate().map(line).collect();
    let mut mismatch = Mismatch::texts(&wanted, &came);
    if !diagnostics.is_empty() {
        mismatch.detail.push_str("as reported:\n");
        mismatch.detail.push_str(&human(diagnostics));
    }
    Some(mismatch)
}

/// `code path:line:col`.
fn place(diagnostic: &Diagnostic) -> String {
    let place = &diagnostic.place;
    format!("{} {}:{}", diagnostic.code, place.file, place.position())
}

fn meets(finding: &Finding, diagnostic: &Diagnostic) -> bool {
    let holds = |part: &String| {
        let texts = [Some(&diagnostic.message), diagnostic.help.as_ref()];
        let edit = diagnostic.edit.as_ref().map(|edit| &edit.text);
        texts.into_iter().flatten().chain(edit).any(|text| text.contains(part.as_str()))
    };
    finding.place == place(diagnostic) && finding.part.as_ref().is_none_or(holds)
}
