//! `mdgraft explain`: the page of a code.

use mdgraft::{Code, explain};

use super::Status;
use crate::output;
use crate::problem::{Problem, plain};

/// Say what a code means, with an example, and how to mend it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The code, as in `error[unknown-variable]`; without it all codes are listed
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft explain unknown-variable
  mdgraft explain";

pub(crate) fn run(args: &Args) -> Result<Status, Problem> {
    let Some(name) = &args.code else {
        let codes: Vec<&str> = Code::all().map(Code::as_str).collect();
        output::result(&(codes.join("\n") + "\n"))?;
        return Ok(Status::Fine);
    };
    let Some(code) = Code::named(name) else {
        let problem = Problem::new(format!("there is no code `{}`", plain(name)));
        return Err(match Code::near(name) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help("`mdgraft explain` lists all codes"),
        });
    };
    output::result(explain(code))?;
    Ok(Status::Fine)
}
