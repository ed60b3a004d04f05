//! `mdgraft vars`: the inputs of a prompt.

use std::path::PathBuf;

use clap::ValueEnum;
use mdgraft::{Input, InputType, Place, PromptTree, Value};
use serde_json::{Map, json};

use super::tree::columns;
use super::{Status, loaded};
use crate::args::LoadArgs;
use crate::output::{self, Color};
use crate::problem::Problem;
use crate::project::Project;

/// Show the inputs of a prompt: type, default, and where they are used
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The prompt, or `-` for one on standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    load: LoadArgs,

    /// How it is printed; `schema` is a JSON Schema (2020-12) of the values
    #[arg(
        long,
        value_name = "human|json|schema",
        default_value = "human",
        hide_possible_values = true,
        hide_default_value = true
    )]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft vars agent.md
  mdgraft vars agent.md --format schema > agent.schema.json";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Human,
    Json,
    Schema,
}

pub(crate) fn run(args: &Args, color: Color) -> Result<Status, Problem> {
    let Some((project, tree)) = loaded(&args.file, &args.load, color)? else {
        return Ok(Status::Findings);
    };
    let text = match args.format {
        Format::Human => table(&tree),
        Format::Json => document(&tree, &project),
        Format::Schema => schema(&tree),
    };
    output::result(&text)?;
    Ok(Status::Fine)
}

fn table(tree: &PromptTree) -> String {
    let row = |input: Input| {
        let value = match (&input.default, &input.choices) {
            (Some(default), _) => format!("= {}", default.to_json(None)),
            (None, _) => "required".to_owned(),
        };
        let choices: Vec<String> =
            input.choices.iter().flatten().map(|choice| choice.to_json(None)).collect();
        let uses: Vec<String> = input.uses.iter().map(place).collect();
        [
            input.name.to_string(),
            input.kind.as_str().to_owned(),
            value,
            choices.join(" | "),
            uses.join(", "),
            input.description.as_deref().unwrap_or_default().to_owned(),
        ]
    };
    columns(&tree.inputs().map(row).collect::<Vec<_>>())
}

fn place(place: &Place) -> String {
    format!("{}:{}", place.file, place.position())
}

fn document(tree: &PromptTree, project: &Project) -> String {
    let wire = |place: &Place| {
        let position = place.position();
        json!({ "file": &*place.file, "line": position.line, "column": position.column })
    };
    let input = |input: Input| {
        json!({
            "name": &*input.name,
            "type": input.kind.as_str(),
            "required": input.default.is_none(),
            "default": input.default.as_ref().map(json_value),
            "enum": input.choices.as_ref().map(|all| all.iter().map(json_value).collect::<Vec<_>>()),
            "description": input.description.as_deref(),
            "declared": wire(&input.place),
            "uses": input.uses.iter().map(wire).collect::<Vec<_>>(),
        })
    };
    let inputs: Vec<serde_json::Value> = tree.inputs().map(input).collect();
    format!("{}\n", json!({ "version": 1, "root": project.folder, "inputs": inputs }))
}

/// A schema of an object with the inputs as its properties. Other properties are allowed, as the
/// engine only warns of them.
fn schema(tree: &PromptTree) -> String {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for input in tree.inputs() {
        if input.default.is_none() {
            required.push(input.name.to_string());
        }
        properties.insert(input.name.to_string(), property(&input));
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": required,
    });
    format!("{schema:#}\n")
}

fn property(input: &Input) -> serde_json::Value {
    let mut property = Map::new();
    let kind = match input.kind {
        InputType::Any => None,
        InputType::List => Some("array"),
        InputType::Map => Some("object"),
        other => Some(other.as_str()),
    };
    if let Some(kind) = kind {
        property.insert("type".to_owned(), json!(kind));
    }
    if let Some(choices) = &input.choices {
        let choices: Vec<_> = choices.iter().map(json_value).collect();
        property.insert("enum".to_owned(), json!(choices));
    }
    if let Some(default) = &input.default {
        property.insert("default".to_owned(), json_value(default));
    }
    if let Some(description) = &input.description {
        property.insert("description".to_owned(), json!(&**description));
    }
    property.into()
}

pub(super) fn json_value(value: &Value) -> serde_json::Value {
    serde_json::from_str(&value.to_json(None)).unwrap_or_default()
}
