//! `--escape`: brings prompts of other tools in.

use std::fs;
use std::path::{Path, PathBuf};

use mdgraft::EscapeError;

use crate::args::{LoadArgs, PromptArgs};
use crate::output::{self, Color};
use crate::problem::{Problem, shown};
use crate::project::{Entry, Project};
use crate::report;

/// Escapes what would be read as syntax in each file; whether all could be escaped.
pub(super) fn escape(paths: &[PathBuf], load: &LoadArgs, color: Color) -> Result<bool, Problem> {
    let mut fine = true;
    for path in paths {
        let args = PromptArgs { file: path.clone(), load: load.clone() };
        let (project, Entry::File(name)) = Project::of_file(&args)? else {
            return Err(Problem::new("standard input cannot be changed"));
        };
        fine &= one(path, &project, &name, color)?;
    }
    Ok(fine)
}

fn one(path: &Path, project: &Project, name: &str, color: Color) -> Result<bool, Problem> {
    let before = fs::read(path).map_err(|error| Problem::of(path, &error))?;
    let file = shown(path);
    match project.engine()?.escape(name, &before) {
        Ok(escaped) if escaped.applied == 0 => {
            output::notice(&format!("nothing to escape in `{file}`"));
        }
        Ok(escaped) => {
            if !output::replace_file(path, &before, &escaped.bytes)? {
                output::notice(&format!("`{file}` changed meanwhile, and is left as it is"));
                return Ok(false);
            }
            let places = match escaped.applied {
                1 => "1 place".to_owned(),
                count => format!("{count} places"),
            };
            output::notice(&format!("escaped {places} in `{file}`"));
        }
        Err(error) => {
            if let EscapeError::Wrong(wrong) = &error {
                report::notice(wrong, project, color);
            }
            let why = match error {
                EscapeError::Wrong(_) => "no escape mends what is wrong with it".to_owned(),
                other => other.to_string(),
            };
            output::notice(&format!("error: `{file}` is left as it is\n  help: {why}"));
            return Ok(false);
        }
    }
    Ok(true)
}
