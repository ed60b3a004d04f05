//! What a database is asked. Each kind stands in a file of its own and is opened by [`open`].

mod sqlite;

use std::path::Path;

use crate::settings::{DatabaseSettings, Environment, Selection};

/// A database that metadata is read from.
///
/// Everything is read only, and every question ends after the time that the settings allow. What
/// the settings exclude is neither asked nor answered.
pub(crate) trait Database {
    /// The schemas, in a fixed order.
    ///
    /// # Errors
    ///
    /// What the database said.
    fn schemas(&mut self) -> Result<Vec<String>, DatabaseError>;

    /// The tables and views of a schema, in byte order of the names.
    ///
    /// # Errors
    ///
    /// What the database said.
    fn tables(&mut self, schema: &str) -> Result<Vec<String>, DatabaseError>;

    /// What a table is made of.
    ///
    /// # Errors
    ///
    /// What the database said.
    fn describe(&mut self, schema: &str, table: &str) -> Result<Table, DatabaseError>;

    /// The number of rows.
    ///
    /// # Errors
    ///
    /// What the database said.
    fn row_count(&mut self, table: &Table) -> Result<u64, DatabaseError>;

    /// The first rows, in an order that is the same for the same data where there is one.
    ///
    /// # Errors
    ///
    /// What the database said.
    fn rows(&mut self, table: &Table, most: usize) -> Result<Vec<Vec<Cell>>, DatabaseError>;

    /// What is in each column.
    ///
    /// # Errors
    ///
    /// What the database said.
    fn profile(&mut self, table: &Table) -> Result<Vec<Profile>, DatabaseError>;
}

/// What a table is made of, without excluded columns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Table {
    /// The schema.
    pub(crate) schema: String,
    /// The name.
    pub(crate) name: String,
    /// Whether it is a view.
    pub(crate) is_view: bool,
    /// The columns, in their order.
    pub(crate) columns: Vec<Column>,
    /// The columns of the primary key, in its order.
    pub(crate) primary_key: Vec<String>,
    /// The references to other tables.
    pub(crate) foreign_keys: Vec<ForeignKey>,
    /// The indexes, by name.
    pub(crate) indexes: Vec<Index>,
    /// The expressions by which rows come in a fixed order, as the database writes them.
    pub(crate) order: Vec<String>,
}

/// A column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Column {
    /// The name.
    pub(crate) name: String,
    /// The type, as the database writes it; empty if it has none.
    pub(crate) kind: String,
    /// Whether it may be null.
    pub(crate) nullable: bool,
    /// The expression that a new row gets, as the database writes it.
    pub(crate) default: Option<String>,
    /// Whether it is computed from others.
    pub(crate) generated: bool,
}

/// A reference to another table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ForeignKey {
    /// The columns here.
    pub(crate) columns: Vec<String>,
    /// The other table.
    pub(crate) table: String,
    /// Its columns; empty where the database leaves its primary key unsaid.
    pub(crate) other: Vec<String>,
}

/// An index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Index {
    /// The name.
    pub(crate) name: String,
    /// The columns.
    pub(crate) columns: Vec<String>,
    /// Whether no two rows have the same values.
    pub(crate) unique: bool,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Cell {
    /// No value.
    Null,
    /// An integer.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text, cut in the middle where it is long.
    Text(String),
    /// Bytes, of which only the number is told.
    Bytes(usize),
}

/// What is in a column.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Profile {
    /// The column.
    pub(crate) column: String,
    /// Its type.
    pub(crate) kind: String,
    /// The rows without a value.
    pub(crate) nulls: u64,
    /// The different values.
    pub(crate) distinct: u64,
    /// The least value.
    pub(crate) least: Cell,
    /// The greatest value.
    pub(crate) greatest: Cell,
}

/// What a database said instead of an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct DatabaseError(pub(crate) String);

/// Opens the database of a connection. The message of an error holds no secret.
pub(crate) fn open(
    settings: &DatabaseSettings,
    folder: &Path,
    environment: Environment<'_>,
) -> Result<Box<dyn Database>, DatabaseError> {
    let selection = Selection::of(settings).map_err(DatabaseError)?;
    let path = settings.path.resolve(environment).map_err(DatabaseError)?;
    match settings.kind.as_str() {
        "sqlite" => {
            let file = folder.join(path.value());
            let opened = sqlite::Sqlite::open(&file, settings.timeout_seconds, selection);
            match opened {
                Ok(database) => Ok(Box::new(database)),
                Err(error) => Err(DatabaseError(path.hide_in(&error.0))),
            }
        }
        kind => Err(DatabaseError(format!("the type `{kind}` is not known"))),
    }
}
