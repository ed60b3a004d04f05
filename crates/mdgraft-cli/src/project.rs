//! Where a prompt stands: its root, its settings, and the engine over them.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use mdgraft::{Diagnostics, DirLoader, Engine, LoadOptions, Loader, PromptTree};

use crate::args::{Comments, LoadArgs, PromptArgs};
use crate::config::Config;
use crate::pack;
use crate::paths::{parent, way_to};
use crate::problem::{Problem, shown};

/// A root with its settings.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) config: Config,
    /// The canonical path of the root.
    pub(crate) root: PathBuf,
    /// The path from the working directory to the root, as it stands before the paths of files
    /// in what is printed; empty if they are the same.
    pub(crate) folder: String,
}

/// A prompt to load.
pub(crate) enum Entry {
    /// The path from the root.
    File(String),
    /// A text that came on standard input.
    Text(Vec<u8>),
}

/// The name of a prompt that came on standard input.
const STDIN: &str = "<stdin>";

impl Project {
    /// The project of a prompt, and where the prompt stands in it. `-` is standard input, and
    /// stands in the working directory.
    pub(crate) fn of_file(args: &PromptArgs) -> Result<(Self, Entry), Problem> {
        let PromptArgs { file, load } = args;
        if file == Path::new("-") {
            let project = Self::of_folder(Path::new("."), load)?;
            let text = read_stdin(project.config.limits()?.max_file)?;
            return Ok((project, Entry::Text(text)));
        }
        let folder = parent(file);
        let project = Self::of_folder(folder, load)?;
        project.must_exist(file, load)?;
        let entry = project.path_in(file)?;
        Ok((project, Entry::File(entry)))
    }

    /// The project of a folder: the root that is given or configured, else the folder itself.
    pub(crate) fn of_folder(folder: &Path, args: &LoadArgs) -> Result<Self, Problem> {
        let config = Config::nearest(folder)?;
        let configured = args.root.clone().or_else(|| config.root());
        let root = configured.as_deref().unwrap_or(folder);
        let root = fs::canonicalize(root).map_err(|error| Problem::of(root, &error))?;
        if !root.is_dir() {
            return Err(Problem::new(format!("`{}` is no folder", shown(&root))));
        }
        let folder = way_to(&root)?;
        Ok(Self { config, root, folder })
    }

    /// The path from the root of a file or a folder, which need not exist but for its folder.
    pub(crate) fn path_in(&self, path: &Path) -> Result<String, Problem> {
        let real = match (path.file_name(), path.is_dir()) {
            // Only the folder is followed: a link is a name of its own for the engine.
            (Some(name), false) => fs::canonicalize(parent(path)).map(|folder| folder.join(name)),
            _ => fs::canonicalize(path),
        };
        let real = real.map_err(|error| Problem::of(path, &error))?;
        let Ok(inside) = real.strip_prefix(&self.root) else {
            let root = if self.folder.is_empty() { "." } else { &self.folder };
            let message = format!("`{}` is outside of the root `{root}`", shown(path));
            return Err(Problem::new(message).help("name the root of the prompts with `--root`"));
        };
        let names: Option<Vec<&str>> = inside.iter().map(|name| name.to_str()).collect();
        let no_text = || Problem::new(format!("the name of `{}` is no UTF-8", shown(path)));
        Ok(names.ok_or_else(no_text)?.join("/"))
    }

    /// The path of a file of the engine, from the working directory; that of a named root stays.
    pub(crate) fn shown(&self, file: &str) -> String {
        if self.folder.is_empty() || file.starts_with(['@', '<']) {
            return file.to_owned();
        }
        format!("{}/{file}", self.folder)
    }

    /// The engine over the root and the named roots, with the pack of the root if there is one.
    pub(crate) fn engine(&self) -> Result<Engine, Problem> {
        Ok(pack::used(self.engine_without_pack()?, &self.root, &self.shown(pack::NAME)))
    }

    pub(crate) fn engine_without_pack(&self) -> Result<Engine, Problem> {
        self.engine_over(open(&self.root)?)
    }

    /// The engine over another view of the root, and the named roots.
    pub(crate) fn engine_over(&self, root: impl Loader + 'static) -> Result<Engine, Problem> {
        let mut engine = Engine::new(root).with_limits(self.config.limits()?);
        for (name, folder) in self.config.roots() {
            engine = engine.with_root(name, open(&folder)?);
        }
        Ok(engine)
    }

    pub(crate) fn load_options(&self, args: &LoadArgs) -> LoadOptions {
        let comments = args.comments.or(self.config.comments);
        LoadOptions {
            variant: args.variant.clone(),
            strip_comments: comments == Some(Comments::Strip),
        }
    }

    /// Loads a prompt.
    pub(crate) fn load(
        &self,
        entry: &Entry,
        args: &LoadArgs,
    ) -> Result<Result<PromptTree, Diagnostics>, Problem> {
        let engine = self.engine()?;
        let options = self.load_options(args);
        Ok(match entry {
            Entry::File(path) => engine.load_with(path, &options),
            Entry::Text(text) => engine.load_source(STDIN, text, &options),
        })
    }

    /// A file that is not there is a mistake in the call. With a variant only the engine knows.
    fn must_exist(&self, file: &Path, args: &LoadArgs) -> Result<(), Problem> {
        let with = |extension: &str| {
            let mut name = file.as_os_str().to_owned();
            name.push(extension);
            PathBuf::from(name)
        };
        if file.is_dir() {
            return Err(Problem::new(format!("`{}` is a folder, not a prompt", shown(file))));
        }
        let found = args.variant.is_some()
            || ["", ".md", ".markdown"].iter().any(|extension| with(extension).exists());
        if found {
            return Ok(());
        }
        let problem = Problem::of(file, &io::ErrorKind::NotFound.into());
        let in_root = self.root.join(file);
        let meant = in_root.exists().then(|| Path::new(&self.folder).join(file));
        Err(match meant {
            Some(meant) => problem.help(format!("did you mean `{}`?", shown(&meant))),
            None => problem,
        })
    }
}

/// Reads standard input; of what is too large, enough for the engine to see that it is.
fn read_stdin(limit: u64) -> Result<Vec<u8>, Problem> {
    let mut text = Vec::new();
    let read = io::stdin().lock().take(limit.saturating_add(1)).read_to_end(&mut text);
    read.map_err(|error| Problem::of(Path::new("standard input"), &error))?;
    Ok(text)
}

/// Opens a folder as a root.
pub(crate) fn open(folder: &Path) -> Result<DirLoader, Problem> {
    DirLoader::open(folder).map_err(|error| Problem::new(error.to_string()))
}
