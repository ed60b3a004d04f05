//! `mdgraft vars`: the inputs of a prompt.

use std::collections::BTreeMap;

use clap::ValueEnum;
use mdgraft::{Input, InputType, Place, PromptTree, Value};
use serde::Serialize;

use super::tree::columns;
use super::{Status, loaded};
use crate::args::PromptArgs;
use crate::output::{self, Color};
use crate::problem::Problem;
use crate::project::Project;
use crate::wire::{WirePlace, json, line};

/// Show the inputs of a prompt: type, default, and where they are used
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    prompt: PromptArgs,

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
    let Some((project, tree)) = loaded(&args.prompt, color)? else {
        return Ok(Status::Findings);
    };
    let text = match args.format {
        Format::Human => table(&tree, &project),
        Format::Json => document(&tree, &project),
        Format::Schema => schema(&tree),
    };
    output::result(&text)?;
    Ok(Status::Fine)
}

fn table(tree: &PromptTree, project: &Project) -> String {
    let texts = |values: &[Value]| values.iter().map(|value| value.to_json(None)).collect();
    let row = |input: Input| {
        let choices: Option<Vec<String>> = input.choices.as_deref().map(texts);
        let place = |place: &Place| format!("{}:{}", project.shown(&place.file), place.position());
        [
            input.name.to_string(),
            choices.map_or_else(|| input.kind.as_str().to_owned(), |all| all.join(" | ")),
            match &input.default {
                Some(default) => format!("= {}", default.to_json(None)),
                None => "required".to_owned(),
            },
            input.uses.iter().map(place).collect::<Vec<_>>().join(", "),
            input.description.as_deref().unwrap_or_default().to_owned(),
        ]
    };
    columns(&tree.inputs().map(row).collect::<Vec<_>>())
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    /// The folder that the paths of files lead from.
    root: &'a str,
    inputs: Vec<WireInput>,
}

#[derive(Serialize)]
struct WireInput {
    name: String,
    r#type: &'static str,
    required: bool,
    default: Option<serde_json::Value>,
    r#enum: Option<Vec<serde_json::Value>>,
    description: Option<String>,
    declared: WirePlace,
    uses: Vec<WirePlace>,
}

fn document(tree: &PromptTree, project: &Project) -> String {
    let wire = |input: Input| WireInput {
        name: input.name.to_string(),
        r#type: input.kind.as_str(),
        required: input.default.is_none(),
        default: input.default.as_ref().map(json),
        r#enum: input.choices.as_ref().map(|all| all.iter().map(json).collect()),
        description: input.description.as_deref().map(str::to_owned),
        declared: WirePlace::from(&input.place),
        uses: input.uses.iter().map(WirePlace::from).collect(),
    };
    let inputs = tree.inputs().map(wire).collect();
    line(&Document { version: 1, root: &project.folder, inputs })
}

/// A schema of an object with the inputs as its properties. Other properties are allowed, as the
/// engine only warns of them.
#[derive(Serialize)]
struct Schema {
    #[serde(rename = "$schema")]
    dialect: &'static str,
    r#type: &'static str,
    properties: BTreeMap<String, Property>,
    required: Vec<String>,
}

#[derive(Serialize)]
struct Property {
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// None for an input of any type.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#enum: Option<Vec<serde_json::Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<serde_json::Value>,
}

fn schema(tree: &PromptTree) -> String {
    let required = tree.inputs().filter(|input| input.default.is_none());
    let schema = Schema {
        dialect: "https://json-schema.org/draft/2020-12/schema",
        r#type: "object",
        required: required.map(|input| input.name.to_string()).collect(),
        properties: tree.inputs().map(|input| (input.name.to_string(), property(&input))).collect(),
    };
    // Texts and numbers always serialise.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

fn property(input: &Input) -> Property {
    Property {
        description: input.description.as_deref().map(str::to_owned),
        r#type: match input.kind {
            InputType::Any => None,
            InputType::List => Some("array"),
            InputType::Map => Some("object"),
            other => Some(other.as_str()),
        },
        r#enum: input.choices.as_ref().map(|all| all.iter().map(json).collect()),
        default: input.default.as_ref().map(json),
    }
}
