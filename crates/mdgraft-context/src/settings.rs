//! `mdgraft-context.toml`: which databases and repositories a context folder is made from. The
//! only file that reads the environment.

use std::fmt;

use serde::Deserialize;

use crate::error::{ContextError, plain};
use crate::glob::Patterns;

/// The name of the settings, at the top of the context folder.
pub const SETTINGS_FILE: &str = "mdgraft-context.toml";

/// The settings of a context folder.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The databases, in the order in which they are read.
    pub databases: Vec<DatabaseSettings>,
    /// The repositories, in the order in which they are fetched.
    pub repositories: Vec<RepositorySettings>,
}

/// A database to read metadata from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseSettings {
    /// The kind of database. `sqlite` is known.
    #[serde(rename = "type")]
    pub kind: String,
    /// The name of the connection, which is also that of the database.
    pub name: String,
    /// The file of the database, from the context folder.
    pub path: Setting,
    /// Patterns for `schema.table`; without any, all are taken.
    #[serde(default)]
    pub include: Vec<String>,
    /// Patterns for `schema.table` to leave out; they win.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Patterns for `schema.table.column` to leave out of every file. One without a dot is a
    /// column of any table.
    #[serde(default)]
    pub exclude_columns: Vec<String>,
    /// The files of a table, by their templates.
    pub templates: Option<Vec<String>>,
    /// The rows of a preview.
    #[serde(default = "ten")]
    pub preview_rows: usize,
    /// The seconds that one question to the database may take.
    #[serde(default = "thirty")]
    pub timeout_seconds: u64,
    /// When profiles are made again.
    #[serde(default)]
    pub profiling: Profiling,
    /// What tables and columns are, by `schema.table` and `schema.table.column`.
    #[serde(default)]
    pub descriptions: std::collections::BTreeMap<String, String>,
}

/// When profiles are made again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profiling {
    /// At every sync.
    Always,
    /// Only where there is none.
    Once,
    /// Every seven days.
    #[default]
    Interval,
    /// When the last one is older than these days.
    #[serde(untagged)]
    Days {
        /// At least 1.
        days: u32,
    },
}

/// A repository to keep a copy of.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepositorySettings {
    /// The name of the folder in `repos/`.
    pub name: String,
    /// Where git finds it.
    pub url: Option<String>,
    /// The branch; the main one of the repository if none is given.
    pub branch: Option<String>,
    /// A folder on this machine, from the context folder.
    pub path: Option<Setting>,
    /// Patterns for files; without any, all are taken.
    #[serde(default)]
    pub include: Vec<String>,
    /// Patterns for files to leave out, of those that are included.
    #[serde(default)]
    pub exclude: Vec<String>,
}

fn ten() -> usize {
    10
}

fn thirty() -> u64 {
    30
}

/// A text, or the name of the environment variable that holds it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// The text itself.
    Text(String),
    /// `{ env = "NAME" }`: never printed, never written.
    Variable {
        /// The name of the variable.
        env: String,
    },
}

/// The value of a setting. It prints as it was written in the file, never as what the
/// environment says.
#[derive(Clone)]
pub(crate) struct Resolved {
    value: String,
    shown: String,
}

impl Setting {
    pub(crate) fn resolve(&self, environment: Environment<'_>) -> Result<Resolved, String> {
        match self {
            Self::Text(text) => Ok(Resolved { value: text.clone(), shown: plain(text) }),
            Self::Variable { env } => match environment(env) {
                Some(value) if !value.is_empty() => {
                    Ok(Resolved { value, shown: format!("${}", plain(env)) })
                }
                _ => Err(format!("the environment variable `{}` is not set", plain(env))),
            },
        }
    }
}

impl Resolved {
    pub(crate) fn value(&self) -> &str {
        &self.value
    }

    /// A message in which the value does not occur.
    pub(crate) fn hide_in(&self, message: &str) -> String {
        if self.value == self.shown || self.value.is_empty() {
            return message.to_owned();
        }
        message.replace(&self.value, &self.shown)
    }
}

impl fmt::Display for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// Where the values of variables come from.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The variables of this process.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub fn process_environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Settings {
    /// Reads the text of a settings file.
    ///
    /// # Errors
    ///
    /// [`ContextError::Settings`] with line and column.
    pub fn read(text: &str) -> Result<Self, ContextError> {
        let settings: Self = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let reason = error.message().lines().next().unwrap_or_default().to_owned();
            fault(text, offset, reason)
        })?;
        settings.check().map_err(|(what, reason)| {
            let offset = text.find(&format!("\"{what}\"")).unwrap_or_default();
            fault(text, offset, reason)
        })?;
        Ok(settings)
    }

    /// What cannot be said by types: the text concerned, and what is wrong.
    fn check(&self) -> Result<(), (String, String)> {
        let mut names = std::collections::BTreeSet::new();
        for database in &self.databases {
            let fault = |reason: String| Err((database.name.clone(), reason));
            let name = plain(&database.name);
            if database.name.is_empty() {
                return fault("a database has no name".to_owned());
            }
            if database.kind != "sqlite" {
                let kind = plain(&database.kind);
                let reason = format!("the type `{kind}` of `{name}` is not known; `sqlite` is");
                return Err((database.kind.clone(), reason));
            }
            if !names.insert((&database.kind, &database.name)) {
                return fault(format!("two databases are called `{name}`"));
            }
            if let Profiling::Days { days: 0 } = database.profiling {
                return fault(format!("the days of `{name}` must be at least 1"));
            }
            for pattern in
                database.include.iter().chain(&database.exclude).chain(&database.exclude_columns)
            {
                Patterns::new(std::slice::from_ref(pattern), false)
                    .map_err(|reason| (pattern.clone(), reason))?;
            }
        }
        let mut names = std::collections::BTreeSet::new();
        for repository in &self.repositories {
            let fault = |reason: String| Err((repository.name.clone(), reason));
            let name = plain(&repository.name);
            if !is_folder_name(&repository.name) {
                return fault(format!("`{name}` is no name of a folder in `repos/`"));
            }
            if !names.insert(repository.name.to_lowercase()) {
                return fault(format!("two repositories are called `{name}`"));
            }
            match (&repository.url, &repository.path, &repository.branch) {
                (None, None, _) => return fault(format!("`{name}` needs `url` or `path`")),
                (Some(_), Some(_), _) => {
                    return fault(format!("`{name}` has both `url` and `path`; give one"));
                }
                (None, Some(_), Some(_)) => {
                    return fault(format!("`branch` of `{name}` cannot be used with `path`"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Letters, digits, `.`, `_` and `-`, beginning with none that means something.
fn is_folder_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-');
    !name.is_empty()
        && name.len() <= 200
        && !name.starts_with(['.', '-'])
        && !name.ends_with('.')
        && name.chars().all(plain)
}

fn fault(text: &str, offset: usize, reason: String) -> ContextError {
    let before = text.get(..offset).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    ContextError::Settings { place: format!("{SETTINGS_FILE}:{line}:{column}"), reason }
}

/// The tables that are taken, and the columns that are not.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    include: Patterns,
    exclude: Patterns,
    columns: Patterns,
}

impl Selection {
    pub(crate) fn of(settings: &DatabaseSettings) -> Result<Self, String> {
        Ok(Self {
            include: Patterns::new(&settings.include, false)?,
            exclude: Patterns::new(&settings.exclude, false)?,
            columns: Patterns::new(&settings.exclude_columns, true)?,
        })
    }

    pub(crate) fn takes_table(&self, schema: &str, table: &str) -> bool {
        let name = format!("{schema}.{table}");
        (self.include.is_empty() || self.include.match_any(&name)) && !self.exclude.match_any(&name)
    }

    pub(crate) fn hides_column(&self, schema: &str, table: &str, column: &str) -> bool {
        self.columns.match_any(&format!("{schema}.{table}.{column}"))
            || (!column.contains('.') && self.columns.match_any(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told_with_their_place() {
        let database = "[[databases]]\ntype = \"sqlite\"\nname = \"shop\"\npath = \"x.db\"\n";
        let table = [
            ("databases = 1\n", "mdgraft-context.toml:1:13"),
            ("[[databases]]\ntype = \"oracle\"\nname = \"a\"\npath = \"x\"\n", "the type `oracle`"),
            (&format!("{database}{database}"), "two databases are called `shop`"),
            (&format!("{database}rows = 3\n"), "unknown field `rows`"),
            (&format!("{database}profiling = {{ days = 0 }}\n"), "at least 1"),
            (&format!("{database}exclude = [\"[z-a]\"]\n"), "mdgraft-context.toml:5:12"),
            ("[[repositories]]\nname = \"../x\"\nurl = \"u\"\n", "no name of a folder"),
            ("[[repositories]]\nname = \"x\"\n", "`x` needs `url` or `path`"),
            ("[[repositories]]\nname = \"x\"\nurl = \"u\"\npath = \"p\"\n", "give one"),
            (
                "[[repositories]]\nname = \"x\"\nbranch = \"u\"\npath = \"p\"\n",
                "cannot be used with",
            ),
        ];
        for (text, expected) in table {
            let message = Settings::read(text).map_err(|error| error.to_string());
            let message = message.expect_err(text);
            assert!(message.contains(expected), "{message}");
        }
        assert!(Settings::read(database).is_ok());
    }

    #[test]
    fn what_the_environment_says_is_not_shown() {
        let setting = Setting::Variable { env: "SHOP_DB".to_owned() };
        let resolved = setting.resolve(&|name| (name == "SHOP_DB").then(|| "/k3y".to_owned()));
        let resolved = resolved.expect("it is set");
        assert_eq!(resolved.value(), "/k3y");
        assert_eq!(format!("{resolved} {resolved:?}"), "$SHOP_DB $SHOP_DB");
        assert_eq!(resolved.hide_in("unable to open /k3y/x"), "unable to open $SHOP_DB/x");
        let missing = setting.resolve(&|_| None).expect_err("it is not set");
        assert_eq!(missing, "the environment variable `SHOP_DB` is not set");
    }

    #[test]
    fn columns_are_hidden_in_any_case() {
        let text = "[[databases]]\ntype = \"sqlite\"\nname = \"s\"\npath = \"x\"\n\
                    exclude_columns = [\"password\", \"main.users.e*\"]\nexclude = [\"*.tmp_*\"]\n";
        let settings = Settings::read(text).expect("settings");
        let selection = Selection::of(&settings.databases[0]).expect("a selection");
        assert!(selection.hides_column("main", "anything", "PassWord"));
        assert!(selection.hides_column("main", "users", "email"));
        assert!(!selection.hides_column("main", "orders", "email"));
        assert!(!selection.takes_table("main", "tmp_x"));
        assert!(selection.takes_table("main", "x"));
    }
}
