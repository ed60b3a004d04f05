//! What an assembler begins with: the built-in sections, the order of tools, the markers.

use super::error::AssembleError;

/// The name of the built-in section that says what the agent is.
pub const IDENTITY_SECTION: &str = "harness:identity";
/// The order of [`IDENTITY_SECTION`].
pub const IDENTITY_ORDER: f64 = -100.0;
/// The name of the built-in section of a deployment, which a scope may shadow.
pub const PERSONA_SECTION: &str = "deployment:persona";
/// The order of [`PERSONA_SECTION`].
pub const PERSONA_ORDER: f64 = 0.0;
/// The entry of a tool order at which the tools stand that it does not list.
pub const REST_ENTRY: &str = "<unlisted-tools>";

/// What an assembler begins with.
///
/// The default has both built-in sections; [`bare`](Self::bare) has none.
///
/// ```
/// use mdgraft::assemble::{AssembleOptions, Assembler};
///
/// let order = ["read", "<unlisted-tools>", "bash"].map(str::to_owned).to_vec();
/// let options = AssembleOptions { tool_order: Some(order), ..AssembleOptions::bare() };
/// let prompts = Assembler::<()>::new(options)?;
/// assert_eq!(prompts.assemble(&())?.render_prompt()?, "");
/// # Ok::<(), mdgraft::assemble::AssembleError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct AssembleOptions {
    /// The section that says what the agent is.
    pub identity: Option<BuiltIn>,
    /// The section that a deployment fills, empty by default.
    pub persona: Option<BuiltIn>,
    /// Whether contexts are given; without, a suppressor stands in the global layer.
    pub runtime_context: bool,
    /// The order of the tools by name, with [`rest_entry`](Self::rest_entry) once where all
    /// others stand. None sorts by name, and an empty list is an error.
    pub tool_order: Option<Vec<String>>,
    /// The entry that stands for the tools that `tool_order` does not list; no tool may be called
    /// so.
    pub rest_entry: String,
    /// The first paragraph of a snapshot of the contexts.
    pub snapshot_heading: String,
    /// What is said when there were contexts and are none any more.
    pub no_snapshot: String,
}

/// A section that an assembler registers itself, in the global layer.
#[derive(Clone, PartialEq, Debug)]
pub struct BuiltIn {
    /// The name of the section.
    pub name: String,
    /// Where it stands.
    pub order: f64,
    /// Its text.
    pub text: String,
}

impl BuiltIn {
    /// A built-in section.
    pub fn new(name: impl Into<String>, order: impl Into<f64>, text: impl Into<String>) -> Self {
        Self { name: name.into(), order: order.into(), text: text.into() }
    }
}

impl Default for AssembleOptions {
    fn default() -> Self {
        let identity = "You are an AI agent powered by DeepSeek Harness.";
        Self {
            identity: Some(BuiltIn::new(IDENTITY_SECTION, IDENTITY_ORDER, identity)),
            persona: Some(BuiltIn::new(PERSONA_SECTION, PERSONA_ORDER, "")),
            ..Self::bare()
        }
    }
}

impl AssembleOptions {
    /// Without built-in sections.
    #[must_use]
    pub fn bare() -> Self {
        Self {
            identity: None,
            persona: None,
            runtime_context: true,
            tool_order: None,
            rest_entry: REST_ENTRY.to_owned(),
            snapshot_heading: "Current runtime context. This snapshot supersedes earlier \
                               runtime-context snapshots."
                .to_owned(),
            no_snapshot: "Current runtime context: none. Earlier runtime-context snapshots no \
                          longer apply."
                .to_owned(),
        }
    }

    /// Refuses an order of tools that names one twice, then one without the rest entry.
    pub(super) fn check(&self) -> Result<(), AssembleError> {
        let Some(order) = &self.tool_order else { return Ok(()) };
        let mut seen = std::collections::HashSet::new();
        if let Some(name) = order.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(AssembleError::RepeatedTool { name: name.clone() });
        }
        if !seen.contains(self.rest_entry.as_str()) {
            return Err(AssembleError::NoRestEntry { rest_entry: self.rest_entry.clone() });
        }
        Ok(())
    }
}
