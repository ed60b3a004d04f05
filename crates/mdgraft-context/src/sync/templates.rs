//! The templates: those of tables, built in or the user's, and the user's own pages.

use std::collections::BTreeSet;
use std::path::Path;

use mdgraft::{
    DirLoader, Engine, EntryKind, Facts, Listing, LoadError, Loaded, Loader, MemoryLoader,
    PromptTree, RenderOptions, Vars, render_with,
};

use crate::error::plain;

/// The folder of the templates, from the context folder; those of tables have one of their own.
pub(crate) const FOLDER: &str = "templates";
const TABLES: &str = "databases";

/// The templates that are there without any file of the user.
const BUILT_IN: [(&str, &str); 5] = [
    ("columns.md", include_str!("../../templates/databases/columns.md")),
    ("description.md", include_str!("../../templates/databases/description.md")),
    ("how_to_use.md", include_str!("../../templates/databases/how_to_use.md")),
    ("preview.md", include_str!("../../templates/databases/preview.md")),
    ("profiling.md", include_str!("../../templates/databases/profiling.md")),
];

/// Those of them that are used without being asked for.
const DEFAULT: [&str; 3] = ["columns", "how_to_use", "preview"];

/// A template of tables.
pub(super) struct Template {
    /// Its name, and that of the files it makes, without `.md`.
    pub(super) stem: String,
    /// The template, or why it does not load.
    pub(super) tree: Result<PromptTree, String>,
    /// The inputs that it declares; without any, it may use all that are cheap.
    inputs: BTreeSet<String>,
}

impl Template {
    /// Whether something has to be asked of the database for it.
    pub(super) fn wants(&self, name: &str) -> bool {
        if self.inputs.is_empty() { name != "profiles" } else { self.inputs.contains(name) }
    }
}

/// The templates of tables: those that are asked for, else the default ones and all of the user's.
pub(super) fn for_tables(folder: &Path, asked: Option<&[String]>) -> Result<Vec<Template>, String> {
    let user = DirLoader::open(folder.join(FOLDER).join(TABLES)).ok();
    let own = names(user.as_ref())?;
    let stems: BTreeSet<String> = match asked {
        Some(asked) => asked.iter().cloned().collect(),
        None => DEFAULT.iter().map(|stem| (*stem).to_owned()).chain(own.iter().cloned()).collect(),
    };
    let known = |stem: &String| {
        own.contains(stem)
            || BUILT_IN.iter().any(|(name, _)| name.strip_suffix(".md") == Some(stem))
    };
    if let Some(unknown) = stems.iter().find(|stem| !known(stem)) {
        let built_in = BUILT_IN.map(|(name, _)| name.trim_end_matches(".md")).join(", ");
        return Err(format!(
            "there is no template `{}`: built in are {built_in}, and templates/databases/ may hold others",
            plain(unknown)
        ));
    }
    let engine = Engine::new(Overlay { user, built_in: MemoryLoader::from(BUILT_IN) });
    Ok(stems.into_iter().map(|stem| load(&engine, stem)).collect())
}

fn load(engine: &Engine, stem: String) -> Template {
    let tree = engine.load(&format!("{stem}.md"));
    let tree = tree.map_err(|diagnostics| diagnostics.to_string());
    let inputs = match &tree {
        Ok(tree) => tree.inputs().map(|input| input.name.to_string()).collect(),
        Err(_) => BTreeSet::new(),
    };
    Template { stem, tree, inputs }
}

/// The user's templates at the top of the folder, without `.md`.
fn names(user: Option<&DirLoader>) -> Result<BTreeSet<String>, String> {
    let Some(user) = user else { return Ok(BTreeSet::new()) };
    let listing = user.list("").map_err(|error| error.to_string())?;
    let names = listing.iter().flat_map(Listing::entries);
    let stem = |(name, kind): (&str, EntryKind)| {
        let stem = name.strip_suffix(".md").filter(|_| kind == EntryKind::File)?;
        (!stem.starts_with(['_', '.'])).then(|| stem.to_owned())
    };
    Ok(names.filter_map(stem).collect())
}

/// Renders a template with those of the values that it declares.
pub(super) fn render(tree: &PromptTree, vars: &Vars) -> Result<String, String> {
    let declared: BTreeSet<String> = tree.inputs().map(|input| input.name.to_string()).collect();
    let given: Vars = vars
        .iter()
        .filter(|(name, _)| declared.is_empty() || declared.contains(*name))
        .map(|(name, value)| (name, value.clone()))
        .collect();
    let rendered = render_with(tree, &given, &RenderOptions::default());
    rendered.map(mdgraft::Rendered::into_text).map_err(|diagnostics| diagnostics.to_string())
}

/// The user's files over the built-in ones.
struct Overlay {
    user: Option<DirLoader>,
    built_in: MemoryLoader,
}

impl Loader for Overlay {
    fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError> {
        match self.user.as_ref().map(|user| user.load(path, limit)).transpose()?.flatten() {
            Some(found) => Ok(Some(found)),
            None => self.built_in.load(path, limit),
        }
    }

    fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
        match self.user.as_ref().map(|user| user.facts(path)).transpose()?.flatten() {
            Some(found) => Ok(Some(found)),
            None => self.built_in.facts(path),
        }
    }

    fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError> {
        let user = self.user.as_ref().map(|user| user.list(folder)).transpose()?.flatten();
        let built_in = self.built_in.list(folder)?;
        let (Some(user), Some(built_in)) = (&user, &built_in) else {
            return Ok(user.or(built_in));
        };
        let entries = user.entries().chain(built_in.entries());
        Ok(Some(Listing::new(folder, entries.map(|(name, kind)| (name.to_owned(), kind)))))
    }
}
