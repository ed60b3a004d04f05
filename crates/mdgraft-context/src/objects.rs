//! The tables of a context folder, known from the names of its folders alone.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::disk::{Disk, Facts, Kind};
use crate::error::{ContextError, plain};
use crate::names::{self, MORE};
use crate::path::{VirtualPath, join};
use crate::rules::Rules;
use crate::sandbox::ContextFolder;
use crate::tools::{Content, ReadRequest};
use crate::walk::is_plain;

/// A table, as the folders name it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Object {
    /// The kind of database, as in `sqlite`.
    pub kind: String,
    /// The database.
    pub database: String,
    /// The schema.
    pub schema: String,
    /// The table or view.
    pub table: String,
    /// Its folder, as a path from `/`.
    pub path: String,
}

impl Object {
    /// `database.schema.table`. A name that holds a dot, a blank or a quote stands in double
    /// quotes, so that different tables of one kind have different names.
    #[must_use]
    pub fn fqdn(&self) -> String {
        fqdn(&self.database, &self.schema, &self.table)
    }
}

pub(crate) fn fqdn(database: &str, schema: &str, table: &str) -> String {
    [database, schema, table].map(quoted).join(".")
}

fn quoted(name: &str) -> String {
    let is_special = |letter: char| letter == '.' || letter == '"' || letter.is_whitespace();
    if name.is_empty() || name.contains(is_special) {
        return format!("\"{}\"", name.replace('"', "\"\""));
    }
    name.to_owned()
}

/// The folders of an object, from the top.
const KEYS: [&str; 4] = ["type", "database", "schema", "table"];
const TOP: &str = "databases";

/// The folders that continue one name at most.
const LONGEST_NAME: usize = 64;

impl ContextFolder {
    /// The tables, sorted by their names.
    ///
    /// Nothing but names of folders is read. The answer is kept and holds as long as the folders
    /// above the tables are as they were: asking again costs a look at each of them, and not one
    /// at each table.
    ///
    /// # Errors
    ///
    /// [`ContextError::Failed`] if a folder cannot be read, [`ContextError::Settings`].
    pub fn objects(&self) -> Result<Arc<[Object]>, ContextError> {
        let rules = self.rules()?;
        let mut kept = self.objects.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref().filter(|kept| kept.holds(self.disk(), &rules)) {
            return Ok(Arc::clone(&kept.objects));
        }
        let mut reading = Reading { rules: &rules, objects: Vec::new(), seen: Vec::new() };
        reading.top(self.disk())?;
        let Reading { mut objects, seen, .. } = reading;
        objects.sort_unstable();
        let objects: Arc<[Object]> = objects.into();
        *kept = Some(Kept { rules: Arc::clone(&rules), seen, objects: Arc::clone(&objects) });
        Ok(objects)
    }

    /// The table of a name: `database.schema.table`, or with the kind of database before it.
    ///
    /// # Errors
    ///
    /// [`ContextError::NotFound`], [`ContextError::Argument`] if several kinds of database have
    /// such a table, and as [`objects`](Self::objects).
    pub fn object(&self, name: &str) -> Result<Object, ContextError> {
        let objects = self.objects()?;
        let of_name = |object: &&Object| {
            object.fqdn() == name || format!("{}.{}", quoted(&object.kind), object.fqdn()) == name
        };
        let found: Vec<&Object> = objects.iter().filter(of_name).collect();
        match found.as_slice() {
            [] => Err(ContextError::not_found(name)),
            [one] => Ok((*one).clone()),
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|object| format!("`{}.{}`", quoted(&object.kind), object.fqdn()))
                    .collect();
                let (name, names) = (plain(name), names.join(" or "));
                Err(ContextError::Argument(format!("`{name}` is the name of several: {names}")))
            }
        }
    }

    /// The columns of a table: its `columns.md`.
    ///
    /// # Errors
    ///
    /// As [`object`](Self::object) and [`read`](Self::read).
    pub fn columns(&self, name: &str) -> Result<Content, ContextError> {
        let path = format!("{}/columns.md", self.object(name)?.path);
        self.read(&ReadRequest { path, ..ReadRequest::default() })
    }

    /// The tables that what somebody began to write may mean, the likeliest first, in any letter
    /// case: those whose name begins with it, then whose full name does, then which hold it.
    ///
    /// # Errors
    ///
    /// As [`objects`](Self::objects).
    pub fn complete(&self, begun: &str, most: usize) -> Result<Vec<Object>, ContextError> {
        let begun = begun.to_lowercase();
        let objects = self.objects()?;
        let mut found: Vec<(usize, usize, &Object)> = Vec::new();
        for object in objects.iter() {
            let (table, fqdn) = (object.table.to_lowercase(), object.fqdn().to_lowercase());
            let rank = match () {
                () if table == begun => 0,
                () if table.starts_with(&begun) => 1,
                () if fqdn.starts_with(&begun) => 2,
                () if fqdn.contains(&begun) => 3,
                () => continue,
            };
            found.push((rank, table.chars().count(), object));
        }
        found.sort_unstable();
        Ok(found.into_iter().take(most).map(|(.., object)| object.clone()).collect())
    }
}

/// The last answer, and what it was read from.
#[derive(Debug, Default)]
pub(crate) struct ObjectCache {
    kept: Mutex<Option<Kept>>,
}

#[derive(Debug)]
struct Kept {
    rules: Arc<Rules>,
    seen: Vec<Seen>,
    objects: Arc<[Object]>,
}

/// A folder whose names were read, and what was known of it then; none if it was not there.
#[derive(Debug)]
struct Seen {
    path: String,
    facts: Option<Facts>,
    /// Whether it had been left alone for long enough that a change since must show.
    settled: bool,
}

/// Times on disk are no finer than this on any usual file system.
const SETTLED: Duration = Duration::from_secs(2);

impl Kept {
    fn holds(&self, root: &Disk, rules: &Arc<Rules>) -> bool {
        Arc::ptr_eq(&self.rules, rules)
            && self.seen.iter().all(|seen| {
                seen.settled && look(root, &seen.path).is_ok_and(|facts| facts == seen.facts)
            })
    }
}

fn look(root: &Disk, path: &str) -> std::io::Result<Option<Facts>> {
    root.folders(path)?.map(|folder| folder.own_facts()).transpose()
}

/// Whether a folder was last changed long enough ago.
#[expect(clippy::disallowed_methods, reason = "a time on disk is compared with the clock")]
fn is_settled(facts: Option<Facts>) -> bool {
    let Some(facts) = facts else { return true };
    let age = facts.modified.and_then(|time| SystemTime::now().duration_since(time).ok());
    age.is_some_and(|age| age > SETTLED)
}

struct Reading<'a> {
    rules: &'a Rules,
    objects: Vec<Object>,
    seen: Vec<Seen>,
}

impl Reading<'_> {
    fn top(&mut self, root: &Disk) -> Result<(), ContextError> {
        let failed = |error| ContextError::failed(&format!("/{TOP}"), "read", &error);
        if self.rules.denied(TOP, TOP, true).is_some() {
            return Ok(());
        }
        let Some(folder) = root.folders(TOP).map_err(failed)? else {
            self.seen.push(Seen { path: TOP.to_owned(), facts: None, settled: true });
            return Ok(());
        };
        self.level(&folder, TOP, &mut Vec::new())
    }

    /// Reads a folder whose folders have the next key.
    fn level(
        &mut self,
        folder: &Disk,
        path: &str,
        names: &mut Vec<String>,
    ) -> Result<(), ContextError> {
        let key = KEYS[names.len()];
        for (name, part) in self.values(folder, path, key)? {
            let here = join(path, &name);
            if !part.continued && names.len() + 1 == KEYS.len() {
                self.object(&here, names, part.text);
                continue;
            }
            let Some(below) = open(folder, &name)? else { continue };
            if part.continued {
                self.continued(&below, &here, names, &part, 0)?;
            } else {
                names.push(part.text);
                self.level(&below, &here, names)?;
                names.pop();
            }
        }
        Ok(())
    }

    /// Reads the rest of a name that is too long for one folder.
    fn continued(
        &mut self,
        folder: &Disk,
        path: &str,
        names: &mut Vec<String>,
        begun: &names::Part,
        depth: usize,
    ) -> Result<(), ContextError> {
        let mut is_whole = true;
        for (name, part) in self.values(folder, path, MORE)? {
            is_whole = false;
            let here = join(path, &name);
            let text = format!("{}{}", begun.text, part.text);
            if !part.continued && names.len() + 1 == KEYS.len() {
                self.object(&here, names, text);
                continue;
            }
            let Some(below) = open(folder, &name)? else { continue };
            if part.continued && depth < LONGEST_NAME {
                let begun = names::Part { text, continued: true };
                self.continued(&below, &here, names, &begun, depth + 1)?;
            } else {
                names.push(text);
                self.level(&below, &here, names)?;
                names.pop();
            }
        }
        if !is_whole {
            return Ok(());
        }
        // Somebody else's name that happens to end like this.
        let text = format!("{}%", begun.text);
        if names.len() + 1 == KEYS.len() {
            self.object(path, names, text);
            return Ok(());
        }
        names.push(text);
        self.level(folder, path, names)?;
        names.pop();
        Ok(())
    }

    fn object(&mut self, path: &str, names: &[String], table: String) {
        let [kind, database, schema] = names else { return };
        self.objects.push(Object {
            kind: kind.clone(),
            database: database.clone(),
            schema: schema.clone(),
            table,
            path: VirtualPath::folded(path).to_string(),
        });
    }

    /// The visible folders `key=value` in a folder, sorted.
    fn values(
        &mut self,
        folder: &Disk,
        path: &str,
        key: &str,
    ) -> Result<Vec<(String, names::Part)>, ContextError> {
        let failed = |error| ContextError::failed(&format!("/{path}"), "read", &error);
        // Looked at before its names are read: what changes in between shows the next time.
        let facts = Some(folder.own_facts().map_err(failed)?);
        let settled = is_settled(facts);
        self.seen.push(Seen { path: path.to_owned(), facts, settled });
        let mut values = Vec::new();
        for (name, kind) in folder.names().map_err(failed)? {
            let Some(name) = name.to_str().filter(|name| is_plain(name)) else { continue };
            let value = name.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
            let Some(value) = value.filter(|value| !value.is_empty()) else { continue };
            if kind != Kind::Folder || self.rules.denied(&join(path, name), name, true).is_some() {
                continue;
            }
            values.push((name.to_owned(), names::read(value)));
        }
        values.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        Ok(values)
    }
}

/// A folder, if it is still there.
fn open(folder: &Disk, name: &str) -> Result<Option<Disk>, ContextError> {
    match folder.folder(name) {
        Ok(folder) => Ok(Some(folder)),
        Err(error) if crate::disk::is_absence(&error) => Ok(None),
        Err(error) => Err(ContextError::failed(name, "read", &error)),
    }
}
