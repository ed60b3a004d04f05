//! The commands, a file each.

pub(crate) mod assemble;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod context;
pub(crate) mod examples;
pub(crate) mod explain;
pub(crate) mod graph;
pub(crate) mod init;
pub(crate) mod man;
pub(crate) mod render;
pub(crate) mod test;
pub(crate) mod tools;
pub(crate) mod tree;
pub(crate) mod vars;
pub(crate) mod warm;
pub(crate) mod watch;

use mdgraft::{PromptTree, Rendered};

use crate::args::{Cli, Command, PromptArgs, RenderArgs};
use crate::output::Color;
use crate::problem::Problem;
use crate::project::Project;
use crate::report;

/// How a command ended that could be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Fine,
    /// Errors in prompts, denied warnings, failing tests.
    Findings,
}

impl Status {
    fn findings(found: bool) -> Self {
        if found { Self::Findings } else { Self::Fine }
    }
}

/// Runs the command that was called.
pub(crate) fn run(cli: Cli) -> Result<Status, Problem> {
    let color = cli.color;
    match cli.command {
        Command::Render(args) => render::run(&args, color),
        Command::Check(args) => check::run(&args, color),
        Command::Tree(args) => tree::run(&args, color),
        Command::Assemble(args) => assemble::run(&args, color),
        Command::Vars(args) => vars::run(&args, color),
        Command::Graph(args) => graph::run(&args),
        Command::Warm(args) => warm::run(&args),
        Command::Watch(args) => watch::run(&args, color),
        Command::Test(args) => test::run(&args),
        Command::Tools(args) => tools::run(&args, color),
        Command::Examples(args) => examples::run(&args, color),
        Command::Explain(args) => explain::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Context(args) => context::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// Renders for a command that prints a part of what is rendered. What is wrong is told; the
/// prompt is there only if it may be used.
fn rendered(args: &RenderArgs, color: Color) -> Result<Option<Rendered>, Problem> {
    let (project, result) = render::rendered(args, false)?;
    let diagnostics = match &result {
        Ok(rendered) => rendered.warnings(),
        Err(diagnostics) => diagnostics,
    };
    report::notice(diagnostics, &project, color);
    let denied = args.deny_warnings && !diagnostics.is_empty();
    report::notice_denied(denied && !diagnostics.has_errors());
    Ok(result.ok().filter(|_| !denied))
}

/// Loads the tree of a prompt for a command that shows a part of it.
fn loaded(args: &PromptArgs, color: Color) -> Result<Option<(Project, PromptTree)>, Problem> {
    let (project, entry) = Project::of_file(args)?;
    let (tree, diagnostics) = match project.load(&entry, &args.load)? {
        Ok(tree) => {
            let warnings = tree.warnings().clone();
            (Some(tree), warnings)
        }
        Err(diagnostics) => (None, diagnostics),
    };
    report::notice(&diagnostics, &project, color);
    Ok(tree.map(|tree| (project, tree)))
}
