//! `--escape`: brings prompts of other tools in.

use std::fs;
use std::path::{Path, PathBuf};

use mdgraft::{Engine, EscapeError, MemoryLoader, Vars, render};

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
    let engine = project.engine()?;
    let escaped = match engine.escape(name, &before) {
        Ok(escaped) => escaped,
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
    };
    if escaped.applied == 0 {
        output::notice(&format!("nothing to escape in `{file}`"));
    } else if was_escaped(&engine, name, &before) {
        output::notice(&format!("nothing to escape in `{file}`: it was escaped before"));
    } else if output::replace_file(path, &before, &escaped.bytes)? {
        let places = match escaped.applied {
            1 => "1 place".to_owned(),
            count => format!("{count} places"),
        };
        output::notice(&format!("escaped {places} in `{file}`"));
    } else {
        output::notice(&format!("`{file}` changed meanwhile, and is left as it is"));
        return Ok(false);
    }
    Ok(true)
}

/// Whether the file is what escaping gives for the text that it prints. A second run would
/// escape the escapes.
fn was_escaped(engine: &Engine, name: &str, bytes: &[u8]) -> bool {
    let alone = Engine::new(MemoryLoader::new([(name, bytes)]));
    let tree = alone.load(name).ok();
    let prompt = tree.and_then(|tree| render(&tree, &Vars::default(), ()).ok());
    let again = prompt.and_then(|prompt| engine.escape(name, prompt.text().as_bytes()).ok());
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    again.is_some_and(|again| {
        let again = String::from_utf8_lossy(&again.bytes).into_owned();
        again.len() > 1 && text.trim_end().ends_with(again.trim())
    })
}
