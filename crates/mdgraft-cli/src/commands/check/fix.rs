//! `--fix`: applies the edits that findings suggest.

use std::collections::BTreeMap;
use std::fs;

use mdgraft::{Diagnostics, Edit, apply_edits};

use crate::output;
use crate::problem::{Problem, shown};
use crate::project::Project;

/// So often the prompts are checked and mended: one edit may uncover the next.
const ROUNDS: usize = 10;

/// Mends files below the root until nothing changes; gives what is found then.
pub(super) fn fix(
    project: &Project,
    check: impl Fn() -> Diagnostics,
) -> Result<Diagnostics, Problem> {
    let mut mended: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = check();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (file, edits) in edits(&found) {
            let applied = mend(project, file, &edits)?;
            if applied > 0 {
                *mended.entry(file.to_owned()).or_default() += applied;
                changed = true;
            }
        }
        if !changed {
            break;
        }
        found = check();
    }
    for (file, count) in mended {
        let places = if count == 1 { "1 place" } else { &format!("{count} places") };
        output::notice(&format!("mended {places} in `{}`", project.shown(&file)));
    }
    Ok(found)
}

/// The edits of each file of the main root: files of other roots are not ours to change.
fn edits(found: &Diagnostics) -> BTreeMap<&str, Vec<&Edit>> {
    let mut edits: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
    for edit in found.iter().filter_map(|one| one.edit.as_ref()) {
        if !edit.place.file.starts_with('@') {
            edits.entry(&edit.place.file).or_default().push(edit);
        }
    }
    edits
}

/// Applies edits to a file; how many. A file that changed since it was checked is left as it is.
fn mend(project: &Project, file: &str, edits: &[&Edit]) -> Result<usize, Problem> {
    let path = project.root.join(file);
    let real = fs::canonicalize(&path).map_err(|error| Problem::of(&path, &error))?;
    if !real.starts_with(&project.root) {
        return Ok(0);
    }
    let before = fs::read(&real).map_err(|error| Problem::of(&path, &error))?;
    let edited = apply_edits(&before, edits.iter().copied());
    let is_known = edits.iter().any(|edit| edit.place.source.hash() == mdgraft::Hash::of(&before));
    if !is_known || edited.applied > 0 && !output::replace_file(&real, &before, &edited.bytes)? {
        let name = shown(project.shown(file).as_ref());
        output::notice(&format!("`{name}` changed meanwhile, and is left as it is"));
        return Ok(0);
    }
    Ok(edited.applied)
}
