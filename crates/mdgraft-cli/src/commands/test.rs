//! `mdgraft test`: fixture pages.

use std::path::{Path, PathBuf};

use mdgraft_pages::{RunOptions, cases, update_pages, update_wanted};

use super::Status;
use crate::config::{Config, FILE};
use crate::output;
use crate::problem::{Problem, shown};

/// Run pages of tests: Markdown files that hold prompts, values and what comes out
///
/// Each heading with an expectation is a test. Without PATH the pages that mdgraft.toml names are
/// run (`tests = ["tests"]`), else those in the folder `tests`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Pages and folders of pages
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Run only tests whose name (page and headings) holds this text
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    filter: String,

    /// Rewrite the pages so that they expect what comes; also with UPDATE=1
    #[arg(long)]
    update: bool,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft test
  mdgraft test tests/agent.md --filter 'A greeting'
  mdgraft test --update && git diff tests

The last line is `N passed, N failed`.";

pub(crate) fn run(args: &Args) -> Result<Status, Problem> {
    let program =
        std::env::current_exe().map_err(|error| Problem::of(Path::new("mdgraft"), &error))?;
    let options = RunOptions { program: Some(&program) };
    let update = update_wanted(args.update).map_err(Problem::new)?;
    let (mut passed, mut failed) = (0, 0);
    for path in paths(args)? {
        let problem = |error: std::io::Error| Problem::new(error.to_string());
        if update {
            let count = update_pages(&path, &args.filter, &options).map_err(problem)?;
            if count > 0 {
                output::notice(&format!("rewritten: {count} below {}", shown(&path)));
            }
        }
        for case in cases(&path).map_err(problem)? {
            if !case.name().contains(&args.filter) {
                continue;
            }
            let again = ["mdgraft", "test", case.path(), "--filter", case.test()];
            match case.run(&options, &again) {
                Ok(()) => passed += 1,
                Err(report) => {
                    failed += 1;
                    output::result(&format!("FAILED {}\n{report}\n", case.name()))?;
                }
            }
        }
    }
    output::result(&format!("{passed} passed, {failed} failed\n"))?;
    Ok(Status::findings(failed > 0))
}

fn paths(args: &Args) -> Result<Vec<PathBuf>, Problem> {
    let given = !args.paths.is_empty();
    let paths = if given { args.paths.clone() } else { Config::nearest(Path::new("."))?.tests() };
    let Some(path) = paths.iter().find(|path| !path.exists()) else { return Ok(paths) };
    let problem = Problem::of(path, &std::io::ErrorKind::NotFound.into());
    Err(if given { problem } else { problem.help(format!("name pages, or `tests` in {FILE}")) })
}
