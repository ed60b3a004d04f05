//! Sections and contexts that are prompts of the engine.

use super::assembly::Variables;
use super::error::AssembleError;
use super::provider::PromptText;
use super::registry::Meta;
use crate::diag::Diagnostic;
use crate::render::render_with;
use crate::value::{Value, Vars};

/// Renders a prompt with the variables of an assembly; the last line end is left out, since blank
/// lines stand between parts.
pub(super) fn render(
    text: &PromptText,
    variables: &Variables,
    meta: &Meta,
    warnings: &mut Vec<Diagnostic>,
) -> Result<String, AssembleError> {
    let vars = vars(text, variables);
    match render_with(&text.tree, &vars, &text.options) {
        Ok(rendered) => {
            warnings.extend(rendered.warnings().iter().cloned());
            let mut text = rendered.into_text();
            if text.ends_with('\n') {
                text.pop();
            }
            Ok(text)
        }
        Err(diagnostics) => {
            let name = meta.name.to_string();
            Err(AssembleError::Prompt { kind: meta.kind, name, diagnostics })
        }
    }
}

/// The values of a prompt: those of the assembly that its files name, and its own over them. What
/// no file names is not given, so that nobody is warned of it.
fn vars(text: &PromptText, variables: &Variables) -> Vars {
    let mut vars: Vars = text
        .tree
        .program()
        .slots
        .iter()
        .filter_map(|name| Some((name, Value::from(variables.get(name)??))))
        .collect();
    vars.extend(text.vars.iter().map(|(name, value)| (name, value.clone())));
    vars
}
