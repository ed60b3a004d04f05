//! `mdgraft context`: metadata as a folder of Markdown files, and the tools that read it.

mod build;
mod read;

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use mdgraft_context::{ContextError, ContextFolder};

use super::Status;
use crate::output;
use crate::problem::Problem;

/// Keep metadata of databases as a folder of Markdown files, and read it as a model does
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft context init context
  mdgraft context sync --folder context
  mdgraft context search 'table=*order*/columns.md' --folder context
  mdgraft context grep -i customer --glob '*.md'

Paths begin at the context folder: `/databases` is the folder `databases` in it.";

#[derive(Debug, Subcommand)]
enum Command {
    Init(build::InitArgs),
    Sync(build::SyncArgs),
    Refresh(build::RefreshArgs),
    Ls(read::LsArgs),
    Search(read::SearchArgs),
    Grep(read::GrepArgs),
    Read(read::ReadArgs),
    Objects(read::ObjectsArgs),
    Columns(read::ColumnsArgs),
    Prompt(read::PromptArgs),
    Tools(read::ToolsArgs),
}

/// Which context folder.
#[derive(Clone, Debug, clap::Args)]
struct FolderArgs {
    /// The context folder
    #[arg(
        long = "folder",
        value_name = "FOLDER",
        default_value = ".",
        hide_default_value = true,
        env = "MDGRAFT_CONTEXT",
        hide_env_values = true
    )]
    folder: PathBuf,
}

impl FolderArgs {
    fn open(&self) -> Result<ContextFolder, Problem> {
        ContextFolder::open(&self.folder).map_err(problem)
    }
}

/// How a result is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// As a model is given it
    Text,
    Json,
}

#[derive(Clone, Debug, clap::Args)]
struct FormatArgs {
    /// How it is printed: as a model is given it, or for programs
    #[arg(
        long,
        value_name = "text|json",
        default_value = "text",
        hide_possible_values = true,
        hide_default_value = true
    )]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result<Status, Problem> {
    match &args.command {
        Command::Init(args) => build::init(args),
        Command::Sync(args) => build::sync(args),
        Command::Refresh(args) => build::refresh(args),
        Command::Ls(args) => read::ls(args),
        Command::Search(args) => read::search(args),
        Command::Grep(args) => read::grep(args),
        Command::Read(args) => read::read(args),
        Command::Objects(args) => read::objects(args),
        Command::Columns(args) => read::columns(args),
        Command::Prompt(args) => read::prompt(args),
        Command::Tools(_) => read::tools(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where an error is mapped")]
fn problem(error: ContextError) -> Problem {
    Problem::new(error.to_string())
}

/// Prints one of the two forms of a result.
fn print(
    format: &FormatArgs,
    text: impl FnOnce() -> String,
    json: impl FnOnce() -> String,
) -> Result<Status, Problem> {
    let result = match format.format {
        Format::Text => text(),
        Format::Json => json(),
    };
    let end = if result.is_empty() || result.ends_with('\n') { "" } else { "\n" };
    output::result(&format!("{result}{end}"))?;
    Ok(Status::Fine)
}
