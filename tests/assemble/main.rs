//! Layered prompt assembly: what is registered where, what an assembly makes of it, and to the
//! letter what is said when it cannot.

mod calls;
mod conversation;
mod forms;
mod listeners;
mod registry;
mod scopes;
mod threads;
mod ties;
mod tools;

use mdgraft::assemble::{AssembleError, Assembler};

/// The prompt that a handle sees.
fn prompt(prompts: &Assembler) -> String {
    prompts
        .assemble(&())
        .and_then(|assembly| assembly.render_prompt())
        .unwrap_or_else(|error| shown(&error))
}

/// An error in the place of a prompt, so that tests compare texts.
fn shown(error: &AssembleError) -> String {
    format!("error: {error}")
}

/// What a call that must fail says.
fn message<T>(result: Result<T, AssembleError>) -> String {
    result.map_or_else(|error| error.to_string(), |_| "fine".to_owned())
}
