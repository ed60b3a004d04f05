//! What came of a sync.

use super::writer::Counts;
use crate::error::plain;
use crate::settings::{DatabaseSettings, RepositorySettings};

/// What came of a sync.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SyncReport {
    /// The databases, in the order of the settings.
    pub databases: Vec<DatabaseReport>,
    /// The repositories, in the order of the settings.
    pub repositories: Vec<RepositoryReport>,
    /// The user's pages that were rendered.
    pub rendered: usize,
    /// The user's pages that were not.
    pub unrendered: usize,
    /// What failed. The rest was done all the same.
    pub troubles: Vec<Trouble>,
    /// What did not fail and should be known.
    pub notes: Vec<Trouble>,
    /// What was done to files.
    pub counts: Counts,
}

impl SyncReport {
    /// Whether anything failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        !self.troubles.is_empty()
    }

    /// Whether there was nothing to do at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.databases.is_empty()
            && self.repositories.is_empty()
            && self.rendered + self.unrendered == 0
    }

    /// Whether anything was done in spite of what failed.
    #[must_use]
    pub fn has_done(&self) -> bool {
        self.rendered > 0
            || self.databases.iter().any(|database| database.tables > 0)
            || self.repositories.iter().any(|repository| !repository.failed)
    }
}

/// Something that failed, or should be known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// What it is about.
    pub what: String,
    /// Why.
    pub reason: String,
}

impl Trouble {
    pub(crate) fn new(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { what: what.into(), reason: reason.into() }
    }
}

/// What came of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DatabaseReport {
    /// The name of the connection.
    pub name: String,
    /// The kind of database.
    pub kind: String,
    /// The schemas that were read.
    pub schemas: usize,
    /// The tables that were read.
    pub tables: usize,
    /// What was done to files.
    pub counts: Counts,
    /// Whether anything of it failed.
    pub failed: bool,
}

impl DatabaseReport {
    pub(super) fn new(settings: &DatabaseSettings) -> Self {
        Self {
            name: settings.name.clone(),
            kind: settings.kind.clone(),
            schemas: 0,
            tables: 0,
            counts: Counts::default(),
            failed: false,
        }
    }

    pub(super) fn shown(&self) -> String {
        format!("database {}", plain(&self.name))
    }
}

/// What came of a repository.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RepositoryReport {
    /// The name of its folder.
    pub name: String,
    /// Its files.
    pub files: usize,
    /// The commit, where it comes from git.
    pub commit: Option<String>,
    /// What was done to files.
    pub counts: Counts,
    /// Whether it failed.
    pub failed: bool,
}

impl RepositoryReport {
    pub(super) fn new(settings: &RepositorySettings) -> Self {
        Self {
            name: settings.name.clone(),
            files: 0,
            commit: None,
            counts: Counts::default(),
            failed: false,
        }
    }
}

/// How far a sync is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What is at work.
    pub of: String,
    /// The parts that are done.
    pub done: usize,
    /// The parts there are.
    pub all: usize,
}
