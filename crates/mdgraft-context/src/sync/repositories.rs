//! The files of repositories: `repos/NAME/`.

use super::report::{RepositoryReport, Step, Trouble};
use super::writer::{Kept, Writer, files_of, hash, in_words};
use super::{Run, manifest::Entry, manifest::Manifest};
use crate::disk::{Disk, Kind, Reading};
use crate::error::{ContextError, plain, reason};
use crate::git;
use crate::glob::FilePatterns;
use crate::path::join;
use crate::rules::{META, built_in};
use crate::settings::RepositorySettings;
use crate::walk::is_plain;

/// The largest file of a repository that is copied.
const LARGEST: u64 = 10 * 1024 * 1024;

/// The folders below each other that are looked through.
const DEEPEST: usize = 128;

/// The source of a repository, as the manifest names it.
pub(super) fn source(settings: &RepositorySettings) -> String {
    format!("repository:{}", settings.name)
}

/// Brings the copy of a repository up to date. One that cannot be read keeps its copy.
pub(super) fn sync_repository(
    run: &mut Run<'_>,
    writer: &mut Writer,
    settings: &RepositorySettings,
) -> Result<RepositoryReport, ContextError> {
    let before = writer.counts;
    let mut report = RepositoryReport::new(settings);
    (run.progress)(&Step { of: shown(settings), done: 0, all: 1 });
    let patterns = FilePatterns::new(&settings.include, &settings.exclude);
    let synced = match (patterns, &settings.url) {
        (Err(reason), _) => Err(reason),
        (Ok(patterns), Some(url)) => from_git(run, writer, settings, url, &patterns, &mut report),
        (Ok(patterns), None) => local(run, writer, settings, &patterns, &mut report)?,
    };
    if let Err(reason) = synced {
        run.trouble(Trouble::new(shown(settings), reason));
        writer.keep_below(&folder(settings));
        report.failed = true;
    }
    report.counts = writer.counts.since(before);
    Ok(report)
}

fn shown(settings: &RepositorySettings) -> String {
    format!("repository {}", plain(&settings.name))
}

fn folder(settings: &RepositorySettings) -> String {
    format!("repos/{}", settings.name)
}

/// Copies a folder of this machine, file by file, where they differ.
fn local(
    run: &mut Run<'_>,
    writer: &mut Writer,
    settings: &RepositorySettings,
    patterns: &FilePatterns,
    report: &mut RepositoryReport,
) -> Result<Result<(), String>, ContextError> {
    let Some(path) = &settings.path else { return Ok(Err("it has no path".to_owned())) };
    let path = match path.resolve(run.environment) {
        Ok(path) => path,
        Err(reason) => return Ok(Err(reason)),
    };
    let from = run.folder.join(path.value());
    let opened = Disk::open(&from).and_then(|disk| Ok((disk, Disk::way(&from, run.folder)?)));
    let (disk, own) = match opened {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(format!("`{path}`: {}", reason(&error)))),
    };
    if own.as_deref() == Some("") {
        return Ok(Err(format!("`{path}` is the context folder itself")));
    }
    let found = match files(&disk, patterns, own.as_deref()) {
        Ok(found) => found,
        Err(reason) => return Ok(Err(format!("`{path}`: {reason}"))),
    };
    let source = source(settings);
    for file in found {
        let (above, name) = file.rsplit_once('/').unwrap_or(("", &file));
        let target = format!("{}/{file}", folder(settings));
        let mut bytes = Vec::new();
        let read = disk.folders(above).and_then(|folder| match folder {
            Some(folder) => folder.read(name, LARGEST, &mut bytes),
            None => Err(std::io::ErrorKind::NotFound.into()),
        });
        match read {
            Ok(Reading::Read(_)) => {}
            Ok(Reading::TooLarge(size)) => {
                let reason = format!("it has {size} bytes and is not copied");
                run.note(Trouble::new(format!("{}: {}", shown(settings), plain(&file)), reason));
                continue;
            }
            Ok(Reading::NoFile) => continue,
            Err(error) => {
                let what = format!("{}: {}", shown(settings), plain(&file));
                run.trouble(Trouble::new(what, reason(&error)));
                report.failed = true;
                writer.keep(&target);
                continue;
            }
        }
        report.files += 1;
        for kept in writer.put(&source, vec![(target, bytes)])? {
            tell(run, report, &kept);
        }
    }
    let below = format!("{}/", folder(settings));
    writer.adopt_begun(|path| path.starts_with(&below).then(|| source.clone()));
    for kept in writer.sweep(|of| of == source) {
        tell(run, report, &kept);
    }
    Ok(Ok(()))
}

fn tell(run: &mut Run<'_>, report: &mut RepositoryReport, kept: &Kept) {
    let (path, reason) = in_words(kept);
    match kept {
        Kept::Edited(_) => run.note(Trouble::new(path, reason)),
        Kept::Failed(..) => {
            run.trouble(Trouble::new(path, reason));
            report.failed = true;
        }
    }
}

/// The files that are taken, in byte order of their paths: regular ones, without what the tools
/// never read, and without the context folder where it stands inside.
fn files(disk: &Disk, patterns: &FilePatterns, own: Option<&str>) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut folders = vec![(String::new(), 0)];
    while let Some((path, depth)) = folders.pop() {
        let folder = disk.folders(&path).map_err(|error| reason(&error))?;
        let Some(folder) = folder else { continue };
        let names =
            folder.names().map_err(|error| format!("{}: {}", plain(&path), reason(&error)))?;
        for (name, kind) in names {
            let Some(name) = name.to_str().filter(|name| is_plain(name)) else { continue };
            let here = join(&path, name);
            if built_in(name).is_some() || own == Some(here.as_str()) {
                continue;
            }
            match kind {
                Kind::File if patterns.take(&here) => found.push(here),
                Kind::Folder if depth < DEEPEST => folders.push((here, depth + 1)),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Fetches the latest commit and puts it in the place of the last one, at once or not at all.
fn from_git(
    run: &mut Run<'_>,
    writer: &mut Writer,
    settings: &RepositorySettings,
    url: &str,
    patterns: &FilePatterns,
    report: &mut RepositoryReport,
) -> Result<(), String> {
    let source = source(settings);
    let root = folder(settings);
    let branch = settings.branch.as_deref();
    recover(writer, settings)?;
    let latest = git::latest(url, branch)?;
    let state = state(&latest, settings);
    let is_there = look(writer, &root)?;
    if is_there && writer.manifest.commits.get(&settings.name) == Some(&state) {
        report.commit = Some(latest);
        report.files = files_of(&writer.manifest.files, &source).count();
        writer.counts.unchanged += report.files;
        writer.keep_below(&root);
        return Ok(());
    }
    ours_only(writer, &root)?;
    let meta = writer.root().make_folders(META).map_err(|error| reason(&error))?;
    let _ = meta.remove_folder(CLONE);
    let commit = git::copy(url, branch, &run.folder.join(META).join(CLONE))?;
    let clone = meta.folder(CLONE).map_err(|error| reason(&error))?;
    let kept = files(&clone, patterns, None)?;
    let entries = strip(&clone, &kept)?;
    let entries: Vec<(String, String)> =
        entries.into_iter().map(|(path, hash)| (format!("{root}/{path}"), hash)).collect();
    // Said before it is done, so that after a kill in between these files are known as ours.
    let said: Vec<(&str, &str)> =
        entries.iter().map(|(path, hash)| (path.as_str(), hash.as_str())).collect();
    Manifest::announce(&meta, &said).map_err(|error| error.to_string())?;
    switch(writer, &meta, settings, is_there)?;
    let old: Vec<String> = files_of(&writer.manifest.files, &source).cloned().collect();
    writer.counts.removed +=
        old.iter().filter(|old| entries.binary_search_by(|one| one.0.cmp(old)).is_err()).count();
    for path in old {
        writer.manifest.files.remove(&path);
    }
    report.files = entries.len();
    writer.counts.written += entries.len();
    for (path, hash) in entries {
        writer.keep(&path);
        writer.manifest.files.insert(path, Entry { source: source.clone(), hash });
    }
    // The branch may have moved since it was looked at; then the next run sees that.
    writer.manifest.commits.insert(settings.name.clone(), self::state(&commit, settings));
    report.commit = Some(commit);
    Ok(())
}

/// Where a copy stands until it is whole, and where the old one stands while it is replaced.
const CLONE: &str = "clone";
const OLD: &str = "old";

/// What the copy depends on.
fn state(commit: &str, settings: &RepositorySettings) -> String {
    let patterns = format!("{:?} {:?}", settings.include, settings.exclude);
    format!("{commit} {}", &hash(patterns.as_bytes())[..16])
}

fn look(writer: &Writer, path: &str) -> Result<bool, String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = writer.root().folders(folder).map_err(|error| reason(&error))?;
    let Some(folder) = folder else { return Ok(false) };
    Ok(folder.look(name).map_err(|error| reason(&error))?.is_some())
}

/// Fails if the folder holds anything that sync did not write.
fn ours_only(writer: &Writer, root: &str) -> Result<(), String> {
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((path, depth)) = folders.pop() {
        let folder = writer.root().folders(&path).map_err(|error| reason(&error))?;
        let Some(folder) = folder else { continue };
        for (name, kind) in folder.names().map_err(|error| reason(&error))? {
            let here = join(&path, &name.to_string_lossy());
            let ours = match (kind, name.to_str()) {
                (Kind::Folder, _) if depth < DEEPEST => {
                    folders.push((here, depth + 1));
                    continue;
                }
                (Kind::File, Some(name)) => {
                    let mut bytes = Vec::new();
                    let read = folder.read(name, u64::MAX, &mut bytes);
                    matches!(read, Ok(Reading::Read(_)))
                        && writer.manifest.wrote(&here, &hash(&bytes))
                }
                _ => false,
            };
            if !ours {
                let here = plain(&here);
                return Err(format!(
                    "`/{here}` was not written by sync and would be lost; move it away"
                ));
            }
        }
    }
    Ok(())
}

/// Removes all but these files from a fresh copy; the files with their hashes.
fn strip(clone: &Disk, kept: &[String]) -> Result<Vec<(String, String)>, String> {
    let mut entries = Vec::new();
    let mut folders = vec![(String::new(), 0)];
    while let Some((path, depth)) = folders.pop() {
        let failed = |error: std::io::Error| reason(&error);
        let Some(folder) = clone.folders(&path).map_err(failed)? else { continue };
        for (name, kind) in folder.names().map_err(failed)? {
            let Some(text) = name.to_str() else {
                return Err("it has a name that is no UTF-8".to_owned());
            };
            let here = join(&path, text);
            if kind == Kind::Folder {
                let below = format!("{here}/");
                let at = kept.partition_point(|path| *path < below);
                let used = kept.get(at).is_some_and(|path| path.starts_with(&below));
                if used && depth < DEEPEST {
                    folders.push((here, depth + 1));
                } else {
                    folder.remove_folder(text).map_err(failed)?;
                }
                continue;
            }
            let mut bytes = Vec::new();
            let keep = kind == Kind::File && kept.binary_search(&here).is_ok();
            if keep && matches!(folder.read(text, LARGEST, &mut bytes), Ok(Reading::Read(_))) {
                entries.push((here, hash(&bytes)));
            } else {
                folder.remove_file(text).map_err(failed)?;
            }
        }
    }
    entries.sort_unstable();
    Ok(entries)
}

/// Puts the fresh copy in its place.
fn switch(
    writer: &Writer,
    meta: &Disk,
    settings: &RepositorySettings,
    is_there: bool,
) -> Result<(), String> {
    let failed = |error: std::io::Error| reason(&error);
    let repos = writer.root().make_folders("repos").map_err(failed)?;
    let name = settings.name.as_str();
    if !is_there {
        return meta.rename_to(CLONE, &repos, name).map_err(failed);
    }
    if meta.exchange(CLONE, &repos, name).map_err(failed)? {
        let _ = meta.remove_folder(CLONE);
        return Ok(());
    }
    // Where the system cannot exchange: the old one is out of the way for a moment, and is put
    // back if the new one cannot take its place, now or by the next run.
    let old = format!("{OLD}-{name}");
    let _ = meta.remove_folder(&old);
    repos.rename_to(name, meta, &old).map_err(failed)?;
    if let Err(error) = meta.rename_to(CLONE, &repos, name) {
        let _ = meta.rename_to(&old, &repos, name);
        return Err(failed(error));
    }
    let _ = meta.remove_folder(&old);
    Ok(())
}

/// Puts back what a killed run had moved out of the way.
fn recover(writer: &Writer, settings: &RepositorySettings) -> Result<(), String> {
    let failed = |error: std::io::Error| reason(&error);
    let Some(meta) = writer.root().folders(META).map_err(failed)? else { return Ok(()) };
    let old = format!("{OLD}-{}", settings.name);
    if meta.look(&old).map_err(failed)?.is_none() {
        return Ok(());
    }
    if look(writer, &folder(settings))? {
        return meta.remove_folder(&old).map_err(failed);
    }
    let repos = writer.root().make_folders("repos").map_err(failed)?;
    meta.rename_to(&old, &repos, &settings.name).map_err(failed)
}
