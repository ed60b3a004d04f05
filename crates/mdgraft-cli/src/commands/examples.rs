//! `mdgraft examples`: the example blocks of a prompt.

use super::{Status, rendered};
use crate::args::RenderArgs;
use crate::output::{self, Color};
use crate::problem::Problem;

/// Print the examples of a prompt: the texts of its `example` blocks, as a JSON list
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    render: RenderArgs,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft examples agent.md -v user=Ada";

pub(crate) fn run(args: &Args, color: Color) -> Result<Status, Problem> {
    let Some(rendered) = rendered(&args.render, color)? else { return Ok(Status::Findings) };
    let examples = serde_json::Value::from(rendered.examples().to_vec());
    output::result(&format!("{examples:#}\n"))?;
    Ok(Status::Fine)
}
