//! Every page below `fixtures/` is a chapter of tests: each heading with an expectation is a trial.
//!
//! `UPDATE=1 cargo test --test fixtures` rewrites the expectations to what comes.
#![allow(clippy::disallowed_methods, reason = "the harness looks for its pages")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a harness talks")]

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use mdgraft_pages::{RunOptions, cases, update_pages, update_wanted};

/// The pages of the project, its documentation, and the cases that the language was handed over
/// with.
const FOLDERS: [&str; 4] = ["fixtures", "docs/language.md", "docs/cookbook.md", "../shared/cases"];

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
    let mut trials = Vec::new();
    for folder in FOLDERS {
        let path = Path::new(folder);
        if !path.exists() {
            println!("skipped: there is no {folder}");
            continue;
        }
        if update_wanted(false)? {
            let filter = arguments.filter.as_deref().unwrap_or_default();
            update_pages(path, filter, &RunOptions::default())
                .map_err(|error| error.to_string())?;
        }
        let cases = cases(path).map_err(|error| error.to_string())?;
        // Those that run the program are run with it, beside its own pages.
        let cases = cases.into_iter().filter(|case| !case.runs_program());
        trials.extend(cases.map(|case| {
            Trial::test(case.name().to_owned(), move || {
                let again = ["cargo", "test", "--test", "fixtures", "--", "--exact", case.name()];
                case.run(&RunOptions::default(), &again).map_err(Failed::from)
            })
        }));
    }
    Ok(trials)
}
