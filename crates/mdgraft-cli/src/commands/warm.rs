//! `mdgraft warm`: a pack of all prompts, so that they need not be read or parsed again.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mdgraft::Engine;

use super::Status;
use crate::args::LoadArgs;
use crate::output;
use crate::pack;
use crate::problem::{Problem, plain};
use crate::project::Project;

/// Make a pack of all prompts of a root, with which they load faster
///
/// The pack is `.mdgraft/prompts.pack` in the root. The other commands use it, and so does a
/// program that calls `Engine::with_pack`. It never makes a prompt stale: files are looked at all
/// the same, and what has changed is read. Equal files make equal packs, on any machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder of the prompts, whose root is taken
    #[arg(value_name = "DIR", default_value = ".", hide_default_value = true)]
    folder: PathBuf,

    #[command(flatten)]
    load: LoadArgs,

    /// Check the pack instead: that no bit of it has changed, and that it is that of the files
    #[arg(long)]
    verify: bool,

    /// Name the prompts that took longest and the largest files; so it is on a terminal
    #[arg(long)]
    report: bool,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft warm
  mdgraft warm prompts --verify";

/// What loading a prompt took.
struct Loaded {
    path: String,
    time: Duration,
    bytes: u64,
    failed: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status, Problem> {
    let project = Project::of_folder(&args.folder, &args.load)?;
    let file = pack::file(&project.root);
    // Nothing that is packed comes out of a pack.
    let engine = project.engine_without_pack()?;
    let loaded = load_all(&engine, &project, args);
    if args.verify {
        return verify(&engine, &project);
    }
    let before = fs::exists(&file).unwrap_or(false).then(|| Engine::verify_pack(&file));
    if let Some(Err(problem)) = before {
        output::notice(&format!("the old pack is not used: {problem}"));
    }
    pack::prepare(&project.root)?;
    engine.save_pack(&file).map_err(|error| Problem::new(error.to_string()))?;
    if args.report || io::stderr().is_terminal() {
        report(&loaded);
    }
    let failed = loaded.iter().filter(|one| one.failed).count();
    if failed > 0 {
        output::notice(&format!("with errors: {failed}; `mdgraft check` tells them"));
    }
    let place = project.shown(pack::NAME);
    output::result(&format!("packed: {} prompts in {place}\n", loaded.len()))?;
    Ok(Status::Fine)
}

/// Loads every prompt, with a bar that shows how far it is.
fn load_all(engine: &Engine, project: &Project, args: &Args) -> Vec<Loaded> {
    let options = project.load_options(&args.load);
    let entries = match &project.config.entries[..] {
        [] => engine.prompts(""),
        entries => entries.to_vec(),
    };
    let bar = io::stderr().is_terminal();
    let count = entries.len();
    let mut loaded = Vec::with_capacity(count);
    for (number, path) in entries.into_iter().enumerate() {
        if bar && number % (count / 100 + 1) == 0 {
            show(number, count);
        }
        let bytes = fs::metadata(project.root.join(&path)).map_or(0, |metadata| metadata.len());
        let begin = Instant::now();
        let failed = engine.load_with(&path, &options).is_err();
        loaded.push(Loaded { path, time: begin.elapsed(), bytes, failed });
    }
    if bar {
        // The bar goes away.
        let _ = write!(io::stderr(), "\r{:60}\r", "");
    }
    loaded
}

fn show(number: usize, count: usize) {
    const WIDTH: usize = 30;
    let done = number * WIDTH / count.max(1);
    let bar = "#".repeat(done) + &".".repeat(WIDTH - done);
    // Nobody is told of a bar that cannot be shown.
    let _ = write!(io::stderr(), "\r[{bar}] {number}/{count}");
}

/// The prompts that took longest, and the largest ones.
fn report(loaded: &[Loaded]) {
    const MOST: usize = 3;
    let mut order: Vec<&Loaded> = loaded.iter().collect();
    order.sort_by(|one, other| other.time.cmp(&one.time).then_with(|| one.path.cmp(&other.path)));
    for one in order.iter().take(MOST) {
        output::notice(&format!("slowest: {} ms {}", one.time.as_millis(), one.path));
    }
    order.sort_by(|one, other| other.bytes.cmp(&one.bytes).then_with(|| one.path.cmp(&other.path)));
    for one in order.iter().take(MOST) {
        output::notice(&format!("largest: {} bytes {}", one.bytes, one.path));
    }
}

/// Checks the pack against what the files give now.
fn verify(engine: &Engine, project: &Project) -> Result<Status, Problem> {
    let file = pack::file(&project.root);
    let read = fs::read(&file).map_err(|error| {
        Problem::of(project.shown(pack::NAME).as_ref(), &error)
            .help("`mdgraft warm` without `--verify` makes it")
    })?;
    let wrong = match Engine::verify_pack(&file) {
        Err(problem) => Some(problem.to_string()),
        Ok(_) if read != engine.pack_bytes() => Some("the files have changed since".to_owned()),
        Ok(_) => None,
    };
    let place = plain(&project.shown(pack::NAME));
    output::result(&match &wrong {
        Some(wrong) => format!("{place}: {wrong}\n"),
        None => format!("{place}: all is well\n"),
    })?;
    Ok(Status::findings(wrong.is_some()))
}
