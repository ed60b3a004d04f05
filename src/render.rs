//! The fourth stage: a [`PromptTree`], variables and a filter to text.

mod collect;
pub(crate) mod eval;
mod fence;
mod gate;
mod inputs;
mod messages;
mod outline;
mod output;
mod rendered;
mod run;
mod scope;

pub(crate) use collect::read_tools;
pub use messages::{Message, Role};
pub use rendered::{Origin, OriginKind, Rendered, RenderedSection};

use crate::compile::PromptTree;
use crate::compile::program::Program;
use crate::compile::uses::Printed;
use crate::diag::{Diagnostic, Diagnostics, Finding, Severity, codes};
use crate::section::Include;
use crate::text::Span;
use crate::value::Vars;
use gate::{Gate, Unknown};
use output::{From, FromKind, Output};
use run::{Ran, Suspect};
use scope::Slots;

/// What a value that changes the outline is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Guard {
    /// The warning `value-changes-outline`.
    #[default]
    Warn,
    /// The error `value-changes-outline`.
    Error,
}

/// How a tree is rendered.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RenderOptions {
    /// Which sections; all if empty.
    pub include: Include,
    /// Print the heading lines above selected sections.
    pub ancestors: bool,
    /// The canonical form: heading, text and sub-sections one blank line apart.
    pub tidy: bool,
    /// What a value that changes the outline is.
    pub guard: Guard,
    /// Record where each byte of the output comes from.
    pub origins: bool,
}

/// Renders the sections that `include` selects: `()` for all, else a list of paths.
///
/// Rendering opens no file and takes no lock; the same arguments give the same bytes.
///
/// ```
/// use mdgraft::{Engine, MemoryLoader, render, vars};
///
/// let engine = Engine::new(MemoryLoader::from([("main.md", "# A\n\na\n\n# B\n\n{{x}}\n")]));
/// let tree = engine.load("main.md")?;
/// let prompt = render(&tree, &vars! { x: 1 }, &["B"])?;
/// assert_eq!(prompt.text(), "# B\n\n1\n");
/// # Ok::<(), mdgraft::Diagnostics>(())
/// ```
///
/// # Errors
///
/// All diagnostics of the render, if one of them is an error.
pub fn render(
    tree: &PromptTree,
    vars: &Vars,
    include: impl Into<Include>,
) -> Result<Rendered, Diagnostics> {
    render_with(tree, vars, &RenderOptions { include: include.into(), ..RenderOptions::default() })
}

/// Renders with all options.
///
/// # Errors
///
/// All diagnostics of the render, if one of them is an error.
pub fn render_with(
    tree: &PromptTree,
    vars: &Vars,
    options: &RenderOptions,
) -> Result<Rendered, Diagnostics> {
    let program = tree.program();
    let (gate, unknown) = Gate::new(program, &options.include, options.ancestors);
    let mut told: Vec<Diagnostic> =
        unknown.into_iter().map(|entry| unknown_section(program, entry)).collect();
    told.extend(inputs::check(program, vars, gate.as_ref().map(|gate| gate as &dyn Printed)));
    if has_errors(&told) {
        return Err(diagnostics(tree, told));
    }
    let collects =
        program.texts.iter().any(|text| text.document.body.fences.iter().any(|fence| fence.tools));
    let output = Output::new(program.capacity(), options.origins || collects, options.tidy);
    let ran = run::run(program, gate.as_ref(), Slots::new(program, vars), output);
    let Ran { output, findings, roles, headings, suspects, raw, collected, sections } = ran;
    told.extend(
        findings.into_iter().map(|met| program.diagnostic(met.text, met.instance, met.finding)),
    );
    if has_errors(&told) {
        return Err(diagnostics(tree, told));
    }
    let tools = collect::tools(program, &collected);
    told.extend(tools.1);
    let at = From { kind: FromKind::Glue, text: 0, span: Span::default(), instance: 0 };
    let (text, runs) = output.finish(at);
    if !suspects.is_empty() {
        for suspect in outline::offenders(&text, &headings, &suspects, &raw) {
            told.push(changes_outline(program, suspect, options.guard));
        }
    }
    if has_errors(&told) {
        return Err(diagnostics(tree, told));
    }
    let parts = rendered::Parts {
        text,
        runs: runs.filter(|_| options.origins),
        roles,
        sections,
        tools: tools.0,
        examples: collect::examples(program, &collected),
    };
    Ok(Rendered::new(program, parts, diagnostics(tree, told)))
}

fn has_errors(told: &[Diagnostic]) -> bool {
    told.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// What loading warned of and what rendering told, in order.
fn diagnostics(tree: &PromptTree, mut told: Vec<Diagnostic>) -> Diagnostics {
    if told.is_empty() {
        return tree.warnings().clone();
    }
    told.extend(tree.warnings().iter().cloned());
    let files = tree.program().texts.iter().map(|text| &*text.path);
    Diagnostics::from_sorted(crate::link::in_order(told, files))
}

fn unknown_section(program: &Program, (entry, near): Unknown) -> Diagnostic {
    let message = format!("the prompt has no section `{entry}`");
    let finding = Finding::new(codes::UNKNOWN_SECTION, Span::default(), message);
    let finding = match near {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help("a path is the titles from the top down, joined with `/`"),
    };
    program.diagnostic(0, 0, finding)
}

fn changes_outline(program: &Program, suspect: &Suspect, guard: Guard) -> Diagnostic {
    let name = program.texts[suspect.text as usize].document.source.slice(suspect.name);
    let message = format!(
        "the value of `{name}` adds to the outline, or opens a block that it does not close"
    );
    let finding = Finding::new(codes::VALUE_CHANGES_OUTLINE, suspect.name, message)
        .help("hold it in with `|plain`, `|quote` or `|fence(\"\")`");
    let finding = match guard {
        Guard::Warn => finding,
        Guard::Error => finding.severity(Severity::Error),
    };
    program.diagnostic(suspect.text, suspect.instance, finding)
}
