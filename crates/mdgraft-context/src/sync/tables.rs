//! The files of a database: a folder for each table, a file for each template.

use mdgraft::Vars;
use serde::Serialize;

use super::cells::{grouped, profile, row};
use super::report::{DatabaseReport, Step, Trouble};
use super::templates::Template;
use super::writer::{Kept, Writer, in_words};
use crate::database::{Database, DatabaseError, Table, open};
use crate::error::{ContextError, plain};
use crate::names;
use crate::settings::{DatabaseSettings, Profiling};
use crate::sync::{Run, templates};
use crate::tools::cut_in_the_middle;

/// The longest default or description that is written, in characters.
const LONGEST_TEXT: usize = 256;

/// Writes the files of one database. What could not be read keeps its files, and is told.
pub(super) fn sync_database(
    run: &mut Run<'_>,
    writer: &mut Writer,
    settings: &DatabaseSettings,
) -> Result<DatabaseReport, ContextError> {
    let before = writer.counts;
    let mut report = DatabaseReport::new(settings);
    let source = source(settings);
    let opened = open(settings, run.folder, run.environment);
    let templates = templates::for_tables(run.folder, settings.templates.as_deref());
    let (mut database, templates) = match (opened, templates) {
        (Ok(database), Ok(templates)) => (database, templates),
        (Err(DatabaseError(reason)), _) | (_, Err(reason)) => {
            run.trouble(Trouble::new(report.shown(), reason));
            report.failed = true;
            return Ok(report);
        }
    };
    let folder = folder_of(settings);
    let mut tables = Tables {
        run,
        writer,
        settings,
        templates: &templates,
        source: &source,
        report: &mut report,
    };
    for template in &templates {
        if let Err(reason) = &template.tree {
            tables.failed(&format!("template {}", template.stem), reason.clone());
        }
    }
    let read = match database.schemas() {
        Ok(schemas) => {
            for schema in schemas {
                tables.schema(database.as_mut(), &folder, &schema)?;
            }
            true
        }
        Err(error) => {
            tables.failed("its schemas", error.0);
            false
        }
    };
    if read {
        writer.adopt_begun(|path| path.starts_with(&format!("{folder}/")).then(|| source.clone()));
        let kept = writer.sweep(|of| of == source);
        for kept in &kept {
            let (path, reason) = in_words(kept);
            run.trouble(Trouble::new(path, reason));
        }
    }
    report.counts = writer.counts.since(before);
    Ok(report)
}

/// The source of a database, as the manifest names it.
pub(super) fn source(settings: &DatabaseSettings) -> String {
    format!("database:{}:{}", settings.kind, settings.name)
}

fn folder_of(settings: &DatabaseSettings) -> String {
    let (kind, name) =
        (names::folders("type", &settings.kind), names::folders("database", &settings.name));
    format!("databases/{kind}/{name}")
}

struct Tables<'a, 'r> {
    run: &'a mut Run<'r>,
    writer: &'a mut Writer,
    settings: &'a DatabaseSettings,
    templates: &'a [Template],
    source: &'a str,
    report: &'a mut DatabaseReport,
}

impl Tables<'_, '_> {
    fn failed(&mut self, what: &str, reason: String) {
        let what = format!("{}: {}", self.report.shown(), plain(what));
        self.run.trouble(Trouble::new(what, reason));
        self.report.failed = true;
    }

    fn schema(
        &mut self,
        database: &mut dyn Database,
        folder: &str,
        schema: &str,
    ) -> Result<(), ContextError> {
        let folder = format!("{folder}/{}", names::folders("schema", schema));
        let tables = match database.tables(schema) {
            Ok(tables) => tables,
            Err(error) => {
                self.failed(schema, error.0);
                self.writer.keep_below(&folder);
                return Ok(());
            }
        };
        self.report.schemas += 1;
        let count = tables.len();
        for (at, table) in tables.iter().enumerate() {
            (self.run.progress)(&Step { of: self.report.shown(), done: at, all: count });
            let folder = format!("{folder}/{}", names::folders("table", table));
            match database.describe(schema, table) {
                Ok(described) => self.table(database, &folder, &described)?,
                Err(error) => {
                    self.failed(&format!("{schema}.{table}"), error.0);
                    self.writer.keep_below(&folder);
                }
            }
        }
        Ok(())
    }

    fn table(
        &mut self,
        database: &mut dyn Database,
        folder: &str,
        table: &Table,
    ) -> Result<(), ContextError> {
        let name = format!("{}.{}", table.schema, table.name);
        let mut asked = Asked::default();
        let mut files = Vec::new();
        for template in self.templates {
            let path = format!("{folder}/{}.md", template.stem);
            let tree = match &template.tree {
                Ok(tree) if !self.is_fresh(template, &path) => tree,
                // A profile that is new enough, or a template that does not load.
                _ => {
                    self.writer.keep(&path);
                    continue;
                }
            };
            let rendered = asked
                .answers(database, table, template, self.settings)
                .map_err(|error| error.0)
                .and_then(|()| values(table, &asked, self.settings))
                .and_then(|vars| templates::render(tree, &vars));
            match rendered {
                Ok(text) => {
                    if template.wants("profiles") {
                        self.writer.manifest.profiled.insert(path.clone(), self.run.now);
                    }
                    files.push((path, text.into_bytes()));
                }
                Err(reason) => {
                    self.failed(&format!("{name}, template {}", template.stem), reason);
                    self.writer.keep(&path);
                }
            }
        }
        self.report.tables += 1;
        for kept in self.writer.put(self.source, files)? {
            let (path, reason) = in_words(&kept);
            match kept {
                Kept::Edited(_) => self.run.note(Trouble::new(path, reason)),
                Kept::Failed(..) => {
                    self.run.trouble(Trouble::new(path, reason));
                    self.report.failed = true;
                }
            }
        }
        Ok(())
    }

    /// Whether a profile is new enough.
    fn is_fresh(&self, template: &Template, path: &str) -> bool {
        const DAY: u64 = 24 * 60 * 60;
        if !template.wants("profiles") || !self.writer.manifest.files.contains_key(path) {
            return false;
        }
        let Some(made) = self.writer.manifest.profiled.get(path) else { return false };
        let age = self.run.now.saturating_sub(*made);
        match self.settings.profiling {
            Profiling::Always => false,
            Profiling::Once => true,
            Profiling::Interval => age < 7 * DAY,
            Profiling::Days { days } => age < u64::from(days) * DAY,
        }
    }
}

/// What was asked of a table so far: each question once, and only if a template needs it.
#[derive(Default)]
struct Asked {
    row_count: Option<u64>,
    rows: Option<Vec<String>>,
    profiles: Option<Vec<String>>,
}

impl Asked {
    fn answers(
        &mut self,
        database: &mut dyn Database,
        table: &Table,
        template: &Template,
        settings: &DatabaseSettings,
    ) -> Result<(), DatabaseError> {
        if template.wants("row_count") && self.row_count.is_none() {
            self.row_count = Some(database.row_count(table)?);
        }
        if template.wants("rows") && self.rows.is_none() {
            let rows = database.rows(table, settings.preview_rows)?;
            self.rows = Some(rows.iter().map(|cells| row(&table.columns, cells)).collect());
        }
        if template.wants("profiles") && self.profiles.is_none() {
            self.profiles = Some(database.profile(table)?.iter().map(profile).collect());
        }
        Ok(())
    }
}

/// What a template of a table can use.
#[derive(Serialize)]
struct Values<'a> {
    #[serde(rename = "type")]
    database_type: &'a str,
    database: &'a str,
    schema: &'a str,
    table: &'a str,
    kind: &'static str,
    fqdn: String,
    description: &'a str,
    columns: Vec<ColumnValues<'a>>,
    primary_key: &'a [String],
    foreign_keys: Vec<KeyValues<'a>>,
    indexes: Vec<IndexValues<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row_count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profiles: Option<&'a [String]>,
}

#[derive(Serialize)]
struct ColumnValues<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    nullable: bool,
    default: String,
    generated: bool,
    description: String,
}

#[derive(Serialize)]
struct KeyValues<'a> {
    columns: &'a [String],
    table: &'a str,
    other: &'a [String],
}

#[derive(Serialize)]
struct IndexValues<'a> {
    name: &'a str,
    columns: &'a [String],
    unique: bool,
}

fn values(table: &Table, asked: &Asked, settings: &DatabaseSettings) -> Result<Vars, String> {
    let name = format!("{}.{}", table.schema, table.name);
    let description = |name: &str| settings.descriptions.get(name).map_or("", String::as_str);
    let cut = |text: &str| cut_in_the_middle(text, LONGEST_TEXT).into_owned();
    let columns = table.columns.iter().map(|column| ColumnValues {
        name: &column.name,
        kind: if column.kind.is_empty() { "any" } else { &column.kind },
        nullable: column.nullable,
        default: cut(column.default.as_deref().unwrap_or_default()),
        generated: column.generated,
        description: cut(description(&format!("{name}.{}", column.name))),
    });
    let values = Values {
        database_type: &settings.kind,
        database: &settings.name,
        schema: &table.schema,
        table: &table.name,
        kind: if table.is_view { "view" } else { "table" },
        fqdn: crate::objects::fqdn(&settings.name, &table.schema, &table.name),
        description: description(&name),
        columns: columns.collect(),
        primary_key: &table.primary_key,
        foreign_keys: table
            .foreign_keys
            .iter()
            .map(|key| KeyValues { columns: &key.columns, table: &key.table, other: &key.other })
            .collect(),
        indexes: table
            .indexes
            .iter()
            .map(|one| IndexValues { name: &one.name, columns: &one.columns, unique: one.unique })
            .collect(),
        row_count: asked.row_count.map(grouped),
        rows: asked.rows.as_deref(),
        profiles: asked.profiles.as_deref(),
    };
    Vars::from_serialize(&values).map_err(|error| error.to_string())
}
