//! A context folder beside a database, as most tests need it.
#![allow(clippy::disallowed_methods, reason = "tests make databases and look at files")]
#![allow(dead_code, reason = "not every test uses all of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use mdgraft_context::{ContextFolder, Provider, SyncReport, SyncRequest, init, sync};

pub(crate) struct Project {
    root: tempfile::TempDir,
}

impl Project {
    /// A new context folder with these settings.
    pub(crate) fn new(settings: &str) -> Self {
        let project = Self { root: tempfile::tempdir().expect("a folder") };
        init(&project.folder()).expect("a context folder");
        project.settings(settings);
        project
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.root().join("context")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.root().join("shop.db")
    }

    pub(crate) fn settings(&self, text: &str) {
        self.write("mdgraft-context.toml", text);
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub(crate) fn sql(&self, sql: &str) {
        let connection = rusqlite::Connection::open(self.database()).expect("a database");
        connection.execute_batch(sql).expect("SQL");
    }

    pub(crate) fn sync(&self) -> SyncReport {
        self.run(&[], &|_| None, UNIX_EPOCH)
    }

    pub(crate) fn sync_only(&self, only: &[Provider]) -> SyncReport {
        self.run(only, &|_| None, UNIX_EPOCH)
    }

    pub(crate) fn sync_with(&self, environment: impl Fn(&str) -> Option<String>) -> SyncReport {
        self.run(&[], &environment, UNIX_EPOCH)
    }

    pub(crate) fn sync_at(&self, now: SystemTime) -> SyncReport {
        self.run(&[], &|_| None, now)
    }

    fn run(
        &self,
        only: &[Provider],
        environment: &dyn Fn(&str) -> Option<String>,
        now: SystemTime,
    ) -> SyncReport {
        let folder = self.folder();
        let request =
            SyncRequest { folder: &folder, only, environment, now, progress: &mut |_| {} };
        sync(request).expect("a sync")
    }

    /// The folder of a table with a plain name.
    pub(crate) fn table(&self, name: &str) -> PathBuf {
        let path = format!("databases/type=sqlite/database=shop/schema=main/table={name}");
        self.folder().join(path)
    }

    pub(crate) fn read(&self, table: &str, file: &str) -> String {
        fs::read_to_string(self.table(table).join(file)).expect("a file")
    }

    /// The names of the tables, as the read side sees them.
    pub(crate) fn tables(&self) -> Vec<String> {
        let folder = ContextFolder::open(self.folder()).expect("a folder");
        let objects = folder.objects().expect("objects");
        objects.iter().map(|object| object.table.clone()).collect()
    }
}

/// All files below a folder with their bytes, but for those that the program keeps for itself.
pub(crate) fn snapshot(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(path) = folders.pop() {
        for entry in fs::read_dir(&path).expect("a folder") {
            let entry = entry.expect("an entry");
            let kind = entry.file_type().expect("a kind");
            if entry.file_name() == ".meta" {
                continue;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                let name = entry.path();
                let name = name.strip_prefix(folder).expect("a file below");
                let name = name.to_string_lossy().into_owned();
                files.insert(name, fs::read(entry.path()).expect("a file"));
            }
        }
    }
    files
}
