//! The build side: databases, repositories and the user's pages become files.

mod cells;
mod manifest;
mod pages;
mod report;
mod repositories;
mod tables;
mod templates;
mod writer;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

pub use report::{DatabaseReport, RepositoryReport, Step, SyncReport, Trouble};
pub use writer::Counts;

use crate::disk::{Disk, Reading};
use crate::error::{ContextError, plain};
use crate::settings::{Environment, SETTINGS_FILE, Settings};
use writer::Writer;

/// What to bring up to date.
pub struct SyncRequest<'a> {
    /// The context folder.
    pub folder: &'a Path,
    /// The providers to ask; all if there are none.
    pub only: &'a [Provider],
    /// Where the values of environment variables come from.
    pub environment: Environment<'a>,
    /// The time, by which profiles are made again.
    pub now: SystemTime,
    /// Is told how far it is.
    pub progress: &'a mut dyn FnMut(&Step),
}

/// What a folder is made from: a kind of source, or one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provider {
    /// The kind.
    pub kind: ProviderKind,
    /// The name of the one that is meant; all of the kind if none is given.
    pub connection: Option<String>,
}

/// A kind of source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProviderKind {
    /// Tables of databases.
    Databases,
    /// Files of repositories.
    Repositories,
}

impl std::str::FromStr for Provider {
    type Err = String;

    /// Reads `PROVIDER` or `PROVIDER:CONNECTION`, in any letter case.
    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, connection) = match text.split_once(':') {
            Some((kind, connection)) => (kind, Some(connection.to_owned())),
            None => (text, None),
        };
        let kind = match kind.to_lowercase().as_str() {
            "databases" | "database" | "dbs" | "db" => ProviderKind::Databases,
            "repositories" | "repository" | "repos" | "repo" => ProviderKind::Repositories,
            _ => {
                let kind = plain(kind);
                return Err(format!(
                    "unknown provider `{kind}`: valid are databases, repositories"
                ));
            }
        };
        Ok(Self { kind, connection })
    }
}

/// Brings a context folder up to date.
///
/// Databases come first, then repositories, then the user's pages. Only what changed is written,
/// each file at once. Files of former runs that are not made any more are removed; a file that
/// sync did not write, or that was changed by hand, is never touched. What cannot be read keeps
/// the files it has, and is told; the rest is done.
///
/// # Errors
///
/// [`ContextError::Settings`], and [`ContextError::Failed`] if the folder cannot be read or
/// written at all, or another sync is at work in it.
pub fn sync(request: SyncRequest<'_>) -> Result<SyncReport, ContextError> {
    let SyncRequest { folder, only, environment, now, progress } = request;
    let shown = folder.to_string_lossy();
    let root =
        Disk::open(folder).map_err(|error| ContextError::failed(&shown, "opened", &error))?;
    let settings = settings(&root)?;
    let now = now.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut run =
        Run { folder, environment, now, progress, troubles: Vec::new(), notes: Vec::new() };
    let mut writer = Writer::open(root)?;
    let mut report = SyncReport::default();
    missing(&mut run, only, &settings);
    for database in &settings.databases {
        if is_meant(only, ProviderKind::Databases, &database.name) {
            report.databases.push(tables::sync_database(&mut run, &mut writer, database)?);
        }
    }
    for repository in &settings.repositories {
        if is_meant(only, ProviderKind::Repositories, &repository.name) {
            let synced = repositories::sync_repository(&mut run, &mut writer, repository)?;
            report.repositories.push(synced);
        }
    }
    if only.is_empty() {
        sweep_unconfigured(&mut run, &mut writer, &settings);
    }
    (report.rendered, report.unrendered) = pages::sync_pages(&mut run, &mut writer, &settings)?;
    report.troubles = run.troubles;
    report.notes = run.notes;
    report.counts = writer.finish()?;
    Ok(report)
}

/// What the parts of one run share.
pub(crate) struct Run<'a> {
    folder: &'a Path,
    environment: Environment<'a>,
    /// Seconds since 1970.
    now: u64,
    progress: &'a mut dyn FnMut(&Step),
    troubles: Vec<Trouble>,
    notes: Vec<Trouble>,
}

impl Run<'_> {
    fn trouble(&mut self, trouble: Trouble) {
        self.troubles.push(trouble);
    }

    fn note(&mut self, note: Trouble) {
        self.notes.push(note);
    }
}

fn settings(root: &Disk) -> Result<Settings, ContextError> {
    const LARGEST: u64 = 1024 * 1024;
    let failed = |reason: &str| ContextError::Failed {
        path: SETTINGS_FILE.to_owned(),
        what: "read",
        reason: reason.to_owned(),
    };
    let mut bytes = Vec::new();
    match root.read(SETTINGS_FILE, LARGEST, &mut bytes) {
        Ok(Reading::Read(_)) => {}
        Ok(_) => return Err(failed("it is larger than 1 MiB or no regular file")),
        Err(error) => return Err(failed(&crate::error::reason(&error))),
    }
    Settings::read(std::str::from_utf8(&bytes).map_err(|_| failed("it is no UTF-8"))?)
}

fn is_meant(only: &[Provider], kind: ProviderKind, name: &str) -> bool {
    let meant = |provider: &Provider| {
        provider.kind == kind && provider.connection.as_deref().is_none_or(|one| one == name)
    };
    only.is_empty() || only.iter().any(meant)
}

/// Tells of connections that are asked for and not in the settings.
fn missing(run: &mut Run<'_>, only: &[Provider], settings: &Settings) {
    for provider in only {
        let Some(connection) = &provider.connection else { continue };
        let (kind, known) = match provider.kind {
            ProviderKind::Databases => {
                ("databases", settings.databases.iter().any(|one| one.name == *connection))
            }
            ProviderKind::Repositories => {
                ("repositories", settings.repositories.iter().any(|one| one.name == *connection))
            }
        };
        if !known {
            let what = format!("{kind}:{}", plain(connection));
            run.note(Trouble::new(what, "there is no such connection in the settings; skipped"));
        }
    }
}

/// Removes the files of what is not in the settings any more.
fn sweep_unconfigured(run: &mut Run<'_>, writer: &mut Writer, settings: &Settings) {
    let mut sources: Vec<String> = settings.databases.iter().map(tables::source).collect();
    sources.extend(settings.repositories.iter().map(repositories::source));
    sources.push(pages::SOURCE.to_owned());
    for kept in writer.sweep(|source| !sources.iter().any(|known| known == source)) {
        let (path, reason) = writer::in_words(&kept);
        run.trouble(Trouble::new(path, reason));
    }
    let named = |name: &String| settings.repositories.iter().any(|one| one.name == *name);
    writer.manifest.commits.retain(|name, _| named(name));
}
