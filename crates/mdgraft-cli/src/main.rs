//! The command line of mdgraft: renders, checks and tests Markdown prompts.
//!
//! Results go to standard output, everything else to standard error. The exit status is 0 if all
//! is well, 1 if there are findings (errors, failing tests), 2 if the command could not be run.

mod args;
mod commands;
mod config;
mod near;
mod output;
mod pack;
mod paths;
mod problem;
mod project;
mod report;
mod values;
mod wire;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match commands::run(cli) {
        Ok(commands::Status::Fine) => ExitCode::SUCCESS,
        Ok(commands::Status::Findings) => ExitCode::from(1),
        Err(problem) => {
            output::notice(&problem.to_string());
            ExitCode::from(2)
        }
    }
}
