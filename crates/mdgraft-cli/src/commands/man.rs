//! `mdgraft man`: the manual.

use std::path::Path;

use clap::CommandFactory as _;

use super::Status;
use crate::args::Cli;
use crate::output;
use crate::problem::{Problem, plain};

/// Print the manual page, of mdgraft or of one of its commands
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The command
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft man > mdgraft.1
  mdgraft man render | man -l -";

pub(crate) fn run(args: &Args) -> Result<Status, Problem> {
    let mut cli = Cli::command();
    cli.build();
    let command = match &args.command {
        None => cli,
        Some(name) => {
            let unknown = || Problem::new(format!("there is no command `{}`", plain(name)));
            cli.find_subcommand(name).cloned().ok_or_else(unknown)?
        }
    };
    let mut text = Vec::new();
    let done = clap_mangen::Man::new(command).render(&mut text);
    done.map_err(|error| Problem::of(Path::new("the manual"), &error))?;
    output::result(&String::from_utf8_lossy(&text))?;
    Ok(Status::Fine)
}
