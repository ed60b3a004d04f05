//! The runtime context over a conversation: which message tells the model of it now, if any.

use super::assembly::Assembly;
use super::error::AssembleError;
use super::render::ContextText;

/// What a conversation knows of the runtime context: the last message that told of it, which is
/// kept in the history. A new one is due only when the context has changed.
///
/// ```
/// use mdgraft::assemble::{Assembler, RuntimeContext};
///
/// let prompts = Assembler::<u32>::bare();
/// let clock = prompts.context("clock", 0, "It is noon.")?;
/// let mut context = RuntimeContext::new("runtime-context");
///
/// let message = context.next(&prompts.assemble(&0)?)?.expect("something is new");
/// assert!(message.text.ends_with("\n\nIt is noon."));
/// assert_eq!(context.next(&prompts.assemble(&1)?)?, None);
///
/// clock.dispose()?;
/// let message = context.next(&prompts.assemble(&2)?)?.expect("it is gone");
/// assert!(message.text.starts_with("Current runtime context: none."));
/// assert_eq!(context.next(&prompts.assemble(&3)?)?, None);
/// # Ok::<(), mdgraft::assemble::AssembleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuntimeContext {
    source: String,
    state: State,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum State {
    /// Nothing was ever said.
    Silent,
    /// This was said last, and the model still sees it.
    Retained(String),
    /// Something was said that the model does not see any more.
    Lost,
}

/// A message of the user role that tells the model of the runtime context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextMessage {
    /// The tag by which the conversation knows its own messages.
    pub source: String,
    /// What is said.
    pub text: String,
    /// The parts that it is made of; `None` where it says that there is no context any more.
    pub parts: Option<Vec<ContextText>>,
}

/// A message of the log of a conversation, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogMessage<'a> {
    /// The tag of who wrote it, if it has one.
    pub source: Option<&'a str>,
    /// What it says.
    pub text: &'a str,
    /// Whether the model still sees it: a compaction may have replaced it.
    pub visible: bool,
}

impl RuntimeContext {
    /// The state of a new conversation. The tag stands in its messages, so that those of others
    /// are told apart; it holds the session, where several write to one log.
    #[must_use]
    pub fn new(source: impl Into<String>) -> Self {
        Self { source: source.into(), state: State::Silent }
    }

    /// The state that the log of a conversation leaves: that after its last visible message with
    /// the tag.
    ///
    /// ```
    /// use mdgraft::assemble::{LogMessage, RuntimeContext};
    ///
    /// let said = |source, text, visible| LogMessage { source: Some(source), text, visible };
    /// let log = [said("a", "one", true), said("b", "other", true), said("a", "two", false)];
    /// let context = RuntimeContext::from_log("a", &log);
    /// assert_eq!(context.retained(), Some("one"));
    /// ```
    #[must_use]
    pub fn from_log<'a>(
        source: impl Into<String>,
        log: impl IntoIterator<Item = &'a LogMessage<'a>, IntoIter: DoubleEndedIterator>,
    ) -> Self {
        let source = source.into();
        let mut state = State::Silent;
        for message in log.into_iter().rev() {
            if message.source != Some(source.as_str()) {
                continue;
            }
            if message.visible {
                state = State::Retained(message.text.to_owned());
                break;
            }
            state = State::Lost;
        }
        Self { source, state }
    }

    /// The message to add to the conversation now, before the model is called; `None` where the
    /// model knows all of it. Calling this counts as adding it.
    ///
    /// # Errors
    ///
    /// As [`Assembly::render_contexts`]; the state then stays.
    pub fn next(&mut self, assembly: &Assembly) -> Result<Option<ContextMessage>, AssembleError> {
        let parts = assembly.render_contexts()?;
        let (text, parts) = match (parts.is_empty(), &self.state) {
            (true, State::Silent) => return Ok(None),
            (true, _) => (assembly.options.no_snapshot.clone(), None),
            (false, _) => (assembly.snapshot(&parts), Some(parts)),
        };
        if self.retained() == Some(text.as_str()) {
            return Ok(None);
        }
        self.state = State::Retained(text.clone());
        Ok(Some(ContextMessage { source: self.source.clone(), text, parts }))
    }

    /// Says that a compaction of the history replaced the last message: the next one is due again.
    pub fn compacted(&mut self) {
        if self.state != State::Silent {
            self.state = State::Lost;
        }
    }

    /// The text of the last message, while the model sees it.
    #[must_use]
    pub fn retained(&self) -> Option<&str> {
        match &self.state {
            State::Retained(text) => Some(text),
            State::Silent | State::Lost => None,
        }
    }
}
