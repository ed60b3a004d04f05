//! `mdgraft watch`: a prompt that is rendered again when a file changes.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use mdgraft::{Engine, Freshness, Rendered, render_with};
use mdgraft_watch::Watch;

use super::{Status, render};
use crate::args::RenderArgs;
use crate::output::{self, Color};
use crate::problem::{Problem, plain};
use crate::project::{Entry, Project};
use crate::{report, values};

/// Render a prompt, and again whenever one of its files changes
///
/// Files that are missing are waited for, and errors are told until they are mended. It runs until
/// it is stopped.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    render: RenderArgs,

    /// Write to a file, at once, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft watch agent.md -v user=Ada
  mdgraft watch agent.md -o out.md";

/// What was shown last: the text, or what was wrong.
#[derive(PartialEq)]
enum Shown {
    Text(String),
    Wrong(String),
}

pub(crate) fn run(args: &Args, color: Color) -> Result<Status, Problem> {
    let (project, entry) = Project::of_file(&args.render.prompt)?;
    let Entry::File(entry) = entry else {
        return Err(Problem::new("standard input cannot be watched"));
    };
    let engine = project.engine()?.with_freshness(Freshness::Events);
    let problem = |error: mdgraft_watch::WatchError| Problem::new(error.to_string());
    // Watched before it is loaded, so that no change falls in between.
    let mut watch = Watch::new(&engine).map_err(problem)?;
    watch.add("", &project.root).map_err(problem)?;
    for (name, folder) in project.config.roots() {
        watch.add(name, folder).map_err(problem)?;
    }
    let mut shown = None;
    loop {
        let now = show(args, &project, &engine, &entry, shown.as_ref(), color)?;
        shown = Some(now);
        let changed = changes(&mut watch, &project, args);
        let names: Vec<String> = changed.iter().map(|path| plain(&project.shown(path))).collect();
        output::notice(&format!("changed: {}", names.join(", ")));
    }
}

/// Waits for a change of a file, other than what is written here.
fn changes(watch: &mut Watch, project: &Project, args: &Args) -> BTreeSet<String> {
    let own = args.output.as_ref().and_then(|file| project.path_in(file).ok());
    // A change of many files is told as such.
    loop {
        let mut changed = watch.wait(Duration::from_secs(3600));
        changed.retain(|path| {
            let name = path.rsplit('/').next().unwrap_or_default();
            Some(path) != own.as_ref() && !name.starts_with(".mdgraft")
        });
        if !changed.is_empty() {
            return changed;
        }
    }
}

fn show(
    args: &Args,
    project: &Project,
    engine: &Engine,
    entry: &str,
    before: Option<&Shown>,
    color: Color,
) -> Result<Shown, Problem> {
    let options = render::options(&args.render, &project.config, false);
    let result = engine.load_with(entry, &project.load_options(&args.render.prompt.load));
    let result = match result {
        Ok(tree) => match values::vars(&args.render.values, &project.config, &tree) {
            Ok(vars) => render_with(&tree, &vars, &options),
            Err(problem) => {
                output::notice(&problem.to_string());
                return Ok(Shown::Wrong(problem.to_string()));
            }
        },
        Err(diagnostics) => Err(diagnostics),
    };
    let diagnostics = match &result {
        Ok(rendered) => rendered.warnings(),
        Err(diagnostics) => diagnostics,
    };
    let denied = args.render.deny_warnings && !diagnostics.is_empty();
    report::notice(diagnostics, project, color);
    report::notice_denied(denied && !diagnostics.has_errors());
    let now = match result {
        Ok(rendered) if !denied => Shown::Text(Rendered::into_text(rendered)),
        Ok(_) => Shown::Wrong("denied".to_owned()),
        Err(diagnostics) => Shown::Wrong(diagnostics.to_string()),
    };
    if let Shown::Text(text) = &now {
        if before == Some(&now) {
            output::notice("the prompt is the same");
        } else {
            output::result_to(args.output.as_deref(), text)?;
        }
    }
    Ok(now)
}
