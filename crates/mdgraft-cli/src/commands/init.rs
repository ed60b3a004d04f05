//! `mdgraft init`: a project to begin with.

use std::fs;
use std::path::{Path, PathBuf};

use super::Status;
use crate::output;
use crate::paths::parent;
use crate::problem::{Problem, shown};

/// Make a project: mdgraft.toml, a folder of prompts that shows the language, and a page of tests
///
/// Nothing is overwritten: a file that is there stays as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder of the project
    #[arg(value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    folder: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft init
  mdgraft init my-prompts && cd my-prompts && mdgraft test";

/// The files of a project, by their path.
const FILES: [(&str, &str); 6] = [
    ("mdgraft.toml", include_str!("../../template/mdgraft.toml")),
    ("prompts/agent.md", include_str!("../../template/prompts/agent.md")),
    ("prompts/reviewer.md", include_str!("../../template/prompts/reviewer.md")),
    ("prompts/parts/rules.md", include_str!("../../template/prompts/parts/rules.md")),
    ("prompts/parts/tone.md", include_str!("../../template/prompts/parts/tone.md")),
    ("tests/agent.md", include_str!("../../template/tests/agent.md")),
];

pub(crate) fn run(args: &Args) -> Result<Status, Problem> {
    for (name, text) in FILES {
        let here = args.folder == Path::new(".");
        let file = if here { PathBuf::from(name) } else { args.folder.join(name) };
        if file.symlink_metadata().is_ok() {
            output::notice(&format!("kept: {}", shown(&file)));
            continue;
        }
        let folder = parent(&file);
        fs::create_dir_all(folder).map_err(|error| Problem::of(folder, &error))?;
        output::write_new_file(&file, text.as_bytes())?;
        output::notice(&format!("made: {}", shown(&file)));
    }
    Ok(Status::Fine)
}
