//! `mdgraft.toml`: the settings of a project.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mdgraft::{Limits, Value, Vars};
use serde::Deserialize;

use crate::args::{Comments, Guard};
use crate::near::nearest;
use crate::paths::way_to;
use crate::problem::{Problem, plain, shown};

pub(crate) const FILE: &str = "mdgraft.toml";

/// The settings of the nearest `mdgraft.toml`, or none.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    /// The root of the prompts, from the folder of the file.
    root: Option<PathBuf>,
    /// The prompts that are meant to be rendered, from the root.
    pub(crate) entries: Vec<String>,
    /// The pages of tests, from the folder of the file.
    tests: Option<Vec<PathBuf>>,
    /// Other roots by name, from the folder of the file.
    roots: BTreeMap<String, PathBuf>,
    pub(crate) comments: Option<Comments>,
    pub(crate) guard: Option<Guard>,
    max_depth: Option<usize>,
    max_expansions: Option<usize>,
    max_output: Option<usize>,
    max_file: Option<u64>,
    #[serde(skip)]
    pub(crate) vars: Vars,
    /// The folder of the file, from the working directory; none without a file.
    #[serde(skip)]
    folder: Option<PathBuf>,
}

const KEYS: [&str; 11] = [
    "root",
    "entries",
    "tests",
    "roots",
    "comments",
    "guard",
    "max_depth",
    "max_expansions",
    "max_output",
    "max_file",
    "vars",
];

impl Config {
    /// The settings that hold in a folder: those of the nearest file in it or above it.
    pub(crate) fn nearest(folder: &Path) -> Result<Self, Problem> {
        let folder = fs::canonicalize(folder).map_err(|error| Problem::of(folder, &error))?;
        for folder in folder.ancestors() {
            let file = folder.join(FILE);
            match fs::read_to_string(&file) {
                Ok(text) => {
                    let folder = PathBuf::from(way_to(folder)?);
                    let config = read(&text, &folder.join(FILE))?;
                    return Ok(Self { folder: Some(folder), ..config });
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Problem::of(&file, &error)),
            }
        }
        Ok(Self::default())
    }

    /// The root of the prompts: what the file says, else the folder of the file.
    pub(crate) fn root(&self) -> Option<PathBuf> {
        let root = self.root.as_deref().unwrap_or(Path::new("."));
        self.folder.as_ref().map(|folder| folder.join(root))
    }

    /// The folders of the named roots.
    pub(crate) fn roots(&self) -> impl Iterator<Item = (&str, PathBuf)> {
        self.roots.iter().map(|(name, folder)| (name.as_str(), self.path(folder)))
    }

    /// The pages of tests: `tests` if nothing else is said.
    pub(crate) fn tests(&self) -> Vec<PathBuf> {
        match &self.tests {
            Some(tests) => tests.iter().map(|path| self.path(path)).collect(),
            None => vec![self.path(Path::new("tests"))],
        }
    }

    /// A path that the file names, from the working directory.
    fn path(&self, path: &Path) -> PathBuf {
        self.folder.as_ref().map_or_else(|| path.to_owned(), |folder| folder.join(path))
    }

    /// The limits: those of the environment (`MDGRAFT_MAX_OUTPUT`) over those of the file.
    pub(crate) fn limits(&self) -> Result<Limits, Problem> {
        let mut limits = Limits::default();
        let size = |name, file: Option<usize>, default: usize| {
            Ok(environment(name)?.or(file).unwrap_or(default))
        };
        limits.max_depth = size("MDGRAFT_MAX_DEPTH", self.max_depth, limits.max_depth)?;
        limits.max_expansions =
            size("MDGRAFT_MAX_EXPANSIONS", self.max_expansions, limits.max_expansions)?;
        limits.max_output = size("MDGRAFT_MAX_OUTPUT", self.max_output, limits.max_output)?;
        limits.max_file =
            environment("MDGRAFT_MAX_FILE")?.or(self.max_file).unwrap_or(limits.max_file);
        Ok(limits)
    }
}

fn environment<T: std::str::FromStr>(name: &str) -> Result<Option<T>, Problem> {
    let Some(text) = std::env::var_os(name) else { return Ok(None) };
    let number = text.to_str().and_then(|text| text.parse().ok());
    number.map(Some).ok_or_else(|| Problem::new(format!("the variable {name} is no number")))
}

fn read(text: &str, file: &Path) -> Result<Config, Problem> {
    let place = |offset: usize| {
        let before = text.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        format!("{}:{line}:{}", shown(file), before[line_start..].chars().count() + 1)
    };
    let fault = |error: &toml::de::Error| {
        let place = place(error.span().map_or(0, |span| span.start));
        Problem::new(format!("{place}: {}", error.message()))
    };
    let table = toml::de::DeTable::parse(text).map_err(|error| fault(&error))?;
    for key in table.get_ref().keys() {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) {
            let place = place(key.span().start);
            let problem = Problem::new(format!("{place}: unknown key `{}`", plain(name)));
            return Err(match nearest(name, KEYS) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.help(format!("known are {}", KEYS.join(", "))),
            });
        }
    }
    let mut config: Config = toml::from_str(text).map_err(|error| fault(&error))?;
    config.vars = vars(text).map_err(|error| Problem::new(format!("{}: {error}", shown(file))))?;
    Ok(config)
}

fn vars(text: &str) -> Result<Vars, String> {
    let Value::Map(map) = Value::from_toml(text).map_err(|error| error.to_string())? else {
        return Ok(Vars::default());
    };
    match map.get("vars") {
        None => Ok(Vars::default()),
        Some(Value::Map(vars)) => {
            Ok(vars.iter().map(|(name, value)| (&**name, value.clone())).collect())
        }
        Some(other) => Err(format!("`vars` is a map, not a {}", other.type_name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        match read(text, Path::new("mdgraft.toml")) {
            Ok(_) => "fine".to_owned(),
            Err(problem) => problem.to_string(),
        }
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        assert_eq!(message("root = \"prompts\"\nguard = \"error\"\n[vars]\nx = 1\n"), "fine");
        assert_eq!(
            message("root = \"a\"\nentires = []\n"),
            "error: mdgraft.toml:2:1: unknown key `entires`\n  help: did you mean `entries`?"
        );
        assert!(message("max_depth = \"x\"\n").starts_with("error: mdgraft.toml:1:13: "));
        assert!(message("[limits]\n").contains("unknown key `limits`"));
        assert!(message("vars = 1\n").contains("`vars` is a map"));
        assert!(message("root = \n").starts_with("error: mdgraft.toml:1:"));
    }
}
