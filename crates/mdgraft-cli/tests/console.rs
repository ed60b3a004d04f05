//! The command line, tested by pages: what a terminal shows.
//!
//! `UPDATE=1 cargo test -p mdgraft-cli --test console` rewrites them to what comes.
#![expect(clippy::print_stderr, reason = "a harness talks")]

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use mdgraft_pages::{RunOptions, cases, update_pages, update_wanted};

/// The pages of the command line, and the chapter of the documentation that is one too.
const PAGES: [&str; 2] = ["tests/pages", "../../docs/assembly.md"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials(&arguments) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

fn trials(arguments: &Arguments) -> Result<Vec<Trial>, String> {
    let options = RunOptions { program: Some(Path::new(env!("CARGO_BIN_EXE_mdgraft"))) };
    let update = update_wanted(false)?;
    let mut found = Vec::new();
    for path in PAGES.map(Path::new) {
        if update {
            let filter = arguments.filter.as_deref().unwrap_or_default();
            update_pages(path, filter, &options).map_err(|error| error.to_string())?;
        }
        found.extend(cases(path).map_err(|error| error.to_string())?);
    }
    let trial = |case: mdgraft_pages::Case| {
        Trial::test(case.name().to_owned(), move || {
            let (command, name) =
                ("cargo test -p mdgraft-cli --test console -- --exact", case.name());
            let again: Vec<&str> = command.split(' ').chain([name]).collect();
            case.run(&options, &again).map_err(Failed::from)
        })
    };
    Ok(found.into_iter().map(trial).collect())
}
