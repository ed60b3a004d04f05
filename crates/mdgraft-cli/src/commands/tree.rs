//! `mdgraft tree`: the sections of a prompt.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::ValueEnum;
use mdgraft::{PromptTree, Section};
use serde_json::json;

use super::{Status, loaded};
use crate::args::LoadArgs;
use crate::output::{self, Color};
use crate::problem::{Problem, plain};
use crate::project::Project;

/// Show the sections of a prompt: level, path, size, place, and the conditions around them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The prompt, or `-` for one on standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    load: LoadArgs,

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
    let Some((project, tree)) = loaded(&args.file, &args.load, color)? else {
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
    let rows: Vec<[String; 5]> = tree.sections().map(|section| row(&section, project)).collect();
    columns(&rows)
}

fn row(section: &Section, project: &Project) -> [String; 5] {
    let file = &section.place.file;
    let folder = match project.folder.as_str() {
        "" => String::new(),
        _ if file.starts_with('@') => String::new(),
        folder => format!("{folder}/"),
    };
    [
        "#".repeat(section.level.into()),
        section.path.join("/"),
        format!("{} B", section.bytes),
        format!("{folder}{file}:{}", section.place.position().line),
        section.conditions.join(" and "),
    ]
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

fn document(tree: &PromptTree, project: &Project) -> String {
    let sections: Vec<serde_json::Value> = tree
        .sections()
        .map(|section| {
            let position = section.place.position();
            json!({
                "title": section.title,
                "path": section.path,
                "level": section.level,
                "depth": section.depth,
                "bytes": section.bytes,
                "conditions": section.conditions,
                "file": &*section.place.file,
                "line": position.line,
                "column": position.column,
            })
        })
        .collect();
    let document = json!({ "version": 1, "root": project.folder, "sections": sections });
    format!("{document}\n")
}
