//! `--fix`: applies the edits that findings suggest.
//!
//! All is tried in memory first, and each file is written once, if it still holds what was
//! checked. An edit that would bring an error about is not applied.

use std::collections::BTreeMap;
use std::fs;

use mdgraft::{CheckOptions, Diagnostic, Diagnostics, Edit, Engine, Severity, apply_edits};

use super::overlay::{Changed, Overlay};
use crate::output;
use crate::problem::{Problem, shown};
use crate::project::{Project, open};

/// So often all findings are gone through: one edit may uncover the next.
const ROUNDS: usize = 50;

/// So often the prompts are checked at the most.
const CHECKS: usize = 100;

/// So many edits that belong together are tried together, as those of an opening and a closing
/// marker.
const TOGETHER: usize = 4;

/// Mends files below the root until nothing changes; gives what is found then.
pub(super) fn fix(
    project: &Project,
    entries: &[&str],
    options: &CheckOptions,
) -> Result<Diagnostics, Problem> {
    let overlay = Overlay::new(open(&project.root)?);
    let engine = project.engine_over(overlay.clone())?;
    let mut fixer = Fixer { engine, entries, options, overlay, checks: 0, places: BTreeMap::new() };
    let mut found = fixer.check();
    for _ in 0..ROUNDS {
        let before = fixer.overlay.files();
        for code in codes(&found) {
            let edits = edits(&found, &code);
            found = fixer.attempt(found, &edits);
        }
        if fixer.overlay.files() == before {
            break;
        }
    }
    let written = write(project, &fixer)?;
    // What could not be written is not mended.
    Ok(if written { found } else { project.engine()?.check(entries, options) })
}

/// The codes of findings that can be mended, errors first.
fn codes(found: &Diagnostics) -> Vec<String> {
    let mut codes: Vec<(Severity, &str)> =
        mendable(found).map(|(one, _)| (one.severity, one.code.as_str())).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.into_iter().map(|(_, code)| code.to_owned()).collect()
}

/// The findings with an edit of a file below the root: other roots are not ours to change.
fn mendable(found: &Diagnostics) -> impl Iterator<Item = (&Diagnostic, &Edit)> {
    let edits = found.iter().filter_map(|one| Some((one, one.edit.as_ref()?)));
    edits.filter(|(_, edit)| !edit.place.file.starts_with('@'))
}

fn edits(found: &Diagnostics, code: &str) -> Vec<Edit> {
    let of_code = mendable(found).filter(|(one, _)| one.code.as_str() == code);
    of_code.map(|(_, edit)| edit.clone()).collect()
}

struct Fixer<'f> {
    engine: Engine,
    entries: &'f [&'f str],
    options: &'f CheckOptions,
    overlay: Overlay,
    checks: usize,
    /// How many places were mended in each file.
    places: BTreeMap<String, usize>,
}

impl Fixer<'_> {
    fn check(&mut self) -> Diagnostics {
        self.checks += 1;
        self.engine.check(self.entries, self.options)
    }

    /// Applies edits, as many of them as bring no error about.
    fn attempt(&mut self, found: Diagnostics, edits: &[Edit]) -> Diagnostics {
        let found = match self.together(found, edits) {
            Ok(now) => return now,
            Err(found) => found,
        };
        if edits.len() > 4 * TOGETHER {
            let (first, second) = edits.split_at(edits.len() / 2);
            let found = self.attempt(found, first);
            return self.attempt(found, second);
        }
        let mut found = found;
        let mut at = 0;
        while at < edits.len() {
            let mut next = at + 1;
            for end in at + 1..=edits.len().min(at + TOGETHER) {
                match self.together(found, &edits[at..end]) {
                    Ok(now) => {
                        (found, next) = (now, end);
                        break;
                    }
                    Err(before) => found = before,
                }
            }
            at = next;
        }
        found
    }

    /// Applies edits; gives what is found then, or, if that would be more errors or nothing came
    /// of it, what was found before.
    fn together(&mut self, found: Diagnostics, edits: &[Edit]) -> Result<Diagnostics, Diagnostics> {
        if self.checks >= CHECKS {
            return Err(found);
        }
        let before = self.overlay.files();
        let places = self.apply(edits);
        if places.is_empty() {
            return Err(found);
        }
        let now = self.check();
        if errors(&now) > errors(&found) {
            self.overlay.set(before);
            return Err(found);
        }
        for (file, count) in places {
            *self.places.entry(file).or_default() += count;
        }
        Ok(now)
    }

    /// Applies edits in memory: how many in each file. Those that were suggested for other bytes
    /// are left out; the next round finds them anew.
    fn apply(&self, edits: &[Edit]) -> BTreeMap<String, usize> {
        let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for edit in edits {
            by_file.entry(&edit.place.file).or_default().push(edit);
        }
        let mut files = self.overlay.files();
        let mut applied = BTreeMap::new();
        for (file, edits) in by_file {
            let Some(bytes) = self.overlay.bytes(file) else { continue };
            let edited = apply_edits(&bytes, edits);
            if edited.applied > 0 {
                let new = Changed { original: bytes, bytes: Vec::new(), revision: 0 };
                let changed = files.entry(file.to_owned()).or_insert(new);
                changed.bytes = edited.bytes;
                changed.revision += 1;
                applied.insert(file.to_owned(), edited.applied);
            }
        }
        self.overlay.set(files);
        applied
    }
}

fn errors(found: &Diagnostics) -> usize {
    found.iter().filter(|one| one.severity == Severity::Error).count()
}

/// Writes what was mended; whether all could be.
fn write(project: &Project, fixer: &Fixer<'_>) -> Result<bool, Problem> {
    let mut all = true;
    for (file, changed) in fixer.overlay.files() {
        let name = shown(project.shown(&file).as_ref());
        let path = project.root.join(&file);
        let real = fs::canonicalize(&path).map_err(|error| Problem::of(&path, &error))?;
        let is_inside = real.starts_with(&project.root);
        if is_inside && output::replace_file(&real, &changed.original, &changed.bytes)? {
            let places = match fixer.places.get(&file) {
                Some(1) => "1 place".to_owned(),
                count => format!("{} places", count.copied().unwrap_or_default()),
            };
            output::notice(&format!("mended {places} in `{name}`"));
        } else {
            output::notice(&format!("`{name}` changed meanwhile, and is left as it is"));
            all = false;
        }
    }
    Ok(all)
}
