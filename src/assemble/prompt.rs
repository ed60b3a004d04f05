//! Sections and contexts that are prompts of the engine.

use std::collections::HashMap;

use super::assembly::Variables;
use super::error::AssembleError;
use super::provider::PromptText;
use super::registry::Meta;
use crate::diag::Diagnostic;
use crate::parse::front_matter::InputKind;
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
    let program = text.tree.program();
    let kinds: HashMap<&str, InputKind> = program
        .inputs
        .iter()
        .map(|input| (&*input.declaration.name, input.declaration.kind))
        .collect();
    let given = program.slots.iter().filter_map(|name| {
        let value = variables.get(name)??;
        Some((name, typed(value, kinds.get(&**name).copied())))
    });
    let mut vars: Vars = given.collect();
    vars.extend(text.vars.iter().map(|(name, value)| (name, value.clone())));
    vars
}

/// What a text is as a value of a declared type; what it cannot be stays a text, and is then told
/// where the type is declared.
fn typed(text: &str, kind: Option<InputKind>) -> Value {
    let value = match kind {
        None | Some(InputKind::String | InputKind::Any) => None,
        Some(InputKind::Boolean) => text.parse().ok().map(Value::Boolean),
        Some(InputKind::Integer | InputKind::Number | InputKind::List | InputKind::Map) => {
            Value::from_json(text).ok()
        }
    };
    value
        .filter(|value| kind.is_some_and(|kind| kind.accepts(value)))
        .unwrap_or_else(|| text.into())
}
