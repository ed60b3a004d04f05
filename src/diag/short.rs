//! The forms of one line: for editors and logs, and for the workflow commands of GitHub.

use std::borrow::Cow;
use std::fmt;

use super::escape::escape;
use super::{Diagnostic, Diagnostics};

/// The short form: `path:line:column: severity[code]: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, message) = (escape(&self.place.file), escape(&self.message));
        let position = self.place.position();
        write!(f, "{file}:{position}: {}[{}]: {message}", self.severity, self.code)
    }
}

/// The short form of each, one a line, and `… and N more` where some are only counted. No line
/// end stands at the end.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, self)?;
        match self.more {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

/// The short form of each: `main` and `unwrap` show an error by its `Debug`, and a person reads it.
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no diagnostics");
        }
        fmt::Display::fmt(self, f)
    }
}

/// Diagnostics as workflow commands, with which GitHub annotates the lines of a pull request.
/// Made by [`Diagnostics::github`] and printed by its [`Display`](fmt::Display), one a line.
#[derive(Clone, Copy, Debug)]
pub struct Github<'a> {
    diagnostics: &'a Diagnostics,
    folder: &'a str,
}

impl Diagnostics {
    /// The diagnostics as workflow commands of GitHub.
    ///
    /// ```
    /// # let diagnostics = mdgraft::Diagnostics::default();
    /// println!("{}", diagnostics.github().folder("prompts"));
    /// ```
    #[must_use]
    pub fn github(&self) -> Github<'_> {
        Github { diagnostics: self, folder: "" }
    }
}

impl<'a> Github<'a> {
    /// The folder of the root in the repository, put before the paths of its files. Files of a
    /// named root (`@name/path`) stay as they are.
    #[must_use]
    pub fn folder(mut self, folder: &'a str) -> Self {
        self.folder = folder;
        self
    }
}

impl fmt::Display for Github<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder;
        lines(f, self.diagnostics.iter().map(|diagnostic| Command { diagnostic, folder }))?;
        match self.diagnostics.more {
            0 => Ok(()),
            more => write!(f, "\n::notice::… and {more} more"),
        }
    }
}

struct Command<'a> {
    diagnostic: &'a Diagnostic,
    folder: &'a str,
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { code, severity, message, place, help, .. } = self.diagnostic;
        let position = place.position();
        let file = shown_path(self.folder, &place.file);
        // The commands are named as the severities are.
        write!(f, "::{severity} file={}", property(&file))?;
        write!(f, ",line={},col={},title={code}::", position.line, position.column)?;
        f.write_str(&data(&escape(message)))?;
        match help {
            Some(help) => write!(f, "%0Ahelp: {}", data(&escape(help))),
            None => Ok(()),
        }
    }
}

/// The path of a file, from the folder that the root is in; a file of a named root keeps its name.
pub(super) fn shown_path<'a>(folder: &str, file: &'a str) -> Cow<'a, str> {
    if folder.is_empty() || file.starts_with('@') {
        return escape(file);
    }
    let separator = if folder.ends_with('/') { "" } else { "/" };
    Cow::Owned(format!("{}{separator}{}", escape(folder), escape(file)))
}

/// What a message of a workflow command may not hold is written with percent signs.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In a property of a command the signs that end one may not stand either.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

fn lines<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    for (index, item) in items.into_iter().enumerate() {
        let separator = if index > 0 { "\n" } else { "" };
        write!(f, "{separator}{item}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Severity;
    use crate::diag::escape::is_unsafe;
    use crate::diag::sample::{full, hostile, list, place, plain};

    #[test]
    fn the_short_form_is_one_line_each() {
        let warning = Diagnostic {
            severity: Severity::Warning,
            ..plain(place("@lib/é.md", "日本 x", 7, 8), "100 %: a, b")
        };
        assert_eq!(
            list(vec![full(), warning], 12).to_string(),
            "parts/sign.md:2:6: error[unknown-variable]: `usr` is declared nowhere\n\
             @lib/é.md:1:4: warning[unknown-variable]: 100 %: a, b\n\
             … and 12 more"
        );
        assert_eq!(Diagnostics::default().to_string(), "");
        assert_eq!(format!("{:?}", Diagnostics::default()), "no diagnostics");
    }

    #[test]
    fn a_workflow_command_is_one_line_each() {
        let warning = Diagnostic {
            severity: Severity::Warning,
            help: Some("50 %".into()),
            ..plain(place("@lib/a,b:c.md", "日本 x", 7, 8), "100 %: a, b")
        };
        let diagnostics = list(vec![full(), warning], 2);
        assert_eq!(
            diagnostics.github().folder("my prompts").to_string(),
            "::error file=my prompts/parts/sign.md,line=2,col=6,title=unknown-variable::\
             `usr` is declared nowhere%0Ahelp: did you mean `user`?\n\
             ::warning file=@lib/a%2Cb%3Ac.md,line=1,col=4,title=unknown-variable::\
             100 %25: a, b%0Ahelp: 50 %25\n\
             ::notice::… and 2 more"
        );
        assert_eq!(Diagnostics::default().github().to_string(), "");
    }

    #[test]
    fn no_file_steers_a_terminal_or_a_workflow() {
        let diagnostics = list(vec![hostile()], 0);
        for form in [diagnostics.to_string(), diagnostics.github().folder("\u{1b}").to_string()] {
            assert!(!form.contains(is_unsafe), "{form:?}");
        }
    }

    #[test]
    fn a_folder_stands_before_the_files_of_its_root() {
        for (folder, file, shown) in [
            ("", "a.md", "a.md"),
            ("p", "a.md", "p/a.md"),
            ("p/", "a.md", "p/a.md"),
            ("/", "a.md", "/a.md"),
            ("p", "@lib/a.md", "@lib/a.md"),
        ] {
            assert_eq!(shown_path(folder, file), shown);
        }
    }
}
