//! `mdgraft graph`: who includes or extends whom.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use mdgraft::{FileGraph, GraphWay};
use serde::Serialize;

use super::Status;
use crate::args::{LoadArgs, PromptArgs};
use crate::output;
use crate::problem::{Problem, plain};
use crate::project::{Entry, Project};
use crate::wire::{WirePlace, line};

/// Show which files include or extend which
///
/// Without PATH all prompts of the root are shown, with a folder those in it, with a file what it
/// reaches. What is wrong with them is told by `mdgraft check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A prompt, or a folder of prompts
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,

    #[command(flatten)]
    load: LoadArgs,

    /// Show what an edit of this file would touch: itself, and all that leads to it
    #[arg(long, value_name = "FILE")]
    reverse: Option<PathBuf>,

    /// How it is printed
    #[arg(
        long,
        value_name = "text|dot|mermaid|json",
        default_value = "text",
        hide_possible_values = true,
        hide_default_value = true
    )]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft graph prompts
  mdgraft graph agent.md --format dot | dot -Tsvg > agent.svg
  mdgraft graph --reverse parts/rules.md";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Dot,
    Mermaid,
    Json,
}

pub(crate) fn run(args: &Args) -> Result<Status, Problem> {
    let (project, entries) = entries(args)?;
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let graph = project.engine()?.graph(&entries, &project.load_options(&args.load));
    let graph = Shown { graph, project: &project };
    let text = match &args.reverse {
        Some(file) => reverse(&graph, &project.path_in(file)?, args.format)?,
        None => match args.format {
            Format::Text => graph.text(),
            Format::Dot => graph.dot(),
            Format::Mermaid => graph.mermaid(),
            Format::Json => graph.json(),
        },
    };
    output::result(&text)?;
    Ok(Status::Fine)
}

fn entries(args: &Args) -> Result<(Project, Vec<String>), Problem> {
    match args.path.as_deref() {
        None => Ok((Project::of_folder(Path::new("."), &args.load)?, Vec::new())),
        Some(path) if path.is_dir() => {
            let project = Project::of_folder(path, &args.load)?;
            let entry = project.path_in(path)? + "/";
            Ok((project, vec![entry]))
        }
        Some(path) => {
            let prompt = PromptArgs { file: path.to_owned(), load: args.load.clone() };
            match Project::of_file(&prompt)? {
                (project, Entry::File(entry)) => Ok((project, vec![entry])),
                (_, Entry::Text(_)) => Err(Problem::new("standard input has no graph")),
            }
        }
    }
}

/// What an edit of a file would touch.
fn reverse(graph: &Shown<'_>, path: &str, format: Format) -> Result<String, Problem> {
    let touched = graph.graph.touched_by(path);
    if touched.is_empty() {
        let message = format!("`{}` is no file of the graph", plain(&graph.project.shown(path)));
        return Err(Problem::new(message).help("is it a prompt, or included by one?"));
    }
    let paths: Vec<String> = touched.iter().map(|&file| graph.path(file)).collect();
    match format {
        Format::Text => Ok(paths.iter().map(|path| plain(path) + "\n").collect()),
        Format::Json => Ok(line(&Touched { version: 1, touched: paths })),
        Format::Dot | Format::Mermaid => {
            Err(Problem::new("`--reverse` is printed as `text` or `json`"))
        }
    }
}

#[derive(Serialize)]
struct Touched {
    version: u32,
    touched: Vec<String>,
}

struct Shown<'g> {
    graph: FileGraph,
    project: &'g Project,
}

#[derive(Serialize)]
struct Document {
    version: u32,
    files: Vec<File>,
    ways: Vec<Way>,
}

#[derive(Serialize)]
struct File {
    path: String,
    bytes: usize,
    /// Nothing includes or extends it.
    orphan: bool,
}

#[derive(Serialize)]
struct Way {
    from: String,
    to: String,
    kind: &'static str,
    circle: bool,
    #[serde(flatten)]
    place: WirePlace,
}

impl Shown<'_> {
    fn path(&self, file: usize) -> String {
        self.project.shown(&self.graph.files[file].path)
    }

    /// A line for each file, and below it one for each that it leads to.
    fn text(&self) -> String {
        let mut text = String::new();
        let orphans = self.orphans();
        for (number, file) in self.graph.files.iter().enumerate() {
            let orphan = if orphans[number] { ", nothing leads here" } else { "" };
            let _ = writeln!(text, "{}: {} bytes{orphan}", plain(&self.path(number)), file.bytes);
            for way in self.ways_of(number) {
                let circle = if way.in_circle { ", in a circle" } else { "" };
                let (to, at) = (plain(&self.path(way.to)), way.place.position().line);
                let _ = writeln!(text, "  {} {to} on line {at}{circle}", verb(way));
            }
        }
        text
    }

    fn dot(&self) -> String {
        let mut text = "digraph prompts {\n".to_owned();
        let quoted = |text: &str| format!("{:?}", plain(text));
        for (number, file) in self.graph.files.iter().enumerate() {
            let label = quoted(&format!("{} ({} bytes)", self.path(number), file.bytes));
            let _ = writeln!(text, "  {} [label={label}];", quoted(&self.path(number)));
        }
        for way in &self.graph.ways {
            let style = match (way.extends, way.in_circle) {
                (false, false) => "",
                (true, false) => " [style=dashed, label=extends]",
                (false, true) => " [color=red, label=circle]",
                (true, true) => " [style=dashed, color=red, label=circle]",
            };
            let (from, to) = (quoted(&self.path(way.from)), quoted(&self.path(way.to)));
            let _ = writeln!(text, "  {from} -> {to}{style};");
        }
        text + "}\n"
    }

    fn mermaid(&self) -> String {
        let mut text = "flowchart TD\n".to_owned();
        for (number, file) in self.graph.files.iter().enumerate() {
            let label = plain(&self.path(number)).replace('"', "#quot;");
            let _ = writeln!(text, "  f{number}[\"{label} ({} bytes)\"]", file.bytes);
        }
        for way in &self.graph.ways {
            let arrow = match (way.extends, way.in_circle) {
                (false, false) => "-->",
                (true, false) => "-. extends .->",
                (false, true) => "-- circle -->",
                (true, true) => "-. circle .->",
            };
            let _ = writeln!(text, "  f{} {arrow} f{}", way.from, way.to);
        }
        text
    }

    fn json(&self) -> String {
        let orphans = self.orphans();
        let file = |(number, file): (usize, &mdgraft::GraphFile)| File {
            path: self.path(number),
            bytes: file.bytes,
            orphan: orphans[number],
        };
        let way = |way: &GraphWay| Way {
            from: self.path(way.from),
            to: self.path(way.to),
            kind: verb(way),
            circle: way.in_circle,
            place: WirePlace::from(&way.place),
        };
        line(&Document {
            version: 1,
            files: self.graph.files.iter().enumerate().map(file).collect(),
            ways: self.graph.ways.iter().map(way).collect(),
        })
    }

    /// The ways out of a file: they stand in the order of the files.
    fn ways_of(&self, file: usize) -> &[GraphWay] {
        let ways = &self.graph.ways;
        let behind = |last: usize| ways.partition_point(|way| way.from < last);
        &ways[behind(file)..behind(file + 1)]
    }

    fn orphans(&self) -> Vec<bool> {
        let mut orphans = vec![false; self.graph.files.len()];
        self.graph.orphans().into_iter().for_each(|file| orphans[file] = true);
        orphans
    }
}

fn verb(way: &GraphWay) -> &'static str {
    if way.extends { "extends" } else { "includes" }
}
