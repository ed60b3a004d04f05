//! `mdgraft render`: a prompt to text, chat messages or JSON.

use std::path::PathBuf;

use clap::ValueEnum;
use mdgraft::{Diagnostics, Include, Origin, OriginKind, RenderOptions, Rendered, render_with};
use serde::Serialize;

use super::Status;
use crate::args::{Guard, RenderArgs};
use crate::config::Config;
use crate::output::{self, Color};
use crate::problem::Problem;
use crate::project::Project;
use crate::report::{self, Wire};
use crate::values;
use crate::wire::{WirePlace, line};

/// Render a prompt
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    render: RenderArgs,

    /// What to print: the text, the chat messages, or a JSON object with all there is
    #[arg(
        long,
        value_name = "text|messages|json",
        default_value = "text",
        hide_possible_values = true,
        hide_default_value = true
    )]
    format: Format,

    /// Print where each run of the output comes from, instead of the text; with JSON beside it
    #[arg(long)]
    origins: bool,

    /// Write to a file, at once, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft render agent.md -v user=Ada -v count:=3
  mdgraft render agent.md --vars values.yaml --exclude Rules/Examples
  mdgraft render agent.md --include Rules --ancestors -o out.md
  mdgraft render chat.md --format messages
  echo 'Hello {{who}}' | mdgraft render - -v who=world";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Messages,
    Json,
}

pub(crate) fn run(args: &Args, color: Color) -> Result<Status, Problem> {
    let json = args.format == Format::Json;
    let (project, result) = rendered(&args.render, args.origins)?;
    let (rendered, diagnostics) = match &result {
        Ok(rendered) => (Some(rendered), rendered.warnings()),
        Err(diagnostics) => (None, diagnostics),
    };
    let denied = args.render.deny_warnings && !diagnostics.is_empty();
    let rendered = rendered.filter(|_| !denied);
    if !json {
        report::notice(diagnostics, &project, color);
        report::notice_denied(denied && !diagnostics.has_errors());
    }
    let text = match (args.format, rendered) {
        (Format::Json, rendered) => Some(document(rendered, diagnostics, &project, args.origins)),
        (_, None) => None,
        (_, Some(rendered)) if args.origins => Some(mdgraft_pages::origin_lines(rendered)),
        (Format::Messages, Some(rendered)) => Some(line(&messages(rendered))),
        (Format::Text, Some(rendered)) => Some(rendered.text().to_owned()),
    };
    if let Some(text) = text {
        output::result_to(args.output.as_deref(), &text)?;
    }
    Ok(Status::findings(rendered.is_none()))
}

/// Loads and renders.
pub(super) fn rendered(
    args: &RenderArgs,
    origins: bool,
) -> Result<(Project, Result<Rendered, Diagnostics>), Problem> {
    let (project, entry) = Project::of_file(&args.prompt)?;
    let tree = match project.load(&entry, &args.prompt.load)? {
        Ok(tree) => tree,
        Err(diagnostics) => return Ok((project, Err(diagnostics))),
    };
    let vars = values::vars(&args.values, &project.config, &tree)?;
    let options = options(args, &project.config, origins);
    Ok((project, render_with(&tree, &vars, &options)))
}

/// What is rendered, and how.
pub(super) fn options(args: &RenderArgs, config: &Config, origins: bool) -> RenderOptions {
    let mut include = Include::default();
    for section in &args.include {
        include.push_path(section);
    }
    for section in &args.exclude {
        include.push_path(format!("!{section}"));
    }
    RenderOptions {
        include,
        ancestors: args.ancestors,
        tidy: args.tidy,
        guard: match args.guard.or(config.guard) {
            Some(Guard::Error) => mdgraft::Guard::Error,
            Some(Guard::Warn) | None => mdgraft::Guard::Warn,
        },
        origins,
    }
}

/// Everything that a program may want to know.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    /// None if there are errors, or denied warnings.
    text: Option<&'a str>,
    messages: Option<Vec<WireMessage<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origins: Option<Vec<WireOrigin<'a>>>,
    #[serde(flatten)]
    findings: Wire,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: &'static str,
    content: std::borrow::Cow<'a, str>,
}

/// A run of the text, in bytes, and where it comes from.
#[derive(Serialize)]
struct WireOrigin<'a> {
    start: usize,
    end: usize,
    kind: &'static str,
    variable: Option<&'a str>,
    #[serde(flatten)]
    place: WirePlace,
}

fn document(
    rendered: Option<&Rendered>,
    diagnostics: &Diagnostics,
    project: &Project,
    origins: bool,
) -> String {
    line(&Document {
        version: 1,
        text: rendered.map(Rendered::text),
        messages: rendered.map(messages),
        origins: rendered
            .filter(|_| origins)
            .map(|rendered| rendered.origins().iter().map(WireOrigin::from).collect()),
        findings: Wire::new(diagnostics, project),
    })
}

fn messages(rendered: &Rendered) -> Vec<WireMessage<'_>> {
    let wire = |message: mdgraft::Message| WireMessage {
        role: message.role.as_str(),
        content: message.content.into(),
    };
    rendered.messages().into_iter().map(wire).collect()
}

impl<'a> From<&'a Origin> for WireOrigin<'a> {
    fn from(origin: &'a Origin) -> Self {
        let (kind, variable) = match &origin.kind {
            OriginKind::Text => ("text", None),
            OriginKind::Variable(name) => ("variable", Some(&**name)),
            OriginKind::Glue => ("glue", None),
        };
        Self {
            start: origin.output.start,
            end: origin.output.end,
            kind,
            variable,
            place: WirePlace::from(&origin.place),
        }
    }
}
