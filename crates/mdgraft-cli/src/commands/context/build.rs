//! The build side: `init` and `sync`.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use mdgraft_context::{
    Counts, DatabaseReport, Provider, RepositoryReport, Step, SyncReport, SyncRequest,
    process_environment,
};

use super::{FolderArgs, problem};
use crate::commands::Status;
use crate::output;
use crate::problem::{Problem, plain, shown};

/// Make a context folder: its folders, RULES.md, .mdgraftignore, mdgraft-context.toml
///
/// Nothing is overwritten. If it fails, nothing is left behind.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mdgraft context init\n  mdgraft context init context")]
pub(super) struct InitArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = ".", hide_default_value = true)]
    folder: PathBuf,
}

pub(super) fn init(args: &InitArgs) -> Result<Status, Problem> {
    for made in mdgraft_context::init(&args.folder).map_err(problem)? {
        let path = if args.folder.as_os_str() == "." {
            PathBuf::from(&made.path)
        } else {
            args.folder.join(&made.path)
        };
        let word = if made.is_new { "made" } else { "kept" };
        output::notice(&format!("{word}: {}", shown(&path)));
    }
    Ok(Status::Fine)
}

/// Bring a context folder up to date: databases, then repositories, then templates
///
/// Only what changed is written. What cannot be read keeps its files and is told; the exit status
/// is then 1.
#[derive(Debug, clap::Args)]
#[command(after_help = SYNC_EXAMPLES)]
pub(super) struct SyncArgs {
    #[command(flatten)]
    folder: FolderArgs,

    /// Only these: `databases`, `repositories`, or one of them, as in `databases:shop`
    #[arg(short, long = "provider", value_name = "PROVIDER[:CONNECTION]")]
    provider: Vec<Provider>,
}

const SYNC_EXAMPLES: &str = "\
Examples:
  mdgraft context sync
  mdgraft context sync -p databases:shop --folder context";

/// The failures that are printed one by one.
const MOST_FAILURES: usize = 50;

pub(super) fn sync(args: &SyncArgs) -> Result<Status, Problem> {
    let terminal = std::io::stderr().is_terminal();
    let start = Instant::now();
    let mut progress = |step: &Step| {
        if terminal {
            let line = format!("\r\x1b[K{}: {} of {}", plain(&step.of), step.done + 1, step.all);
            let mut stderr = std::io::stderr().lock();
            // There is nobody to tell if that fails.
            let _ = stderr.write_all(line.as_bytes()).and_then(|()| stderr.flush());
        }
    };
    let synced = mdgraft_context::sync(SyncRequest {
        folder: &args.folder.folder,
        only: &args.provider,
        environment: &process_environment,
        now: SystemTime::now(),
        progress: &mut progress,
    });
    if terminal {
        let _ = std::io::stderr().lock().write_all(b"\r\x1b[K");
    }
    let report = synced.map_err(problem)?;
    for note in &report.notes {
        output::notice(&format!("note: {}: {}", note.what, note.reason));
    }
    for trouble in report.troubles.iter().take(MOST_FAILURES) {
        output::notice(&format!("error: {}: {}", trouble.what, trouble.reason));
    }
    if report.troubles.len() > MOST_FAILURES {
        output::notice(&format!("… and {} more", report.troubles.len() - MOST_FAILURES));
    }
    let mut text = summary(&report);
    if std::io::stdout().is_terminal() {
        let _ = writeln!(text, "in {:.1} s", start.elapsed().as_secs_f64());
    }
    output::result(&text)?;
    Ok(Status::findings(report.has_failed()))
}

fn summary(report: &SyncReport) -> String {
    let mut text = String::new();
    for database in &report.databases {
        text += &of_database(database);
    }
    for repository in &report.repositories {
        text += &of_repository(repository);
    }
    if report.rendered + report.unrendered > 0 {
        let _ =
            writeln!(text, "templates: {} rendered, {} failed", report.rendered, report.unrendered);
    }
    text += match (report.has_failed(), report.has_done()) {
        (true, true) => "⚠ Sync Completed with Errors\n",
        (true, false) => "✗ Sync Failed\n",
        (false, _) if report.is_empty() => "Nothing to sync\n",
        (false, _) => "✓ Sync Complete\n",
    };
    text
}

fn of_database(database: &DatabaseReport) -> String {
    let DatabaseReport { name, tables, schemas, counts, .. } = database;
    let name = plain(name);
    format!("database {name}: {tables} tables across {schemas} datasets, {}\n", files(*counts))
}

fn of_repository(repository: &RepositoryReport) -> String {
    let name = plain(&repository.name);
    let commit = repository
        .commit
        .as_deref()
        .map_or_else(String::new, |commit| format!(" at {}", &commit[..commit.len().min(12)]));
    format!("repository {name}: {} files{commit}, {}\n", repository.files, files(repository.counts))
}

fn files(counts: Counts) -> String {
    let Counts { written, unchanged, removed, .. } = counts;
    let stale = if removed > 0 { format!(", {removed} stale removed") } else { String::new() };
    format!("{written} written, {unchanged} unchanged{stale}")
}
