//! `SQLite`. The only file that names `rusqlite`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};

use super::{Cell, Column, Database, DatabaseError, ForeignKey, Index, Profile, Table};
use crate::settings::Selection;
use crate::tools::cut_in_the_middle;

/// An open database file.
pub(super) struct Sqlite {
    connection: Connection,
    clock: Arc<Clock>,
    timeout: Duration,
    selection: Selection,
}

/// The longest text of a cell, in characters.
const LONGEST_TEXT: usize = 256;

/// The longest value that is read at all, in bytes.
const LONGEST_VALUE: i32 = 64 * 1024 * 1024;

/// How many steps the database takes between two looks at the clock.
const STEPS: i32 = 10_000;

impl Sqlite {
    /// Opens a file for reading only: it is not made, not written, and not taken for an address.
    #[expect(clippy::disallowed_methods, reason = "the one door to a database file")]
    pub(super) fn open(
        file: &Path,
        timeout_seconds: u64,
        selection: Selection,
    ) -> Result<Self, DatabaseError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection =
            Connection::open_with_flags(file, flags).map_err(|error| said(&error))?;
        let timeout = Duration::from_secs(timeout_seconds.clamp(1, 24 * 60 * 60));
        let clock = Arc::new(Clock::default());
        harden(&mut connection, timeout, &clock, &selection).map_err(|error| said(&error))?;
        let mut database = Self { connection, clock, timeout, selection };
        // Whether it is a database shows only when it is read.
        database.ask("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(database)
    }

    /// Asks, and reads all rows of the answer, within the time that one question may take.
    fn ask<T>(
        &mut self,
        sql: &str,
        arguments: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, DatabaseError> {
        self.clock.start(self.timeout);
        let asked = self.connection.prepare(sql).and_then(|mut statement| {
            let rows = statement.query_map(arguments, read)?;
            rows.collect()
        });
        if self.clock.is_over() {
            let seconds = self.timeout.as_secs();
            return Err(DatabaseError(format!("it took longer than {seconds} s")));
        }
        asked.map_err(|error| said(&error))
    }

    fn columns(&mut self, schema: &str, table: &str) -> Result<Vec<(Column, u32)>, DatabaseError> {
        let sql = "SELECT name, type, \"notnull\", dflt_value, pk, hidden \
                   FROM pragma_table_xinfo(?1, ?2) ORDER BY cid";
        let columns = self.ask(sql, [table, schema], |row| {
            let hidden: u32 = row.get(5)?;
            let column = Column {
                name: text(row.get_ref(0)?),
                kind: text(row.get_ref(1)?),
                nullable: row.get::<_, i64>(2)? == 0,
                default: match row.get_ref(3)? {
                    ValueRef::Null => None,
                    value => Some(text(value)),
                },
                generated: hidden >= 2,
            };
            Ok((column, row.get::<_, u32>(4)?, hidden))
        })?;
        // Hidden columns of virtual tables are arguments, not data.
        let shown = columns.into_iter().filter(|(_, _, hidden)| *hidden != 1);
        Ok(shown.map(|(column, key, _)| (column, key)).collect())
    }

    fn foreign_keys(&mut self, table: &Table) -> Result<Vec<ForeignKey>, DatabaseError> {
        let sql = "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1, ?2) \
                   ORDER BY id, seq";
        let rows = self.ask(sql, [&table.name, &table.schema], |row| {
            let other = match row.get_ref(3)? {
                ValueRef::Null => None,
                value => Some(text(value)),
            };
            Ok((row.get::<_, i64>(0)?, text(row.get_ref(1)?), text(row.get_ref(2)?), other))
        })?;
        let mut keys: Vec<(i64, ForeignKey)> = Vec::new();
        for (id, other_table, column, other) in rows {
            match keys.last_mut().filter(|(last, _)| *last == id) {
                Some((_, key)) => {
                    key.columns.push(column);
                    key.other.extend(other);
                }
                None => keys.push((
                    id,
                    ForeignKey {
                        columns: vec![column],
                        table: other_table,
                        other: other.into_iter().collect(),
                    },
                )),
            }
        }
        let hidden =
            |table: &str, column: &String| self.selection.hides_column("main", table, column);
        let mut keys: Vec<ForeignKey> = keys.into_iter().map(|(_, key)| key).collect();
        keys.retain(|key| {
            !key.columns.iter().any(|column| hidden(&table.name, column))
                && !key.other.iter().any(|column| hidden(&key.table, column))
                && self.selection.takes_table(&table.schema, &key.table)
        });
        keys.sort_unstable();
        Ok(keys)
    }

    fn indexes(&mut self, table: &Table) -> Result<Vec<Index>, DatabaseError> {
        let sql = "SELECT name, \"unique\" FROM pragma_index_list(?1, ?2) \
                   WHERE origin = 'c' ORDER BY name";
        let indexes = self.ask(sql, [&table.name, &table.schema], |row| {
            Ok((text(row.get_ref(0)?), row.get::<_, i64>(1)? != 0))
        })?;
        let mut found = Vec::new();
        for (name, unique) in indexes {
            let sql = "SELECT name FROM pragma_index_info(?1, ?2) ORDER BY seqno";
            let columns = self.ask(sql, [&name, &table.schema], |row| {
                Ok(match row.get_ref(0)? {
                    ValueRef::Null => None,
                    value => Some(text(value)),
                })
            })?;
            // One over an expression has a column without name, and may show a hidden one.
            let columns: Option<Vec<String>> = columns.into_iter().collect();
            let shown = |columns: &Vec<String>| {
                let shown = |column: &String| table.columns.iter().any(|one| one.name == *column);
                columns.iter().all(shown)
            };
            if let Some(columns) = columns.filter(shown) {
                found.push(Index { name, columns, unique });
            }
        }
        Ok(found)
    }
}

impl Database for Sqlite {
    fn schemas(&mut self) -> Result<Vec<String>, DatabaseError> {
        Ok(vec!["main".to_owned()])
    }

    fn tables(&mut self, schema: &str) -> Result<Vec<String>, DatabaseError> {
        let sql = "SELECT name FROM pragma_table_list \
                   WHERE schema = ?1 AND type IN ('table', 'view', 'virtual') \
                   AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
        let mut tables = self.ask(sql, [schema], |row| Ok(text(row.get_ref(0)?)))?;
        tables.sort_unstable();
        tables.retain(|table| self.selection.takes_table(schema, table));
        Ok(tables)
    }

    fn describe(&mut self, schema: &str, name: &str) -> Result<Table, DatabaseError> {
        let sql = "SELECT type, wr FROM pragma_table_list WHERE schema = ?1 AND name = ?2";
        let found = self.ask(sql, [schema, name], |row| {
            Ok((text(row.get_ref(0)?), row.get::<_, i64>(1)? != 0))
        })?;
        let Some((kind, without_rowid)) = found.into_iter().next() else {
            return Err(DatabaseError("there is no such table".to_owned()));
        };
        let columns = self.columns(schema, name)?;
        if columns.is_empty() {
            return Err(DatabaseError("it has no columns that can be read".to_owned()));
        }
        let mut key: Vec<&(Column, u32)> = columns.iter().filter(|(_, key)| *key > 0).collect();
        key.sort_by_key(|(_, key)| *key);
        let key: Vec<String> = key.into_iter().map(|(column, _)| column.name.clone()).collect();
        let hidden = |column: &String| self.selection.hides_column(schema, name, column);
        let has_rowid = kind == "table" && !without_rowid;
        let order = match () {
            () if !key.is_empty() => {
                key.iter().map(|column| format!("t.{}", quoted(column))).collect()
            }
            // A column may be called like this, and then that is the order: fixed as well.
            () if has_rowid => vec!["t.rowid".to_owned()],
            () => Vec::new(),
        };
        let mut table = Table {
            schema: schema.to_owned(),
            name: name.to_owned(),
            is_view: kind == "view",
            primary_key: if key.iter().any(&hidden) { Vec::new() } else { key },
            columns: columns.into_iter().map(|(column, _)| column).collect(),
            order,
            ..Table::default()
        };
        table.columns.retain(|column| !hidden(&column.name));
        table.foreign_keys = self.foreign_keys(&table)?;
        table.indexes = self.indexes(&table)?;
        Ok(table)
    }

    fn row_count(&mut self, table: &Table) -> Result<u64, DatabaseError> {
        let counts = self.ask(&format!("SELECT count(*) FROM {}", from(table)), [], |row| {
            row.get::<_, i64>(0)
        })?;
        Ok(counts.first().copied().unwrap_or_default().unsigned_abs())
    }

    fn rows(&mut self, table: &Table, most: usize) -> Result<Vec<Vec<Cell>>, DatabaseError> {
        if table.columns.is_empty() {
            return Ok(Vec::new());
        }
        let columns: Vec<String> =
            table.columns.iter().map(|column| format!("t.{}", quoted(&column.name))).collect();
        let order = match table.order.as_slice() {
            [] => String::new(),
            order => format!(" ORDER BY {}", order.join(", ")),
        };
        let sql = format!("SELECT {} FROM {}{order} LIMIT {most}", columns.join(", "), from(table));
        self.ask(&sql, [], |row| (0..columns.len()).map(|at| row.get_ref(at).map(cell)).collect())
    }

    fn profile(&mut self, table: &Table) -> Result<Vec<Profile>, DatabaseError> {
        let mut profiles = Vec::new();
        for column in &table.columns {
            let name = format!("t.{}", quoted(&column.name));
            let sql = format!(
                "SELECT count(*) - count({name}), count(DISTINCT {name}), min({name}), max({name}) \
                 FROM {}",
                from(table),
            );
            profiles.extend(self.ask(&sql, [], |row| {
                Ok(Profile {
                    column: column.name.clone(),
                    kind: column.kind.clone(),
                    nulls: row.get::<_, i64>(0)?.unsigned_abs(),
                    distinct: row.get::<_, i64>(1)?.unsigned_abs(),
                    least: cell(row.get_ref(2)?),
                    greatest: cell(row.get_ref(3)?),
                })
            })?);
        }
        Ok(profiles)
    }
}

/// Nothing is written, nothing in the file is trusted, no question takes for ever, and a column
/// that is excluded reads as null, also through views and expressions of others.
fn harden(
    connection: &mut Connection,
    timeout: Duration,
    clock: &Arc<Clock>,
    selection: &Selection,
) -> rusqlite::Result<()> {
    connection.busy_timeout(timeout)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "query_only", true)?;
    let clock = Arc::clone(clock);
    connection.progress_handler(STEPS, Some(move || clock.check()))?;
    let selection = selection.clone();
    let authorize = move |context: AuthContext<'_>| match context.action {
        AuthAction::Read { table_name, column_name } => {
            let schema = context.database_name.unwrap_or("main");
            let hidden = selection.hides_column(schema, table_name, column_name);
            if hidden { Authorization::Ignore } else { Authorization::Allow }
        }
        _ => Authorization::Allow,
    };
    connection.authorizer(Some(authorize))
}

/// When a question has to end.
#[derive(Default)]
struct Clock {
    end: std::sync::Mutex<Option<Instant>>,
    over: AtomicBool,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "a time-out is a matter of time")]
    fn start(&self, timeout: Duration) {
        self.over.store(false, Ordering::Relaxed);
        *self.end.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
            Instant::now().checked_add(timeout);
    }

    /// Whether to stop.
    #[expect(clippy::disallowed_methods, reason = "a time-out is a matter of time")]
    fn check(&self) -> bool {
        let end = *self.end.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let over = end.is_some_and(|end| Instant::now() >= end);
        self.over.fetch_or(over, Ordering::Relaxed);
        over
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

/// An identifier, whatever it holds. Columns are written with the table before them, since `SQLite`
/// takes an unknown name in double quotes for a text.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn from(table: &Table) -> String {
    format!("{}.{} AS t", quoted(&table.schema), quoted(&table.name))
}

fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Null | ValueRef::Blob(_) => String::new(),
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            Cell::Text(cut_in_the_middle(&text, LONGEST_TEXT).into_owned())
        }
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.len()),
    }
}

/// What `SQLite` said, in one line.
fn said(error: &rusqlite::Error) -> DatabaseError {
    DatabaseError(crate::error::plain(&error.to_string()))
}
