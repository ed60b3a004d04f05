//! `mdgraft completions`: completions for a shell.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Status;
use crate::args::Cli;
use crate::output;
use crate::problem::Problem;

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft completions bash > ~/.local/share/bash-completion/completions/mdgraft
  mdgraft completions fish > ~/.config/fish/completions/mdgraft.fish";

pub(crate) fn run(args: &Args) -> Result<Status, Problem> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mdgraft", &mut text);
    output::result(&String::from_utf8_lossy(&text))?;
    Ok(Status::Fine)
}
