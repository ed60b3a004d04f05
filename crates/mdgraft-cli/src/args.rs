//! The commands, and the options that several of them share.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::{
    assemble, check, completions, context, examples, explain, graph, init, man, render, test,
    tools, tree, vars, warm, watch,
};
use crate::output::Color;

/// Markdown prompts with includes, variables, conditions and section filters.
#[derive(Debug, Parser)]
#[command(name = "mdgraft", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(crate) color: Color,
}

const EXAMPLES: &str = "\
Examples:
  mdgraft render agent.md -v user=Ada
  mdgraft check prompts
  mdgraft test

Exit status: 0 if all is well, 1 if there are findings, 2 if the command could not be run.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Render(render::Args),
    Check(check::Args),
    Tree(tree::Args),
    Assemble(assemble::Args),
    Vars(vars::Args),
    Graph(graph::Args),
    Warm(warm::Args),
    Watch(watch::Args),
    Test(test::Args),
    Tools(tools::Args),
    Examples(examples::Args),
    Explain(explain::Args),
    Init(init::Args),
    Context(context::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Where prompts are, and how they are loaded.
#[derive(Clone, Debug, Args)]
pub(crate) struct LoadArgs {
    /// The folder that includes may not leave; else the `root` of mdgraft.toml, else the folder
    /// of that file, else the folder of FILE
    #[arg(long, value_name = "FOLDER", env = "MDGRAFT_ROOT", hide_env_values = true)]
    pub(crate) root: Option<PathBuf>,

    /// Prefer the files of this variant: `rules.zh.md` for `rules.md` with `zh`
    #[arg(long, value_name = "NAME", env = "MDGRAFT_VARIANT", hide_env_values = true)]
    pub(crate) variant: Option<String>,

    /// Keep or strip HTML comments, in files that do not say themselves
    #[arg(
        long,
        value_name = "keep|strip",
        env = "MDGRAFT_COMMENTS",
        hide_env_values = true,
        hide_possible_values = true
    )]
    pub(crate) comments: Option<Comments>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Comments {
    Keep,
    Strip,
}

/// A prompt to load.
#[derive(Clone, Debug, Args)]
pub(crate) struct PromptArgs {
    /// The prompt, or `-` for one on standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

/// The values of variables.
#[derive(Clone, Debug, Args)]
pub(crate) struct ValueArgs {
    /// A value: `NAME=TEXT`, read by the declared type, or `NAME:=JSON`
    #[arg(short = 'v', long = "var", value_name = "NAME=TEXT")]
    pub(crate) var: Vec<String>,

    /// A file of values: JSON, YAML or TOML, by its extension; later files win, and -v wins over all
    #[arg(long, value_name = "FILE")]
    pub(crate) vars: Vec<PathBuf>,
}

/// What is rendered, and how.
#[derive(Clone, Debug, Args)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) prompt: PromptArgs,

    #[command(flatten)]
    pub(crate) values: ValueArgs,

    /// Render this section and what is below it, as in `Rules/Style`; `!` before a path removes
    #[arg(long, value_name = "SECTION")]
    pub(crate) include: Vec<String>,

    /// Leave this section out
    #[arg(long, value_name = "SECTION")]
    pub(crate) exclude: Vec<String>,

    /// Print the heading lines above selected sections
    #[arg(long)]
    pub(crate) ancestors: bool,

    /// Print headings, text and sub-sections one blank line apart
    #[arg(long)]
    pub(crate) tidy: bool,

    /// A value that adds to the outline is an error
    #[arg(long, value_name = "warn|error", num_args = 0..=1, require_equals = true, default_missing_value = "error", env = "MDGRAFT_GUARD", hide_env_values = true, hide_possible_values = true)]
    pub(crate) guard: Option<Guard>,

    /// Warnings are findings too: nothing is printed, and the exit status is 1
    #[arg(long)]
    pub(crate) deny_warnings: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Guard {
    Warn,
    Error,
}
