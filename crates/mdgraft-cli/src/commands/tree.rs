//! `mdgraft tree`: the sections of a prompt.

use std::fmt::Write as _;

use clap::ValueEnum;
use mdgraft::{PromptTree, Section};
use serde::Serialize;

use super::{Status, loaded};
use crate::args::PromptArgs;
use crate::output::{self, Color};
use crate::problem::{Problem, plain};
use crate::project::Project;
use crate::wire::{WirePlace, line};

/// Show the sections of a prompt: level, path, size, place, the conditions around them, and what
/// of a base they replaced
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    prompt: PromptArgs,

    /// How it is printed
    #[arg(
        long,
        value_name = "human|json",
        default_value = "human",
        hide_possible_values = true,
        hide_default_value = true
    )]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft tree agent.md
  mdgraft tree agent.md --variant zh --format json

The paths are what `mdgraft render --include` takes.";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Human,
    Json,
}

pub(crate) fn run(args: &Args, color: Color) -> Result<Status, Problem> {
    let Some((project, tree)) = loaded(&args.prompt, color)? else {
        return Ok(Status::Findings);
    };
    let text = match args.format {
        Format::Human => table(&tree, &project),
        Format::Json => document(&tree, &project),
    };
    output::result(&text)?;
    Ok(Status::Fine)
}

/// A line for each section, its columns below each other.
fn table(tree: &PromptTree, project: &Project) -> String {
    let row = |section: Section| {
        let place = &section.place;
        [
            "#".repeat(section.level.into()),
            section.path.join("/"),
            format!("{} B", section.bytes),
            format!("{}:{}", project.shown(&place.file), place.position().line),
            section.conditions.join(" and "),
            section.replaces.map_or_else(String::new, |place| {
                format!("replaces {}:{}", project.shown(&place.file), place.position().line)
            }),
        ]
    };
    columns(&tree.sections().map(row).collect::<Vec<_>>())
}

/// Rows with columns of one width each, no blanks at their ends.
pub(super) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let rows: Vec<[String; N]> =
        rows.iter().map(|row| row.each_ref().map(|cell| plain(cell))).collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    /// The folder that the paths of files lead from.
    root: &'a str,
    sections: Vec<WireSection>,
}

#[derive(Serialize)]
struct WireSection {
    title: String,
    path: Vec<String>,
    level: u8,
    depth: usize,
    bytes: usize,
    conditions: Vec<String>,
    #[serde(flatten)]
    place: WirePlace,
    /// The heading of a base that it took the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<WirePlace>,
}

fn document(tree: &PromptTree, project: &Project) -> String {
    let wire = |section: Section| WireSection {
        place: WirePlace::from(&section.place),
        replaces: section.replaces.as_ref().map(WirePlace::from),
        title: section.title,
        path: section.path,
        level: section.level,
        depth: section.depth,
        bytes: section.bytes,
        conditions: section.conditions,
    };
    let sections = tree.sections().map(wire).collect();
    line(&Document { version: 1, root: &project.folder, sections })
}
