//! `console` blocks: command lines of the program, and what they print.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{self, Stdio};

use crate::error::Fault;

/// A line `$ mdgraft …`, with `< FILE` if standard input is a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Command {
    line: String,
    arguments: Vec<String>,
    input: Option<String>,
}

const PROGRAM: &str = "mdgraft";

/// Reads the command lines of a block that opens on `line`; the other lines are what is printed.
pub(crate) fn read_commands(text: &str, line: usize) -> Result<Vec<Command>, Fault> {
    let mut commands = Vec::new();
    for (index, row) in text.lines().enumerate() {
        if let Some(shown) = row.strip_prefix("$ ") {
            commands.push(read_command(shown, line + 1 + index)?);
        }
    }
    if !text.starts_with("$ ") {
        let fault = Fault::new(line + 1, "a `console` block begins with a command");
        return Err(fault.help(format!("write `$ {PROGRAM} …`, and below it what is printed")));
    }
    Ok(commands)
}

fn read_command(shown: &str, line: usize) -> Result<Command, Fault> {
    let Some(mut words) = shlex::split(shown) else {
        return Err(Fault::new(line, "a quote of the command is never closed"));
    };
    if words.first().is_none_or(|word| word != PROGRAM) {
        let fault = Fault::new(line, format!("the command is not `{PROGRAM}`"));
        return Err(fault.help("no other program is run, and there is no shell"));
    }
    let input = match words.iter().position(|word| word == "<") {
        None => None,
        Some(at) if at + 2 == words.len() => words.drain(at..).next_back(),
        Some(_) => return Err(Fault::new(line, "`< FILE` ends a command")),
    };
    words.remove(0);
    Ok(Command { line: shown.to_owned(), arguments: words, input })
}

/// Runs commands in a folder and writes down what a terminal would show: the command, what it
/// prints on both outputs in the order of printing, and `? N` if it does not succeed.
pub(crate) fn transcript(
    commands: &[Command],
    program: &Path,
    folder: &Path,
) -> Result<String, String> {
    let mut shown = String::new();
    for command in commands {
        let (printed, status) =
            run(command, program, folder).map_err(|error| format!("`{PROGRAM}`: {error}"))?;
        let _ = writeln!(shown, "$ {}", command.line);
        shown.push_str(&printed);
        if !shown.ends_with('\n') {
            shown.push('\n');
        }
        if let Some(status) = status {
            let _ = writeln!(shown, "? {status}");
        }
    }
    Ok(shown)
}

fn run(command: &Command, program: &Path, folder: &Path) -> io::Result<(String, Option<String>)> {
    let input = match &command.input {
        Some(path) => Stdio::from(File::open(folder.join(path))?),
        None => Stdio::null(),
    };
    // One pipe for both outputs keeps their order.
    let (mut reader, writer) = io::pipe()?;
    let mut process = process::Command::new(program);
    process
        .args(&command.arguments)
        .current_dir(folder)
        .stdin(input)
        .stdout(writer.try_clone()?)
        .stderr(writer);
    for name in ["UPDATE", "CI", "NO_COLOR", "COLUMNS"] {
        process.env_remove(name);
    }
    let settings = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in settings.filter(|name| name.starts_with("MDGRAFT_")) {
        process.env_remove(name);
    }
    let mut child = process.spawn()?;
    // It holds the other ends of the pipe, which would then never end.
    drop(process);
    let mut printed = Vec::new();
    reader.read_to_end(&mut printed)?;
    let status = child.wait()?;
    let shown = match status.code() {
        Some(0) => None,
        Some(code) => Some(code.to_string()),
        None => Some(status.to_string()),
    };
    Ok((String::from_utf8_lossy(&printed).replace("\r\n", "\n"), shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_would() {
        let read = |line: &str| read_command(line, 1).map_err(|fault| fault.message);
        let command = read("mdgraft render - -v 'who=the team' < a/b.md");
        let command = command.unwrap_or_else(|message| panic!("{message}"));
        assert_eq!(command.arguments, ["render", "-", "-v", "who=the team"]);
        assert_eq!(command.input.as_deref(), Some("a/b.md"));
        for wrong in ["rm -r x", "mdgraft 'x", "mdgraft < a b", "mdgraft <", ""] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read_commands("printed\n", 1).is_err());
    }
}
