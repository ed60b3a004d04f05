//! The read side: the four tools, the objects, and what a model is told of them.

use mdgraft_context::{GrepRequest, ListRequest, Object, ReadRequest, SearchRequest, tools_json};
use serde::Serialize;

use super::{FolderArgs, FormatArgs, print, problem};
use crate::commands::Status;
use crate::output;
use crate::problem::{Problem, plain};
use crate::wire::line;

/// List a folder of the context
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mdgraft context ls /databases")]
pub(super) struct LsArgs {
    /// The folder, from the context folder
    #[arg(value_name = "PATH", default_value = "/", hide_default_value = true)]
    path: String,

    /// The entries to print at most
    #[arg(long, value_name = "N", default_value_t = ListRequest::default().max_entries)]
    max: usize,

    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn ls(args: &LsArgs) -> Result<Status, Problem> {
    let request = ListRequest { path: args.path.clone(), max_entries: args.max };
    let listing = args.folder.open()?.list(&request).map_err(problem)?;
    print(&args.format, || listing.to_text(), || listing.to_json())
}

/// Find files by a pattern for their paths
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mdgraft context search 'table=*order*/columns.md'")]
pub(super) struct SearchArgs {
    /// The pattern: `*` and `?` within a name, `**` over folders; it matches at any depth
    #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
    pattern: String,

    /// The folder to search, from the context folder
    #[arg(value_name = "PATH", default_value = "/", hide_default_value = true)]
    path: String,

    /// The files to print at most
    #[arg(long, value_name = "N", default_value_t = SearchRequest::default().max_results)]
    max: usize,

    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn search(args: &SearchArgs) -> Result<Status, Problem> {
    let request = SearchRequest {
        pattern: args.pattern.clone(),
        path: args.path.clone(),
        max_results: args.max,
    };
    let found = args.folder.open()?.search(&request).map_err(problem)?;
    print(&args.format, || found.to_text(), || found.to_json())
}

/// Find lines by a regular expression
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mdgraft context grep -i customer --glob columns.md")]
pub(super) struct GrepArgs {
    /// The regular expression
    #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
    pattern: String,

    /// The folder or file, from the context folder
    #[arg(value_name = "PATH", default_value = "/", hide_default_value = true)]
    path: String,

    /// Only files whose paths match this pattern
    #[arg(short, long, value_name = "PATTERN")]
    glob: Option<String>,

    /// Take upper and lower case for the same
    #[arg(short = 'i', long)]
    ignore_case: bool,

    /// Lines to print before and after each match
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    context: usize,

    /// The matches to print at most
    #[arg(long, value_name = "N", default_value_t = GrepRequest::default().max_results)]
    max: usize,

    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn grep(args: &GrepArgs) -> Result<Status, Problem> {
    let request = GrepRequest {
        pattern: args.pattern.clone(),
        path: args.path.clone(),
        glob: args.glob.clone(),
        case_insensitive: args.ignore_case,
        context_lines: args.context,
        max_results: args.max,
    };
    let found = args.folder.open()?.grep(&request).map_err(problem)?;
    print(&args.format, || found.to_text(), || found.to_json())
}

/// Read a file, or some of its lines
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mdgraft context read /RULES.md\n  mdgraft context read /docs/a.md --lines 10-20"
)]
pub(super) struct ReadArgs {
    /// The file, from the context folder
    #[arg(value_name = "PATH")]
    path: String,

    /// The lines, as `10-20`, `10-` or `-20`
    #[arg(long, value_name = "FIRST-LAST", allow_hyphen_values = true)]
    lines: Option<String>,

    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn read(args: &ReadArgs) -> Result<Status, Problem> {
    let (first_line, last_line) = match &args.lines {
        Some(lines) => range(lines)?,
        None => (None, None),
    };
    let request = ReadRequest { path: args.path.clone(), first_line, last_line };
    let content = args.folder.open()?.read(&request).map_err(problem)?;
    print(&args.format, || content.to_text(), || content.to_json())
}

fn range(text: &str) -> Result<(Option<usize>, Option<usize>), Problem> {
    let fault =
        || Problem::new(format!("`{}` is no range of lines", plain(text))).help("write `10-20`");
    let number = |text: &str| match text {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| fault()),
    };
    let (first, last) = text.split_once('-').ok_or_else(fault)?;
    Ok((number(first)?, number(last)?))
}

/// Print the tables that the names of folders tell, or those that a beginning may mean
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mdgraft context objects\n  mdgraft context objects ord --max 5"
)]
pub(super) struct ObjectsArgs {
    /// What somebody began to write
    #[arg(value_name = "BEGINNING")]
    begun: Option<String>,

    /// The tables to print at most
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max: usize,

    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Serialize)]
struct WireObject<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    database: &'a str,
    schema: &'a str,
    table: &'a str,
    fqdn: String,
    path: &'a str,
}

pub(super) fn objects(args: &ObjectsArgs) -> Result<Status, Problem> {
    let folder = args.folder.open()?;
    let objects = if let Some(begun) = &args.begun {
        folder.complete(begun, args.max).map_err(problem)?
    } else {
        let objects = folder.objects().map_err(problem)?;
        objects.iter().take(args.max).cloned().collect()
    };
    let text = || objects.iter().map(|object| plain(&object.fqdn()) + "\n").collect();
    let wire = |object: &Object| -> serde_json::Value {
        serde_json::json!(WireObject {
            kind: &object.kind,
            database: &object.database,
            schema: &object.schema,
            table: &object.table,
            fqdn: object.fqdn(),
            path: &object.path,
        })
    };
    print(&args.format, text, || line(&objects.iter().map(wire).collect::<Vec<_>>()))
}

/// Print the columns of a table by its name: DATABASE.SCHEMA.TABLE
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mdgraft context columns shop.main.orders")]
pub(super) struct ColumnsArgs {
    /// The name, with the type before it where several databases have such a table
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn columns(args: &ColumnsArgs) -> Result<Status, Problem> {
    let content = args.folder.open()?.columns(&args.name).map_err(problem)?;
    print(&args.format, || content.to_text(), || content.to_json())
}

/// Print the section that explains the folder to a model
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A file agent/prompts/context.md in the folder takes the place of the built-in one."
)]
pub(super) struct PromptArgs {
    #[command(flatten)]
    folder: FolderArgs,
}

pub(super) fn prompt(args: &PromptArgs) -> Result<Status, Problem> {
    output::result(&args.folder.open()?.prompt().map_err(problem)?)?;
    Ok(Status::Fine)
}

/// Print the four tools as a model is told of them: a JSON list
#[derive(Debug, clap::Args)]
pub(super) struct ToolsArgs {}

pub(super) fn tools() -> Result<Status, Problem> {
    output::result(&tools_json())?;
    Ok(Status::Fine)
}
