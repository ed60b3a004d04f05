//! What holds for every prompt.

use std::panic::{self, AssertUnwindSafe};

use mdgraft::{
    Diagnostics, Engine, Guard, Include, LoadOptions, MemoryLoader, OriginKind, PromptTree,
    RenderOptions, Rendered, Role, Vars, render_with,
};

use crate::expected;
use crate::oracle;
use crate::prompt::Prompt;

/// What is wrong: the name of the property, and what was seen.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Broken {
    pub(crate) property: &'static str,
    pub(crate) seen: String,
}

/// How far a prompt went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reached {
    Refused,
    Rendered,
}

type Outcome = Result<(), Broken>;

/// Tries all properties on a prompt.
pub(crate) fn check(prompt: &Prompt) -> Result<Reached, Broken> {
    quietly(|| all(prompt))?
}

/// The paths of the sections of a prompt; none where it does not load.
pub(crate) fn paths(prompt: &Prompt) -> Vec<String> {
    let paths = quietly(|| {
        let tree = load(prompt).ok()?;
        Some(tree.sections().map(|section| section.path.join("/")).collect())
    });
    paths.ok().flatten().unwrap_or_default()
}

/// Does something that should not panic.
fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, Broken> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(hook);
    outcome.map_err(|problem| {
        let text = problem.downcast_ref::<String>().cloned();
        let text = text.or_else(|| problem.downcast_ref::<&str>().map(|&text| text.to_owned()));
        Broken { property: "nothing panics", seen: text.unwrap_or_default() }
    })
}

fn broken(property: &'static str, seen: impl Into<String>) -> Outcome {
    Err(Broken { property, seen: seen.into() })
}

/// A prompt that was loaded.
struct Case<'p> {
    prompt: &'p Prompt,
    tree: PromptTree,
    vars: Vars,
    options: RenderOptions,
}

fn all(prompt: &Prompt) -> Result<Reached, Broken> {
    let Ok(tree) = load(prompt) else { return Ok(Reached::Refused) };
    let options = RenderOptions {
        include: Include::from(&prompt.include),
        ancestors: prompt.ancestors,
        ..RenderOptions::default()
    };
    let case = Case { prompt, tree, vars: prompt.vars(), options };
    let options = RenderOptions { origins: true, ..case.options.clone() };
    let Ok(rendered) = case.render(&options) else { return Ok(Reached::Refused) };
    case.ends(&rendered)?;
    case.twice(&rendered)?;
    case.origins(&rendered)?;
    case.sections(&rendered)?;
    case.messages(&rendered)?;
    case.outline(&rendered)?;
    case.guard(&rendered)?;
    case.faithful(&rendered)?;
    case.again(&rendered)?;
    case.tidy()?;
    Ok(Reached::Rendered)
}

fn load(prompt: &Prompt) -> Result<PromptTree, Diagnostics> {
    load_files(&prompt.files, prompt.strip_comments)
}

fn load_files(files: &[(String, String)], strip_comments: bool) -> Result<PromptTree, Diagnostics> {
    let loader = MemoryLoader::new(files.iter().map(|(path, text)| (path, text.as_bytes())));
    let options = LoadOptions { strip_comments, ..LoadOptions::default() };
    Engine::new(loader).load_with("main.md", &options)
}

impl Case<'_> {
    fn render(&self, options: &RenderOptions) -> Result<Rendered, Diagnostics> {
        render_with(&self.tree, &self.vars, options)
    }

    /// The output starts with no blank line and ends with one line end.
    fn ends(&self, rendered: &Rendered) -> Outcome {
        if oracle::ends_rule(rendered.text()) == rendered.text() {
            return Ok(());
        }
        broken("the output has proper ends", rendered.text())
    }

    /// The same arguments give the same bytes, also with a fresh engine and without origins.
    fn twice(&self, rendered: &Rendered) -> Outcome {
        let fresh =
            load(self.prompt).and_then(|tree| render_with(&tree, &self.vars, &self.options));
        match fresh {
            Ok(again) if again.text() == rendered.text() => Ok(()),
            Ok(again) => broken(
                "rendering twice is equal",
                format!("{}\n--- and ---\n{}", rendered.text(), again.text()),
            ),
            Err(diagnostics) => broken("rendering twice is equal", diagnostics.to_string()),
        }
    }

    /// Every byte has an origin, and text of files is that of the files.
    fn origins(&self, rendered: &Rendered) -> Outcome {
        let property = "every byte has an origin";
        let mut at = 0;
        for origin in rendered.origins() {
            let range = origin.output.clone();
            if range.start != at || range.is_empty() {
                return broken(property, format!("{at} then {range:?} of {:?}", rendered.text()));
            }
            at = range.end;
            let Some(printed) = rendered.text().get(range.clone()) else {
                return broken(property, format!("{range:?} cuts {:?}", rendered.text()));
            };
            let written = origin.place.source.text().get(origin.place.span.range());
            if written.is_none() || origin.kind == OriginKind::Text && written != Some(printed) {
                return broken(property, format!("{printed:?} comes from {written:?}"));
            }
        }
        if at == rendered.text().len() {
            return Ok(());
        }
        broken(property, format!("nothing from {at} on in {:?}", rendered.text()))
    }

    /// The text split by section is the text.
    fn sections(&self, rendered: &Rendered) -> Outcome {
        let mut at = 0;
        for section in rendered.sections() {
            let range = section.output.clone();
            if range.start != at || rendered.text().get(range.clone()).is_none() {
                return broken(
                    "the text is split by section",
                    format!("{:?}", rendered.sections()),
                );
            }
            at = range.end;
        }
        if at == rendered.text().len() {
            return Ok(());
        }
        broken("the text is split by section", format!("{:?}", rendered.sections()))
    }

    /// What is said comes from the text, in its order.
    fn messages(&self, rendered: &Rendered) -> Outcome {
        let mut rest = rendered.text();
        let messages = rendered.messages();
        for message in &messages {
            let Some(at) = rest.find(&*message.content) else {
                return broken("messages come from the text", format!("{messages:?}"));
            };
            rest = &rest[at + message.content.len()..];
        }
        let plain = !self.prompt.holds(&["role:"]);
        let one = messages.iter().all(|message| message.role == Role::System)
            && messages.len() <= 1
            && rest.trim().is_empty();
        if plain && !one {
            return broken("messages come from the text", format!("{messages:?}"));
        }
        Ok(())
    }

    /// The outline of the output is that of the selected tree.
    fn outline(&self, rendered: &Rendered) -> Outcome {
        if changes(rendered) || self.prompt.holds(&["| raw"]) {
            return Ok(());
        }
        let property = "the outline is that of the selected tree";
        let found = oracle::outline(rendered.text());
        let printed: Vec<_> = rendered
            .sections()
            .iter()
            .filter(|section| section.level > 0)
            .map(|section| (section.level, section.path.last().cloned().unwrap_or_default()))
            .collect();
        let fixed = expected::fixed_titles(&self.tree);
        let same = found.len() == printed.len()
            && found.iter().zip(&printed).all(|(found, printed)| {
                found.0 == printed.0 && (found.1 == printed.1 || !fixed.contains(&printed.1))
            });
        if !same {
            let text = rendered.text();
            return broken(property, format!("{found:?} and not {printed:?} in\n{text}"));
        }
        let Some(expected) = expected::outline(&self.tree, self.prompt) else { return Ok(()) };
        if expected == printed {
            return Ok(());
        }
        broken(property, format!("{printed:?} are printed and not {expected:?}"))
    }

    /// With the guard no value changes the outline; without it every change is warned of.
    fn guard(&self, rendered: &Rendered) -> Outcome {
        let property = "the guard stops what is warned of";
        let options = RenderOptions { guard: Guard::Error, ..self.options.clone() };
        match self.render(&options) {
            Ok(guarded) if changes(rendered) => broken(property, guarded.text()),
            Ok(guarded) if guarded.text() != rendered.text() => broken(property, guarded.text()),
            Err(diagnostics) if !changes(rendered) => broken(property, diagnostics.to_string()),
            _ => Ok(()),
        }
    }

    /// A file without syntax comes out as it is.
    fn faithful(&self, rendered: &Rendered) -> Outcome {
        let [(_, text)] = &self.prompt.files[..] else { return Ok(()) };
        if !is_plain(text) || !self.prompt.include.is_empty() {
            return Ok(());
        }
        let text = oracle::normalised(text);
        let body = oracle::ends_rule(&text[oracle::front_matter(&text).len()..]);
        if rendered.text() == body {
            return Ok(());
        }
        broken("plain text comes out as it is", rendered.text())
    }

    /// What was rendered is rendered to itself.
    fn again(&self, rendered: &Rendered) -> Outcome {
        let text = rendered.text();
        if !is_plain(text) || text.starts_with("---") || text.starts_with("+++") {
            return Ok(());
        }
        match self.rendered(text, &RenderOptions::default()) {
            Ok(again) if again == text => Ok(()),
            Ok(again) => broken("an output is rendered to itself", format!("{text}\n---\n{again}")),
            Err(problem) => broken("an output is rendered to itself", problem.to_string()),
        }
    }

    /// The canonical form is that of itself, and has the same outline.
    fn tidy(&self) -> Outcome {
        let tidy = RenderOptions { tidy: true, ..self.options.clone() };
        let Ok(rendered) = self.render(&tidy) else {
            return broken("the canonical form can be made", "an error");
        };
        self.ends(&rendered)?;
        self.outline(&rendered)?;
        let text = rendered.text();
        if changes(&rendered)
            || !is_plain(text)
            || text.starts_with("---")
            || text.starts_with("+++")
        {
            return Ok(());
        }
        let options = RenderOptions { tidy: true, ..RenderOptions::default() };
        match self.rendered(text, &options) {
            Ok(again) if again == text => Ok(()),
            Ok(again) => {
                broken("the canonical form is its own", format!("{text}\n--- then ---\n{again}"))
            }
            Err(problem) => broken("the canonical form is its own", problem.to_string()),
        }
    }

    fn rendered(&self, text: &str, options: &RenderOptions) -> Result<String, Diagnostics> {
        let tree = load_files(&[("main.md".to_owned(), text.to_owned())], false)?;
        render_with(&tree, &Vars::new(), options).map(Rendered::into_text)
    }
}

fn changes(rendered: &Rendered) -> bool {
    rendered.warnings().iter().any(|warning| warning.code.as_str() == "value-changes-outline")
}

/// Whether a text has no sign that may begin syntax of the language.
fn is_plain(text: &str) -> bool {
    !["{{", "{\\{", "<<>", "<!--", "hidden", "example", "tools"]
        .iter()
        .any(|sign| text.contains(sign))
}
