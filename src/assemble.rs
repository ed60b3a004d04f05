//! Prompts put together from layers: named, ordered sections that plugins register, that scopes
//! override, and that listeners may change last.
//!
//! An [`Assembler`] keeps what is registered; [`Assembler::assemble`] makes an [`Assembly`] of it
//! for one call of a model, which [`Assembly::render_prompt`] turns into the prompt.
//! `docs/assembly.md` tells it as a story.
//!
//! ```
//! use mdgraft::assemble::Assembler;
//!
//! let prompts = Assembler::<()>::bare();
//! let _rules = prompts.section("rules", 10, "Be brief.")?;
//! let _role = prompts.section("role", 0, "You are {{what}}.")?;
//! let _what = prompts.variable("what", |_| "an agent")?;
//! assert_eq!(prompts.assemble(&())?.render_prompt()?, "You are an agent.\n\nBe brief.");
//! # Ok::<(), mdgraft::assemble::AssembleError>(())
//! ```

mod assembler;
mod assembly;
mod conversation;
mod declared;
mod diff;
mod error;
mod json;
mod options;
mod origins;
mod pieces;
mod prefix;
mod prompt;
mod provider;
mod registry;
mod render;
mod run;
mod scope;
mod tools;

pub use assembler::{Assembler, ListenOptions, Next};
pub use assembly::{Assembly, Part, Tool, Variables};
pub use conversation::{ContextMessage, LogMessage, RuntimeContext};
pub use declared::{Declared, Given};
pub use diff::{Change, ChangeKind, Diff, diff};
pub use error::{AssembleError, BoxError, PartKind};
pub use options::{
    AssembleOptions, BuiltIn, IDENTITY_ORDER, IDENTITY_SECTION, PERSONA_ORDER, PERSONA_SECTION,
    REST_ENTRY,
};
pub use origins::{PartOrigin, Registered, Source};
pub use pieces::PartSize;
pub use prefix::{Spoiler, StablePrefix, stable_prefix};
pub use provider::{Answer, Text, Tools};
pub use registry::Registration;
pub use render::ContextText;
pub use scope::{Binding, Scope, ScopeError};
