//! `mdgraft assemble`: the prompt that an assembly file declares.

use std::path::PathBuf;

use clap::ValueEnum;
use mdgraft::Diagnostics;
use mdgraft::assemble::{
    Assembly, Declared, Given, PartOrigin, Registered, Source, diff, stable_prefix,
};
use serde::Serialize;
use serde_json::Value;

use super::Status;
use super::tree::columns;
use crate::args::{LoadArgs, PromptArgs};
use crate::near::nearest;
use crate::output::{self, Color};
use crate::problem::{Problem, plain};
use crate::project::{Entry, Project};
use crate::report::{self, Wire};
use crate::wire::line;

/// Put a prompt together from sections, contexts, variables, tools and scopes
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The assembly file
    #[arg(value_name = "FILE", default_value = "assembly.toml")]
    file: PathBuf,

    /// What this scope sees; else the global layer
    #[arg(long, value_name = "NAME")]
    scope: Option<String>,

    /// A value for variables that take one by name (`{ arg = "NAME" }`)
    #[arg(short = 'v', long = "var", value_name = "NAME=TEXT")]
    var: Vec<String>,

    /// What to print: the prompt, the snapshot of the contexts, both as chat messages, a JSON
    /// object with all there is, or where each part comes from
    #[arg(
        long,
        value_name = "prompt|contexts|messages|json|origins",
        default_value = "prompt",
        hide_possible_values = true,
        hide_default_value = true
    )]
    format: Format,

    /// Print what differs in this scope instead; an empty name is the global layer
    #[arg(long, value_name = "OTHER_SCOPE")]
    diff: Option<String>,

    /// The folder that paths may not leave; else the `root` of mdgraft.toml, else the folder of
    /// that file, else the folder of FILE
    #[arg(long, value_name = "FOLDER", env = "MDGRAFT_ROOT", hide_env_values = true)]
    root: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft assemble
  mdgraft assemble agents/assembly.toml --scope reviewer -v user=Ada
  mdgraft assemble --format messages
  mdgraft assemble --scope reviewer --diff ''";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Prompt,
    Contexts,
    Messages,
    Json,
    Origins,
}

pub(crate) fn run(args: &Args, color: Color) -> Result<Status, Problem> {
    let load = LoadArgs { root: args.root.clone(), variant: None, comments: None };
    let (project, entry) = Project::of_file(&PromptArgs { file: args.file.clone(), load })?;
    let Entry::File(path) = entry else {
        return Err(Problem::new("an assembly file is not read from standard input"));
    };
    let result = match Declared::load(&project.engine()?, &path) {
        Ok(declared) => {
            let given = given(&declared, &args.var)?;
            for scope in [&args.scope, &args.diff].into_iter().flatten() {
                must_be_declared(&declared, scope)?;
            }
            printed(args, &project, &declared, &given)
        }
        Err(diagnostics) => Err(diagnostics),
    };
    let (text, diagnostics) = match result {
        Ok((text, warnings)) => (Some(text), warnings),
        Err(diagnostics) if args.format == Format::Json && args.diff.is_none() => {
            let findings = Wire::new(&diagnostics, &project);
            output::result(&line(&Document { version: 1, content: None, findings }))?;
            return Ok(Status::Findings);
        }
        Err(diagnostics) => (None, diagnostics),
    };
    if args.format != Format::Json || args.diff.is_some() {
        report::notice(&diagnostics, &project, color);
    }
    if let Some(text) = &text {
        output::result(text)?;
    }
    Ok(Status::findings(text.is_none()))
}

/// What is asked for, and what prompts warned of.
fn printed(
    args: &Args,
    project: &Project,
    declared: &Declared,
    given: &Given,
) -> Result<(String, Diagnostics), Diagnostics> {
    let scope = named(args.scope.as_deref());
    let assembly = declared.assemble(scope, given)?;
    let told = |error| declared.diagnostics(scope, &error);
    let warnings = assembly.warnings().clone();
    if let Some(other) = &args.diff {
        let other_scope = named(Some(other));
        let other = declared.assemble(other_scope, given)?;
        // Each is rendered first, so that an error is told in its own scope.
        assembly.render_prompt().map_err(told)?;
        let prefix = stable_prefix(&assembly, &other)
            .map_err(|error| declared.diagnostics(other_scope, &error))?;
        let diff = diff(&assembly, &other);
        let text = if args.format == Format::Json {
            let json = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
            let changes = json(&diff.to_json())["changes"].take();
            let mut prefix = json(&prefix.to_json());
            if let Some(prefix) = prefix.as_object_mut() {
                prefix.remove("version");
            }
            line(&WireDiff { version: 1, changes, prefix })
        } else {
            let spoiler =
                prefix.spoiler.map(|spoiler| format!("{}\n", plain(&spoiler.to_string())));
            format!(
                "{diff}{} of {} bytes are the same from the beginning\n{}",
                prefix.bytes,
                prefix.total,
                spoiler.unwrap_or_default()
            )
        };
        return Ok((text, warnings));
    }
    let text = match args.format {
        Format::Prompt => ended(assembly.render_prompt().map_err(told)?),
        Format::Contexts => ended(assembly.render_context_snapshot().map_err(told)?),
        Format::Messages => line(&messages(&assembly).map_err(told)?),
        Format::Origins => origins(&assembly, project),
        Format::Json => {
            let content = Some(content(&assembly).map_err(told)?);
            let findings = Wire::new(&warnings, project);
            line(&Document { version: 1, content, findings })
        }
    };
    Ok((text, warnings))
}

/// A scope by its name; an empty name is the global layer.
fn named(scope: Option<&str>) -> Option<&str> {
    scope.filter(|name| !name.is_empty())
}

/// A scope that is not there is a mistake in the call.
fn must_be_declared(declared: &Declared, scope: &str) -> Result<(), Problem> {
    if scope.is_empty() || declared.scope(scope).is_some() {
        return Ok(());
    }
    let problem = Problem::new(format!("there is no scope `{}`", plain(scope)));
    Err(match nearest(scope, declared.scopes()) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help(format!("declare it as `[scopes.{}]`", plain(scope))),
    })
}

/// A text with one line end at its end; nothing stays nothing.
fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The values that the file asks for: from `-v`, and from the environment.
fn given(declared: &Declared, vars: &[String]) -> Result<Given, Problem> {
    let mut given = Given::default();
    for var in vars {
        let Some((name, text)) = var.split_once('=') else {
            let problem = Problem::new(format!("`{}` gives no value", plain(var)));
            return Err(problem.help("write `-v name=text`"));
        };
        if !declared.arguments().any(|known| known == name) {
            let problem = Problem::new(format!("no variable takes `{}`", plain(name)));
            return Err(match nearest(name, declared.arguments()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.help(format!("declare one: `{{ arg = \"{}\" }}`", plain(name))),
            });
        }
        given.arguments.insert(name.to_owned(), text.to_owned());
    }
    for name in declared.environment() {
        match std::env::var(name) {
            Ok(text) => {
                given.environment.insert(name.to_owned(), text);
            }
            Err(std::env::VarError::NotPresent) => {}
            Err(std::env::VarError::NotUnicode(_)) => {
                return Err(Problem::new(format!("the variable `{name}` is no UTF-8")));
            }
        }
    }
    Ok(given)
}

#[derive(Serialize)]
struct Document {
    version: u32,
    #[serde(flatten)]
    content: Option<Content>,
    #[serde(flatten)]
    findings: Wire,
}

/// Everything that a program may want to know of an assembly.
#[derive(Serialize)]
struct Content {
    prompt: String,
    /// The snapshot of the contexts.
    context: String,
    messages: Vec<WireMessage>,
    sections: Value,
    contexts: Value,
    tools: Value,
    variables: Value,
    origins: Value,
    sizes: Value,
}

#[derive(Serialize)]
struct WireMessage {
    role: &'static str,
    content: String,
}

#[derive(Serialize)]
struct WireDiff {
    version: u32,
    changes: Value,
    prefix: Value,
}

fn content(assembly: &Assembly) -> Result<Content, mdgraft::assemble::AssembleError> {
    let document = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut parts = document(&assembly.to_json());
    Ok(Content {
        prompt: assembly.render_prompt()?,
        context: assembly.render_context_snapshot()?,
        messages: messages(assembly)?,
        sections: parts["sections"].take(),
        contexts: parts["contexts"].take(),
        tools: parts["tools"].take(),
        variables: parts["variables"].take(),
        origins: document(&assembly.origins_json())["origins"].take(),
        sizes: document(&assembly.sizes_json()?)["sizes"].take(),
    })
}

/// The prompt as what the system says, and the contexts as what the user says.
fn messages(assembly: &Assembly) -> Result<Vec<WireMessage>, mdgraft::assemble::AssembleError> {
    let system = WireMessage { role: "system", content: assembly.render_prompt()? };
    let user = WireMessage { role: "user", content: assembly.render_context_snapshot()? };
    Ok([system, user].into_iter().filter(|message| !message.content.is_empty()).collect())
}

fn origins(assembly: &Assembly, project: &Project) -> String {
    let registered = |one: &Registered| {
        let layer = one.layer.as_deref().unwrap_or("(global)");
        let source = match &one.source {
            Source::Declared(place) => {
                format!("{}:{}", project.shown(&place.file), place.position())
            }
            source @ Source::Code(_) => source.to_string(),
        };
        (plain(layer), source)
    };
    let row = |origin: PartOrigin| {
        let (layer, source) = origin.registered.as_ref().map(registered).unwrap_or_default();
        let file = origin.registered.as_ref().and_then(|one| one.file.as_deref());
        let shadowed = origin.shadowed.iter().map(|one| {
            let (layer, source) = registered(one);
            format!("over {layer} {source}")
        });
        [
            origin.kind.to_string(),
            plain(&origin.name),
            layer,
            source,
            file.map(|file| project.shown(file)).unwrap_or_default(),
            shadowed.collect::<Vec<_>>().join(", "),
        ]
    };
    columns(&assembly.origins().into_iter().map(row).collect::<Vec<_>>())
}
