//! What the engine does with a stage, as far as a page can expect it.

use std::fmt::Write as _;

use mdgraft::{CheckOptions, Diagnostics, Engine, Rendered, Vars, render_with};

use crate::origins::origin_lines;
use crate::stages::Stage;

/// All that came out of one stage.
pub(crate) struct Observed {
    /// The section tree; none if the entry could not be loaded.
    pub(crate) outline: Option<String>,
    /// The render; none if there were errors.
    pub(crate) rendered: Option<Rendered>,
    /// The render again, with origins.
    pub(crate) traced: Option<Rendered>,
    /// The errors and warnings of loading and rendering.
    pub(crate) diagnostics: Diagnostics,
    /// The errors and warnings of a check, if one was asked for.
    pub(crate) check: Diagnostics,
    /// How often the engine parsed and lowered.
    pub(crate) work: String,
}

/// Loads and renders a stage, and checks it where that is expected of it.
pub(crate) fn observe(engine: &Engine, stage: &Stage) -> Observed {
    let before = engine.stats();
    let observed = run(engine, stage);
    let after = engine.stats();
    let (parses, lowers) = (after.parses - before.parses, after.lowers - before.lowers);
    Observed { work: format!("parse {parses}\nlower {lowers}\n"), ..observed }
}

fn run(engine: &Engine, stage: &Stage) -> Observed {
    let config = &stage.config;
    let options = config.load_options();
    let check = if stage.expectations.iter().any(|expectation| expectation.check) {
        let options = CheckOptions { load: options.clone(), orphans: true };
        engine.check(&config.entries(), &options)
    } else {
        Diagnostics::default()
    };
    let tree = match engine.load_with(config.entry(), &options) {
        Ok(tree) => tree,
        Err(diagnostics) => return Observed::errors(diagnostics, check),
    };
    let mut outline = String::new();
    for section in tree.sections() {
        let _ = writeln!(outline, "{}{}", "  ".repeat(section.depth), section.title);
    }
    let vars: Vars = stage.vars.iter().map(|(name, value)| (&**name, value.clone())).collect();
    let mut options = config.render_options();
    let mut observed = match render_with(&tree, &vars, &options) {
        Ok(rendered) => Observed {
            outline: None,
            diagnostics: rendered.warnings().clone(),
            rendered: Some(rendered),
            traced: None,
            check,
            work: String::new(),
        },
        Err(diagnostics) => Observed::errors(diagnostics, check),
    };
    options.origins = true;
    observed.traced = render_with(&tree, &vars, &options).ok();
    observed.outline = Some(outline);
    observed
}

impl Observed {
    fn errors(diagnostics: Diagnostics, check: Diagnostics) -> Self {
        let work = String::new();
        Self { outline: None, rendered: None, traced: None, diagnostics, check, work }
    }

    /// Everything as one text, to compare two runs by.
    pub(crate) fn report(&self) -> String {
        let mut report = String::new();
        let mut part = |title: &str, text: &str| {
            let _ = write!(report, "[{title}]\n{text}");
        };
        part("diagnostics", &human(&self.diagnostics));
        part("check", &human(&self.check));
        part("outline", self.outline.as_deref().unwrap_or("none\n"));
        if let Some(rendered) = &self.rendered {
            part("output", rendered.text());
            part("messages", &messages(rendered));
        }
        if let Some(traced) = &self.traced {
            part("origins", &origin_lines(traced));
        }
        report
    }
}

/// The messages as JSON, a line each.
pub(crate) fn messages(rendered: &Rendered) -> String {
    let line = |message: &mdgraft::Message| {
        let content = serde_json::Value::from(message.content.as_str());
        format!(r#"  {{"role": "{}", "content": {content}}}"#, message.role.as_str())
    };
    let lines: Vec<String> = rendered.messages().iter().map(line).collect();
    match &lines[..] {
        [] => "[]\n".to_owned(),
        [one] => format!("[{}]\n", one.trim_start()),
        _ => format!("[\n{}\n]\n", lines.join(",\n")),
    }
}

/// Diagnostics for people, with a line end unless there are none.
pub(crate) fn human(diagnostics: &Diagnostics) -> String {
    ended(diagnostics.human().to_string())
}

/// Diagnostics a line each, with a line end unless there are none.
pub(crate) fn short(diagnostics: &Diagnostics) -> String {
    ended(diagnostics.to_string())
}

fn ended(mut text: String) -> String {
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
