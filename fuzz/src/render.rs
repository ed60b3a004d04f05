//! Target `render`: random files, values, filters, options and limits.

use mdgraft::fuzzing::{Heading, outline};
use mdgraft::{
    Diagnostics, Guard, OriginKind, PromptTree, RenderOptions, Rendered, Section, render_with,
};

use crate::cases::Case;
use crate::generate::Shape;
use crate::{diagnostics, filter};

/// See the README for what is asserted.
pub fn check(data: &[u8]) {
    case(&Case::of(data, Shape::Includes));
}

/// Loads and renders a case; what came, if nothing was wrong.
pub fn case(case: &Case) -> Option<(PromptTree, Rendered)> {
    let engine = case.engine();
    let checked = engine.check(&[case.entry()], &case.check_options());
    diagnostics::check(&checked, case);
    let tree = match engine.load_with(case.entry(), &case.load_options()) {
        Ok(tree) => tree,
        Err(told) => {
            failed(&told, case);
            assert!(checked.has_errors(), "check passes what does not load: {told}\n{case}");
            return None;
        }
    };
    assert!(!tree.warnings().has_errors(), "a tree with errors\n{case}");
    diagnostics::check(tree.warnings(), case);
    let options = case.render_options();
    let first = render_with(&tree, &case.vars, &options);
    same(&first, &render_with(&tree, &case.vars, &options), case);
    let rendered = match first {
        Ok(rendered) => rendered,
        Err(told) => {
            failed(&told, case);
            return None;
        }
    };
    let text = rendered.text();
    assert!(text.len() <= case.limits().max_output, "over max_output: {text:?}\n{case}");
    diagnostics::check(rendered.warnings(), case);
    assert!(!rendered.warnings().has_errors(), "a success with errors\n{case}");
    form(text, case);
    origins(&rendered, case);
    parts(&rendered, case);
    headings(&tree, &rendered, case);
    guarded(&tree, &rendered, &options, case);
    Some((tree, rendered))
}

fn failed(told: &Diagnostics, case: &Case) {
    assert!(told.has_errors(), "a failure without error: {told:?}\n{case}");
    diagnostics::check(told, case);
}

fn same(
    first: &Result<Rendered, Diagnostics>,
    second: &Result<Rendered, Diagnostics>,
    case: &Case,
) {
    let seen = |result: &Result<Rendered, Diagnostics>| match result {
        Ok(rendered) => (rendered.text().to_owned(), rendered.warnings().to_string()),
        Err(told) => (String::new(), told.to_string()),
    };
    assert_eq!(seen(first), seen(second), "rendering twice differs\n{case}");
}

/// No blank line at the start, one line end at the end.
fn form(text: &str, case: &Case) {
    if text.is_empty() {
        return;
    }
    let blank = |line: &str| line.trim_matches([' ', '\t']).is_empty();
    assert!(text.ends_with('\n'), "no line end: {text:?}\n{case}");
    assert!(!text.lines().next().is_none_or(blank), "starts blank: {text:?}\n{case}");
    assert!(!text.lines().next_back().is_none_or(blank), "ends blank: {text:?}\n{case}");
}

/// Origins follow each other without gap, and text is what the source says.
fn origins(rendered: &Rendered, case: &Case) {
    let text = rendered.text();
    let mut at = 0;
    for origin in rendered.origins() {
        let range = origin.output.clone();
        assert!(range.start == at && range.end > at, "origins have a gap: {range:?}, {at}\n{case}");
        at = range.end;
        let source = origin.place.source.text().get(origin.place.span.range());
        let Some(source) = source else {
            panic!("origin out of bounds: {:?}\n{case}", origin.place.span)
        };
        let output = text.get(range);
        let Some(output) = output else { panic!("origin inside a character\n{case}") };
        match &origin.kind {
            OriginKind::Text => {
                assert_eq!(output, source, "origin is another text: {text:?}\n{case}")
            }
            OriginKind::Variable(name) => {
                assert!(!name.is_empty(), "origin without name: {output:?}\n{case}")
            }
            OriginKind::Glue => {}
        }
    }
    assert_eq!(at, text.len(), "origins end early: {text:?}\n{case}");
}

/// Sections cover the text; messages have clean ends.
fn parts(rendered: &Rendered, case: &Case) {
    let mut at = 0;
    for section in rendered.sections() {
        assert_eq!(
            section.output.start,
            at,
            "sections have a gap: {:?}\n{case}",
            rendered.sections()
        );
        at = section.output.end;
    }
    assert_eq!(at, rendered.text().len(), "sections end early: {:?}\n{case}", rendered.sections());
    for message in rendered.messages() {
        let content = &message.content;
        let first = content.lines().next().unwrap_or_default();
        assert!(!first.trim_matches([' ', '\t']).is_empty(), "blank message: {content:?}\n{case}");
        assert!(!content.ends_with('\n'), "message with line end: {content:?}\n{case}");
    }
}

/// The outline of the output is that of the selected tree, unless a value or raw text adds to it.
fn headings(tree: &PromptTree, rendered: &Rendered, case: &Case) {
    let changed =
        rendered.warnings().iter().any(|one| one.code.as_str() == "value-changes-outline");
    if changed || prints_raw_files(case) {
        return;
    }
    let printed: Vec<(u8, usize)> = outline(rendered.text())
        .iter()
        .map(|Heading { level, start, .. }| (*level, *start))
        .collect();
    let told: Vec<(u8, usize)> = rendered
        .sections()
        .iter()
        .filter(|section| section.level > 0)
        .map(|section| (section.level, section.output.start))
        .collect();
    assert_eq!(printed, told, "the outline is another: {:?}\n{case}", rendered.text());
    // Where nothing is left to conditions, the sections printed are those that the filter selects.
    let choices = ["if", "for", "enum"];
    if choices.iter().any(|word| case.mentions(word)) || case.options.ancestors {
        return;
    }
    let sections: Vec<Section> = tree.sections().collect();
    let Some(chosen) = filter::selected(&sections, &case.options.include) else { return };
    let chosen = sections.iter().zip(chosen).filter(|(_, chosen)| *chosen);
    let chosen: Vec<(u8, &[String])> =
        chosen.map(|(section, _)| (section.level, &section.path[..])).collect();
    let told = rendered.sections().iter().filter(|section| section.level > 0);
    let told: Vec<(u8, &[String])> = told.map(|it| (it.level, &it.path[..])).collect();
    assert_eq!(chosen, told, "other sections are printed: {:?}\n{case}", rendered.text());
}

/// Whether files may be printed as they are.
fn prints_raw_files(case: &Case) -> bool {
    let raw =
        |path: &str| !(path.ends_with(".md") || path.ends_with(".markdown") || !path.contains('.'));
    let options = ["| raw", "|raw", "| keep | raw", "| optional | raw"];
    options.iter().any(|option| case.mentions(option))
        || case.files.iter().any(|(path, _)| raw(path))
}

/// With the guard, the promise holds for every value, and nothing else changes.
fn guarded(tree: &PromptTree, rendered: &Rendered, options: &RenderOptions, case: &Case) {
    let origins = !options.origins;
    let options = RenderOptions { guard: Guard::Error, origins, ..options.clone() };
    let warned = rendered.warnings().iter().any(|one| one.code.as_str() == "value-changes-outline");
    match render_with(tree, &case.vars, &options) {
        Ok(guarded) => {
            assert!(!warned, "the guard lets pass what is warned of\n{case}");
            assert_eq!(guarded.text(), rendered.text(), "the guard changes the output\n{case}");
            assert!(guarded.origins().is_empty(), "origins unasked\n{case}");
        }
        Err(told) => {
            assert!(warned, "the guard refuses what is not warned of: {told}\n{case}");
            failed(&told, case);
        }
    }
}
