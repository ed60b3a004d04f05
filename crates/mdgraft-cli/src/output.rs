//! The only place that prints, and writes files.
//!
//! A closed pipe (`mdgraft render a.md | head -1`) ends the output and is no mistake.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use clap::ValueEnum;

use crate::problem::Problem;

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Whether to use colours on a stream.
    pub(crate) fn on(self, stream: &impl IsTerminal) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => stream.is_terminal() && !set("NO_COLOR"),
        }
    }
}

/// Prints a result, as it is.
pub(crate) fn result(text: &str) -> Result<(), Problem> {
    let mut stdout = io::stdout().lock();
    let done = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    match done {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Problem::of(Path::new("standard output"), &error))
        }
        _ => Ok(()),
    }
}

/// Says something that is no result. There is nobody to tell if that fails.
pub(crate) fn notice(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = writeln!(stderr, "{text}");
}

/// Prints a result, or writes it to a file.
pub(crate) fn result_to(file: Option<&Path>, text: &str) -> Result<(), Problem> {
    match file {
        Some(file) if file != Path::new("-") => write_file(file, text.as_bytes()),
        _ => result(text),
    }
}

/// Writes a file at once: whoever reads it finds the old bytes or all of the new ones.
pub(crate) fn write_file(file: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let written = write_atomically(file, bytes, None);
    written.map(|_| ()).map_err(|error| Problem::of(file, &error))
}

/// Writes a file at once, if it still holds the bytes from before; whether it did.
pub(crate) fn replace_file(file: &Path, before: &[u8], bytes: &[u8]) -> Result<bool, Problem> {
    write_atomically(file, bytes, Some(before)).map_err(|error| Problem::of(file, &error))
}

/// Writes a file that is not there yet; one that appeared in between is kept.
pub(crate) fn write_new_file(file: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let written = fs::File::create_new(file).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| Problem::of(file, &error))
}

fn write_atomically(file: &Path, bytes: &[u8], expected: Option<&[u8]>) -> io::Result<bool> {
    // What is behind a link is written, and the link stays.
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let before = fs::metadata(&target).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        // A pipe or a device cannot be replaced.
        return fs::write(target, bytes).map(|()| true);
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mdgraft-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file; what may not be is masked by the system.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut new = builder.tempfile_in(folder)?;
    new.write_all(bytes)?;
    if let Some(before) = before {
        new.as_file().set_permissions(before.permissions())?;
    }
    // What is there must be whole even if the machine stops now.
    new.as_file().sync_all()?;
    if let Some(expected) = expected
        && fs::read(&target)? != expected
    {
        return Ok(false);
    }
    new.persist(target)?;
    Ok(true)
}
