//! The user's own pages: `templates/docs/x.md` becomes `docs/x.md`.

use std::path::Path;

use mdgraft::{DirLoader, Engine, EntryKind, Loader, Vars};
use serde::Serialize;

use super::report::Trouble;
use super::templates::{FOLDER, render};
use super::writer::{Kept, Writer, in_words};
use super::{Run, Step};
use crate::error::{ContextError, plain};
use crate::path::join;
use crate::sandbox::ContextFolder;
use crate::settings::Settings;

/// The source of the pages, as the manifest names it.
pub(super) const SOURCE: &str = "templates";

/// The folders below each other that are looked through.
const DEEPEST: usize = 32;

/// Renders the pages; how many were, and how many were not.
pub(super) fn sync_pages(
    run: &mut Run<'_>,
    writer: &mut Writer,
    settings: &Settings,
) -> Result<(usize, usize), ContextError> {
    let pages = match DirLoader::open(run.folder.join(FOLDER)) {
        Ok(loader) => pages(&loader).map_err(|error| error.to_string()),
        Err(_) => Ok(Vec::new()),
    };
    let pages = match pages {
        Ok(pages) => pages,
        Err(reason) => {
            run.trouble(Trouble::new(format!("/{FOLDER}"), reason));
            return Ok((0, 1));
        }
    };
    let (mut rendered, mut failed) = (0, 0);
    if !pages.is_empty() {
        let engine = engine(run.folder)?;
        let vars = vars(run.folder, settings)?;
        for (at, page) in pages.iter().enumerate() {
            (run.progress)(&Step { of: FOLDER.to_owned(), done: at, all: pages.len() });
            let text = engine
                .load(page)
                .map_err(|diagnostics| diagnostics.to_string())
                .and_then(|tree| render(&tree, &vars));
            let kept = match text {
                Ok(text) => writer.put(SOURCE, vec![(page.clone(), text.into_bytes())])?,
                Err(reason) => {
                    writer.keep(page);
                    vec![Kept::Failed(format!("{FOLDER}/{page}"), reason)]
                }
            };
            rendered += usize::from(kept.is_empty());
            for kept in kept {
                let (path, reason) = in_words(&kept);
                match kept {
                    Kept::Edited(_) => run.note(Trouble::new(path, reason)),
                    Kept::Failed(..) => {
                        run.trouble(Trouble::new(path, reason));
                        failed += 1;
                    }
                }
            }
        }
    }
    for kept in writer.sweep(|source| source == SOURCE) {
        let (path, reason) = in_words(&kept);
        run.trouble(Trouble::new(path, reason));
    }
    Ok((rendered, failed))
}

/// The templates that are pages, in byte order. What begins with `_` is a part of others.
fn pages(loader: &DirLoader) -> Result<Vec<String>, mdgraft::LoadError> {
    let mut pages = Vec::new();
    let mut folders = vec![(String::new(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let Some(listing) = loader.list(&folder)? else { continue };
        for (name, kind) in listing.entries() {
            if name.starts_with(['_', '.']) || (folder.is_empty() && name == "databases") {
                continue;
            }
            let path = join(&folder, name);
            match kind {
                EntryKind::File if name.to_lowercase().ends_with(".md") => pages.push(path),
                EntryKind::Folder if depth < DEEPEST => folders.push((path, depth + 1)),
                _ => {}
            }
        }
    }
    pages.sort_unstable();
    Ok(pages)
}

/// Pages include from their folder, and from the context folder as `@context/…`.
fn engine(folder: &Path) -> Result<Engine, ContextError> {
    let failed = |error: mdgraft::LoadError| ContextError::Failed {
        path: format!("/{FOLDER}"),
        what: "read",
        reason: plain(&error.to_string()),
    };
    let loader = DirLoader::open(folder.join(FOLDER)).map_err(failed)?;
    Ok(Engine::new(loader).with_root("context", ContextFolder::open(folder)?))
}

/// What a page can use.
#[derive(Serialize)]
struct Values {
    objects: Vec<ObjectValues>,
    databases: Vec<String>,
    repositories: Vec<String>,
}

#[derive(Serialize)]
struct ObjectValues {
    #[serde(rename = "type")]
    kind: String,
    database: String,
    schema: String,
    table: String,
    fqdn: String,
    path: String,
}

fn vars(folder: &Path, settings: &Settings) -> Result<Vars, ContextError> {
    let objects = ContextFolder::open(folder)?.objects()?;
    let object = |object: &crate::objects::Object| ObjectValues {
        kind: object.kind.clone(),
        database: object.database.clone(),
        schema: object.schema.clone(),
        table: object.table.clone(),
        fqdn: object.fqdn(),
        path: object.path.clone(),
    };
    let values = Values {
        objects: objects.iter().map(object).collect(),
        databases: settings.databases.iter().map(|one| one.name.clone()).collect(),
        repositories: settings.repositories.iter().map(|one| one.name.clone()).collect(),
    };
    Vars::from_serialize(&values).map_err(|error| ContextError::Argument(error.to_string()))
}
