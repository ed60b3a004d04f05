//! Rendering: variables are put into the texts, and the texts are joined.

use super::assembly::{Assembly, Part, Variables, is_variable_name};
use super::error::{AssembleError, PartKind};
use crate::diag::near;

/// How much of a malformed reference a message shows, in code units of UTF-16.
const EXCERPT: usize = 16;

/// A part of the runtime context with its variables put in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextText {
    /// The name of the context.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Assembly {
    /// The prompt: the sections in their order, one blank line apart, without empty ones.
    ///
    /// A text may hold `{{name}}` for a variable. What is put in is not read again.
    ///
    /// ```
    /// use mdgraft::assemble::Assembler;
    ///
    /// let prompts = Assembler::<()>::bare();
    /// let _kept = [
    ///     prompts.section("place", 0, "You work in {{cwd}}.")?,
    ///     prompts.variable("cwd", |_| "/src")?,
    /// ];
    /// let mut assembly = prompts.assemble(&())?;
    /// assert_eq!(assembly.render_prompt()?, "You work in /src.");
    ///
    /// assembly.sections[0].set_text("{{cdw}}");
    /// assert_eq!(
    ///     assembly.render_prompt().unwrap_err().to_string(),
    ///     "unknown prompt variable \"{{cdw}}\" in section \"place\"; registered variables: cwd \
    ///      (did you mean \"{{cwd}}\"?)"
    /// );
    /// # Ok::<(), mdgraft::assemble::AssembleError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first reference that is malformed, names no variable, or names one without a value.
    pub fn render_prompt(&self) -> Result<String, AssembleError> {
        let length = self.sections.iter().map(|part| part.text().len() + 2).sum();
        let mut prompt = String::with_capacity(length);
        for part in &self.sections {
            append(&mut prompt, part, PartKind::Section, &self.variables)?;
        }
        Ok(prompt)
    }

    /// The runtime context part by part, without empty ones.
    ///
    /// # Errors
    ///
    /// As [`render_prompt`](Self::render_prompt).
    pub fn render_contexts(&self) -> Result<Vec<ContextText>, AssembleError> {
        let mut texts = Vec::with_capacity(self.contexts.len());
        for part in &self.contexts {
            let mut text = String::with_capacity(part.text().len());
            interpolate(part, PartKind::Context, &self.variables, &mut |piece, _| {
                text.push_str(piece);
            })?;
            if !text.is_empty() {
                texts.push(ContextText { name: part.name().to_owned(), text });
            }
        }
        Ok(texts)
    }

    /// The runtime context as one text, below a heading that says that it replaces earlier ones;
    /// empty where there is none.
    ///
    /// # Errors
    ///
    /// As [`render_prompt`](Self::render_prompt).
    pub fn render_context_snapshot(&self) -> Result<String, AssembleError> {
        Ok(self.snapshot(&self.render_contexts()?))
    }

    /// The snapshot of contexts that are rendered.
    pub(super) fn snapshot(&self, contexts: &[ContextText]) -> String {
        if contexts.is_empty() {
            return String::new();
        }
        let mut snapshot = self.options.snapshot_heading.clone();
        for context in contexts {
            snapshot.extend(["\n\n", &context.text]);
        }
        snapshot
    }
}

/// Appends a part to a text, behind a blank line; nothing if the part is empty.
fn append(
    to: &mut String,
    part: &Part,
    kind: PartKind,
    variables: &Variables,
) -> Result<(), AssembleError> {
    let start = to.len();
    if start > 0 {
        to.push_str("\n\n");
    }
    let begin = to.len();
    interpolate(part, kind, variables, &mut |piece, _| to.push_str(piece))?;
    if to.len() == begin {
        to.truncate(start);
    }
    Ok(())
}

/// Gives the pieces of a part in order: runs of its text, and values with the names of their
/// variables.
pub(super) fn interpolate<'a>(
    part: &'a Part,
    kind: PartKind,
    variables: &'a Variables,
    push: &mut dyn FnMut(&'a str, Option<&'a str>),
) -> Result<(), AssembleError> {
    let text = part.text();
    if part.is_verbatim() || !text.contains('{') {
        push(text, None);
        return Ok(());
    }
    let mut rest = text;
    // Looked for once: every opening asks whether a closing is still to come.
    let last_close = text.rfind("}}");
    while let Some(open) = rest.find("{{") {
        let at = text.len() - rest.len() + open;
        let Some(written) = group(&rest[open..]) else {
            if last_close.is_some_and(|close| close > at) {
                let (name, excerpt) = (part.name().to_owned(), excerpt(&rest[open..]));
                return Err(AssembleError::MalformedReference { kind, name, excerpt });
            }
            push(&rest[..open + 2], None);
            rest = &rest[open + 2..];
            continue;
        };
        push(&rest[..open], None);
        push(value(written, part, kind, variables)?, Some(written));
        rest = &rest[open + written.len() + 4..];
    }
    push(rest, None);
    Ok(())
}

/// What stands between two braces and the next two, if no other brace does; the text begins with
/// the opening ones.
fn group(text: &str) -> Option<&str> {
    let inner = text.get(2..)?;
    let end = inner.find(['{', '}'])?;
    inner[end..].starts_with("}}").then_some(&inner[..end])
}

fn excerpt(text: &str) -> String {
    let mut units = 0;
    let fits = |letter: &char| {
        units += letter.len_utf16();
        units <= EXCERPT
    };
    text.chars().take_while(fits).collect()
}

fn value<'a>(
    written: &str,
    part: &Part,
    kind: PartKind,
    variables: &'a Variables,
) -> Result<&'a str, AssembleError> {
    let (name, variable) = (part.name().to_owned(), written.to_owned());
    if !is_variable_name(written) {
        return Err(AssembleError::MalformedName { kind, name, written: variable });
    }
    match variables.get(written) {
        Some(Some(value)) => Ok(value),
        Some(None) => Err(AssembleError::NoValue { kind, name, variable }),
        None => {
            let known = || variables.iter().map(|(name, _)| name);
            let near = near::nearest(written, known()).map(ToOwned::to_owned);
            let known = known().map(ToOwned::to_owned).collect();
            Err(AssembleError::UnknownVariable { kind, name, variable, known, near })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(text: &str) -> Result<String, String> {
        let mut assembly = Assembly::default();
        assembly.variables.insert("model", Some("m{{cwd}}".to_owned()));
        assembly.variables.insert("empty", Some(String::new()));
        assembly.variables.insert("cwd", None);
        assembly.sections.push(Part::new("N", text));
        assembly.render_prompt().map_err(|error| error.to_string())
    }

    #[test]
    fn references_are_put_in_once() {
        for (text, rendered) in [
            ("", ""),
            (" ", " "),
            ("a {{model}} b", "a m{{cwd}} b"),
            ("{{model}}{{model}}", "m{{cwd}}m{{cwd}}"),
            ("{{empty}}", ""),
            ("a }} b", "a }} b"),
            ("a {{ b", "a {{ b"),
            ("}} {{", "}} {{"),
            ("{{model}} {{", "m{{cwd}} {{"),
            ("{{{", "{{{"),
            ("{{{{", "{{{{"),
            ("{model}", "{model}"),
        ] {
            assert_eq!(render(text).as_deref(), Ok(rendered), "{text}");
        }
    }

    #[test]
    fn what_is_no_reference_is_told_to_the_letter() {
        let malformed = |excerpt: &str| {
            format!(
                "malformed prompt variable reference at \"{excerpt}…\" in section \"N\" \
                 (references are complete simple {{{{name}}}} groups)"
            )
        };
        let name = |written: &str| {
            format!(
                "malformed prompt variable reference \"{{{{{written}}}}}\" in section \"N\" \
                 (variable names match /^[a-z][a-z0-9_]*$/)"
            )
        };
        let unknown = |written: &str| {
            format!(
                "unknown prompt variable \"{{{{{written}}}}}\" in section \"N\"; registered \
                 variables: model, empty, cwd"
            )
        };
        for (text, message) in [
            ("{{{model}}}", malformed("{{{model}}}")),
            ("x {{a{b}} y {{model}}", malformed("{{a{b}} y {{mode")),
            ("{{a}b}}", malformed("{{a}b}}")),
            ("{{ {{model}}", malformed("{{ {{model}}")),
            ("{{{}}", malformed("{{{}}")),
            ("{{ 🎯🎯🎯🎯🎯🎯🎯}", "{{ 🎯🎯🎯🎯🎯🎯🎯}".to_owned()),
            ("{{ {🎯🎯🎯🎯🎯🎯🎯}}", malformed("{{ {🎯🎯🎯🎯🎯🎯")),
            ("{{ model }}", name(" model ")),
            ("{{Model}}", name("Model")),
            ("{{}}", name("")),
            ("{{a\nb}}", name("a\nb")),
            ("{{constructor}}", unknown("constructor")),
            ("{{modle}}", unknown("modle") + " (did you mean \"{{model}}\"?)"),
            (
                "{{cwd}}",
                "prompt variable \"{{cwd}}\" has no value for this assembly (section \"N\")"
                    .to_owned(),
            ),
        ] {
            assert_eq!(render(text).unwrap_or_else(|error| error), message, "{text}");
        }
        let nothing = Assembly { sections: vec![Part::new("N", "{{x}}")], ..Assembly::default() };
        let message = nothing.render_prompt().map_err(|error| error.to_string());
        assert!(message.is_err_and(|message| message.ends_with("registered variables: (none)")));
    }
}
