//! The tests of many pages, for harnesses.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::find::find_pages;
use crate::page::Page;
use crate::run::{Outcome, RunOptions, run};
use crate::update::update;

/// A test to run: one of a page, or the page itself where it does not read, which then fails.
///
/// Cheap to clone, and independent of every other one.
#[derive(Clone, Debug)]
pub struct Case {
    name: String,
    path: Arc<str>,
    subject: Subject,
}

#[derive(Clone, Debug)]
enum Subject {
    Test(Arc<Page>, usize),
    Broken(Arc<str>),
}

/// The tests of the page at a path, or of all pages below it, in the order of their paths.
///
/// Pages are called by their path as given, with `/`.
///
/// # Errors
///
/// If a folder or a page cannot be read; what is wrong inside of a page is a failing case.
pub fn cases(path: &Path) -> io::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for file in find_pages(path)? {
        let shown = shown(&file);
        let path: Arc<str> = shown.as_str().into();
        match read(&file, &shown)? {
            Ok(page) => {
                let page = Arc::new(page);
                cases.extend(page.tests().iter().enumerate().map(|(index, test)| Case {
                    name: format!("{shown}: {}", test.name()),
                    path: Arc::clone(&path),
                    subject: Subject::Test(Arc::clone(&page), index),
                }));
            }
            Err(error) => cases.push(Case {
                name: shown.clone(),
                path,
                subject: Subject::Broken(error.into()),
            }),
        }
    }
    Ok(cases)
}

/// Rewrites the pages below a path so that they hold what comes, for the cases whose names hold
/// `filter`, and says how many pages were changed. A page that does not read stays as it is.
///
/// # Errors
///
/// If a page cannot be read or written.
pub fn update_pages(path: &Path, filter: &str, options: &RunOptions<'_>) -> io::Result<usize> {
    let mut changed = 0;
    for file in find_pages(path)? {
        let shown = shown(&file);
        let Ok(page) = read(&file, &shown)? else { continue };
        let meant = page
            .tests()
            .iter()
            .filter(|test| format!("{shown}: {}", test.name()).contains(filter))
            .filter(|test| options.program.is_some() || !test.runs_program());
        let outcomes: Vec<Outcome> = meant.map(|test| run(test, options)).collect();
        if let Some(text) = update(&page, &outcomes) {
            write(&file, &text)?;
            changed += 1;
        }
    }
    Ok(changed)
}

/// Whether pages are to be updated: it was asked for, or the environment says `UPDATE=1`.
///
/// # Errors
///
/// If they are where `CI` is set: there, a page that rewrites itself would pass whatever comes.
pub fn update_wanted(asked: bool) -> Result<bool, String> {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match (asked || set("UPDATE"), set("CI")) {
        (true, true) => Err("pages are not updated where `CI` is set".to_owned()),
        (wanted, _) => Ok(wanted),
    }
}

impl Case {
    /// The path of the page, a colon and the name of the test.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path of the page.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The name of the test in its page; that of the page itself where it does not read.
    #[must_use]
    pub fn test(&self) -> &str {
        match &self.subject {
            Subject::Test(page, index) => page.tests()[*index].name(),
            Subject::Broken(_) => &self.path,
        }
    }

    /// Whether it runs the program, so that it needs one in the options.
    #[must_use]
    pub fn runs_program(&self) -> bool {
        match &self.subject {
            Subject::Test(page, index) => page.tests()[*index].runs_program(),
            Subject::Broken(_) => false,
        }
    }

    /// Runs it. `again` are the words of a command that runs this one test again.
    ///
    /// # Errors
    ///
    /// What was not as expected, as a text for a person.
    pub fn run(&self, options: &RunOptions<'_>, again: &[&str]) -> Result<(), String> {
        let (page, index) = match &self.subject {
            Subject::Test(page, index) => (page, *index),
            Subject::Broken(error) => return Err(format!("{error}\n")),
        };
        let outcome = run(&page.tests()[index], options);
        if outcome.passed() {
            return Ok(());
        }
        let again = shlex::try_join(again.iter().copied()).unwrap_or_default();
        Err(outcome.report(&self.path, &again))
    }
}

fn read(file: &Path, shown: &str) -> io::Result<Result<Page, String>> {
    let place = |error: io::Error| io::Error::new(error.kind(), format!("{shown}: {error}"));
    let bytes = fs::read(file).map_err(place)?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Page::parse(shown, &text).map_err(|error| error.to_string()),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            Err(format!("{shown}: the page is no UTF-8 from byte {offset} on"))
        }
    })
}

/// Replaces a page at once, so that a stopped run leaves the old one or the new one.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let file = fs::canonicalize(file)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let new = tempfile::NamedTempFile::new_in(folder)?;
    fs::write(new.path(), text)?;
    fs::set_permissions(new.path(), fs::metadata(&file)?.permissions())?;
    new.persist(file)?;
    Ok(())
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}
