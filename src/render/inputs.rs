//! Checks the given values before anything is rendered (language §3).

use crate::compile::misfit;
use crate::compile::program::Program;
use crate::compile::uses::{Printed, used};
use crate::diag::{Diagnostic, Finding, codes};
use crate::parse::front_matter::InputKind;
use crate::text::Span;
use crate::value::{Value, Vars};

/// What is wrong with the given values: inputs that the printed part can use and that are missing,
/// of another type or not listed; and values that nothing uses.
pub(super) fn check(
    program: &Program,
    vars: &Vars,
    printed: Option<&dyn Printed>,
) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    let used_here = used(program, printed);
    for input in &program.inputs {
        if !used_here[input.slot as usize] {
            continue;
        }
        let declaration = &input.declaration;
        let given = vars.get(&declaration.name);
        let any = declaration.kind == InputKind::Any;
        let finding = match given {
            None | Some(Value::Null) if given.is_none() || !any => {
                if declaration.default.is_some() {
                    continue;
                }
                let name = &declaration.name;
                let message = format!("`{name}` has no value");
                let help = format!("give `{name}` a value, or declare a default");
                Some(Finding::new(codes::MISSING_VARIABLE, declaration.span, message).help(help))
            }
            Some(value) => misfit(declaration, value, declaration.span),
            None => None,
        };
        told.extend(finding.map(|finding| program.diagnostic(input.text, 0, finding)));
    }
    if program.closed {
        told.extend(unused(program, vars));
    }
    told
}

/// Values that are used and declared nowhere.
fn unused(program: &Program, vars: &Vars) -> Vec<Diagnostic> {
    let used = used(program, None);
    let known = |name: &str| {
        let slot = program.slots.binary_search_by(|other| (**other).cmp(name));
        slot.is_ok_and(|slot| used[slot] || program.input_of_slot[slot].is_some())
    };
    let names = vars.iter().map(|(name, _)| name).filter(|name| !known(name));
    names
        .map(|name| {
            let message = format!("the value `{name}` is used nowhere");
            let finding = Finding::new(codes::UNUSED_VARIABLE, Span::default(), message);
            let near = crate::diag::near::nearest(
                name,
                program.inputs.iter().map(|input| &*input.declaration.name),
            );
            let finding = match near {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding,
            };
            program.diagnostic(0, 0, finding)
        })
        .collect()
}

/// A `with` variable as the input that it meets takes it: null counts as not given, so that a
/// default stands in for it.
pub(super) fn meet(
    program: &Program,
    slot: u32,
    value: Value,
    span: Span,
) -> Result<Value, Finding> {
    let Some(input) = program.input_of_slot.get(slot as usize).copied().flatten() else {
        return Ok(value);
    };
    let declaration = &program.inputs[input as usize].declaration;
    if value != Value::Null || declaration.kind == InputKind::Any {
        return misfit(declaration, &value, span).map_or(Ok(value), Err);
    }
    declaration.default.clone().ok_or_else(|| {
        let name = &declaration.name;
        let message = format!("`{name}` has no value: null counts as not given");
        let help = format!("give `{name}` a value, or declare a default");
        Finding::new(codes::MISSING_VARIABLE, span, message).help(help)
    })
}
