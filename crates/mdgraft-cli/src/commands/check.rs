//! `mdgraft check`: what is wrong with prompts, without values.

mod escape;
mod fix;
mod overlay;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mdgraft::CheckOptions;

use super::Status;
use crate::args::{LoadArgs, PromptArgs};
use crate::output::{self, Color};
use crate::problem::Problem;
use crate::project::{Entry, Project};
use crate::report::{self, Form};

/// Find what is wrong with prompts, without rendering them
///
/// A folder stands for all prompts in it that no other includes. Without PATH the entries of
/// mdgraft.toml are checked, and files that none of them reaches are told; without entries, the
/// folder that it names as the root, else the current one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Prompts and folders of prompts
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    load: LoadArgs,

    /// How findings are printed
    #[arg(
        long,
        value_name = "human|short|json|github",
        default_value = "human",
        hide_possible_values = true,
        hide_default_value = true
    )]
    format: Form,

    /// Warnings count as errors for the exit status
    #[arg(long)]
    deny_warnings: bool,

    /// Mend what can be mended mechanically, and print what is left
    #[arg(long)]
    fix: bool,

    /// With --fix: escape, in prompts of other tools, what would be read as syntax, and nothing else
    ///
    /// Each prompt then renders to the text that it holds. Do it once, when it is brought in:
    /// a second time it would print the escapes.
    #[arg(long, requires = "fix", requires = "paths")]
    escape: bool,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft check
  mdgraft check prompts/agent.md --deny-warnings
  mdgraft check prompts --format github
  mdgraft check --fix --escape prompts/brought-in.md";

pub(crate) fn run(args: &Args, color: Color) -> Result<Status, Problem> {
    let mut found = args.escape && !escape::escape(&args.paths, &args.load, color)?;
    for (project, entries) in projects(args)? {
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        // Of single prompts nothing can be said about the others.
        let orphans = args.paths.is_empty();
        let options = CheckOptions { load: project.load_options(&args.load), orphans };
        let diagnostics = if args.fix && !args.escape {
            fix::fix(&project, &entries, &options)?
        } else {
            project.engine()?.check(&entries, &options)
        };
        output::result(&report::findings(&diagnostics, &project, args.format, color))?;
        if args.format == Form::Human && diagnostics.is_empty() {
            output::notice("nothing to report");
        }
        found |= diagnostics.has_errors() || (args.deny_warnings && !diagnostics.is_empty());
    }
    Ok(Status::findings(found))
}

/// The entries of each root. No entries stand for all that no other includes.
fn projects(args: &Args) -> Result<Vec<(Project, Vec<String>)>, Problem> {
    if args.paths.is_empty() {
        let project = Project::of_folder(Path::new("."), &args.load)?;
        let entries = project.config.entries.clone();
        return Ok(vec![(project, entries)]);
    }
    let mut found: BTreeMap<PathBuf, (Project, Vec<String>)> = BTreeMap::new();
    for path in &args.paths {
        let (project, entry) = entry(path, args)?;
        let root = project.root.clone();
        found.entry(root).or_insert_with(|| (project, Vec::new())).1.push(entry);
    }
    Ok(found.into_values().collect())
}

/// A prompt by its path from the root; a folder ends with `/`.
fn entry(path: &Path, args: &Args) -> Result<(Project, String), Problem> {
    if path.is_dir() {
        let project = Project::of_folder(path, &args.load)?;
        let entry = project.path_in(path)? + "/";
        return Ok((project, entry));
    }
    let prompt = PromptArgs { file: path.to_owned(), load: args.load.clone() };
    match Project::of_file(&prompt)? {
        (project, Entry::File(entry)) => Ok((project, entry)),
        (_, Entry::Text(_)) => Err(Problem::new("standard input cannot be checked")
            .help("`mdgraft render -` tells what is wrong with it")),
    }
}
