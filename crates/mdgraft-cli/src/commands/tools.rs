//! `mdgraft tools`: the function schemas of a prompt.

use super::{Status, rendered};
use crate::args::RenderArgs;
use crate::output::{self, Color};
use crate::problem::Problem;
use crate::wire::json;

/// Print the tools of a prompt: the functions in its `tools` blocks, as a JSON list
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    render: RenderArgs,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft tools agent.md -v user=Ada > tools.json";

pub(crate) fn run(args: &Args, color: Color) -> Result<Status, Problem> {
    let Some(rendered) = rendered(&args.render, color)? else { return Ok(Status::Findings) };
    let tools: Vec<serde_json::Value> = rendered.tools().iter().map(json).collect();
    output::result(&format!("{:#}\n", serde_json::Value::from(tools)))?;
    Ok(Status::Fine)
}
