//! `grep`: lines of files by a regular expression. The only file that names ripgrep's crates.

use std::collections::BTreeMap;

use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};

use super::read::checked;
use super::text::cut_in_the_middle;
use crate::disk::{Disk, Reading};
use crate::error::{ContextError, plain};
use crate::glob::Pattern;
use crate::path::VirtualPath;
use crate::sandbox::{ContextFolder, Found};
use crate::walk::{Skipped, Visitor, threads, walk};

/// What to look for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GrepRequest {
    /// A regular expression for a part of a line.
    pub pattern: String,
    /// The folder or file to look in; empty or `/` is the context folder.
    pub path: String,
    /// Look only in files whose paths match this pattern, as in [`SearchRequest`](crate::SearchRequest).
    pub glob: Option<String>,
    /// Take upper and lower case for the same.
    pub case_insensitive: bool,
    /// The lines to give before and after each match, at most 20.
    pub context_lines: usize,
    /// The matches to give at most.
    pub max_results: usize,
}

impl Default for GrepRequest {
    fn default() -> Self {
        Self {
            pattern: String::new(),
            path: String::new(),
            glob: None,
            case_insensitive: false,
            context_lines: 0,
            max_results: 100,
        }
    }
}

/// Lines that match, in byte order of the paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matches {
    /// The matches, at most as many as were asked for.
    pub matches: Vec<Match>,
    /// How many lines match in all.
    pub total: usize,
    /// What was not looked at.
    pub skipped: Skipped,
}

impl Matches {
    /// Whether there are more than are given.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.matches.len() < self.total
    }
}

/// A line that matches. Several matches in one line are one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// The file, as a path from `/`.
    pub path: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The line without its end. A long one is cut in the middle to 1,024 characters; bytes that
    /// are no UTF-8 are replaced by U+FFFD.
    pub text: String,
    /// The lines before, the last one nearest.
    pub before: Vec<ContextLine>,
    /// The lines after.
    pub after: Vec<ContextLine>,
}

/// A line beside a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextLine {
    /// The line, counted from 1.
    pub line: u64,
    /// The line without its end, cut as that of a match.
    pub text: String,
}

/// The largest file that is searched.
const LARGEST: u64 = 10 * 1024 * 1024;

/// The longest line that is given, in characters.
const LONGEST_LINE: usize = 1024;

const LONGEST_PATTERN: usize = 4096;
const MOST_CONTEXT: usize = 20;
const MOST_RESULTS: usize = 10_000;

impl ContextFolder {
    /// Searches in files, line by line.
    ///
    /// Names that begin with a dot are not looked at, nor what the rules leave out, binary files
    /// and those over 10 MiB; links are not followed on the way. Time is linear in what is
    /// searched, whatever the pattern.
    ///
    /// # Errors
    ///
    /// [`ContextError::Pattern`], [`ContextError::Argument`] for too large numbers,
    /// [`ContextError::Denied`], [`ContextError::NotFound`], [`ContextError::Failed`].
    pub fn grep(&self, request: &GrepRequest) -> Result<Matches, ContextError> {
        check_numbers(request)?;
        let matcher = matcher(request)?;
        let glob = request.glob.as_deref().map(Pattern::read).transpose()?;
        let rules = self.rules()?;
        let grepper = || Grepper {
            glob: glob.as_ref(),
            matcher: matcher.clone(),
            searcher: searcher(),
            bytes: Vec::new(),
            kept: Kept::new(request),
        };
        let (greppers, skipped) = match self.find(&request.path, &rules)? {
            Found::Folder { path, disk } => {
                walk(disk, &path, &rules, (0..threads()).map(|_| grepper()).collect())
            }
            Found::File { path, folder, name } => {
                let mut grepper = Grepper { glob: None, ..grepper() };
                let mut skipped = Skipped::default();
                let reading = grepper.read(&folder, &name);
                checked(&request.path, reading, LARGEST)?;
                grepper.search(&path, &mut skipped);
                (vec![grepper], skipped)
            }
        };
        let mut kept = Kept::new(request);
        for grepper in greppers {
            kept.merge(grepper.kept);
        }
        let total = kept.total;
        let mut found: Vec<Match> = kept.files.into_values().flatten().collect();
        found.truncate(request.max_results);
        Ok(Matches { matches: found, total, skipped })
    }
}

fn check_numbers(request: &GrepRequest) -> Result<(), ContextError> {
    let fault = |message: String| Err(ContextError::Argument(message));
    if request.context_lines > MOST_CONTEXT {
        return fault(format!("at most {MOST_CONTEXT} lines of context are given"));
    }
    if request.max_results > MOST_RESULTS {
        return fault(format!("at most {MOST_RESULTS} matches are given"));
    }
    Ok(())
}

fn matcher(request: &GrepRequest) -> Result<RegexMatcher, ContextError> {
    let fault = |reason: String| ContextError::Pattern { pattern: plain(&request.pattern), reason };
    if request.pattern.is_empty() {
        return Err(fault("it is empty".to_owned()));
    }
    if request.pattern.len() > LONGEST_PATTERN {
        return Err(fault(format!("it is longer than {LONGEST_PATTERN} bytes")));
    }
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .case_insensitive(request.case_insensitive)
        .line_terminator(Some(b'\n'))
        .crlf(true)
        .size_limit(10 << 20)
        .dfa_size_limit(64 << 20);
    builder.build(&request.pattern).map_err(|error| fault(one_line(&error.to_string())))
}

/// The last line of an error of the expression's parser says what is wrong, the others draw it.
fn one_line(message: &str) -> String {
    let line = message.trim_end().lines().last().unwrap_or_default();
    plain(line.trim_start_matches("error: "))
}

fn searcher() -> Searcher {
    SearcherBuilder::new()
        .line_terminator(LineTerminator::crlf())
        .binary_detection(BinaryDetection::none())
        .bom_sniffing(false)
        .line_number(true)
        .build()
}

/// Searches the files that one thread comes by.
struct Grepper<'a> {
    glob: Option<&'a Pattern>,
    matcher: RegexMatcher,
    searcher: Searcher,
    bytes: Vec<u8>,
    kept: Kept,
}

impl Visitor for Grepper<'_> {
    fn file(&mut self, folder: &Disk, name: &str, path: &str, skipped: &mut Skipped) {
        if self.glob.is_some_and(|glob| !glob.matches(path)) {
            return;
        }
        match self.read(folder, name) {
            Ok(Reading::Read(_)) => self.search(path, skipped),
            Ok(Reading::TooLarge(_)) => skipped.too_large += 1,
            Ok(Reading::NoFile) => skipped.special += 1,
            Err(_) => skipped.unreadable += 1,
        }
    }
}

impl Grepper<'_> {
    fn read(&mut self, folder: &Disk, name: &str) -> std::io::Result<Reading> {
        folder.read(name, LARGEST, &mut self.bytes)
    }

    /// Searches what was read.
    fn search(&mut self, path: &str, skipped: &mut Skipped) {
        if memchr::memchr(0, &self.bytes).is_some() {
            skipped.binary += 1;
            return;
        }
        let mut hits = Hits { first: Vec::new(), total: 0, most: self.kept.most };
        // The sink never fails, and there is nothing to read from that could.
        let _ = self.searcher.search_slice(&self.matcher, &self.bytes, &mut hits);
        if hits.total == 0 {
            return;
        }
        let shown = VirtualPath::folded(path).to_string();
        let matches = hits.first.iter().map(|hit| self.found(&shown, hit)).collect();
        self.kept.add(path.to_owned(), matches, hits.total);
    }

    fn found(&self, path: &str, hit: &Hit) -> Match {
        let context = self.kept.context;
        Match {
            path: path.to_owned(),
            line: hit.line,
            text: shown(&self.bytes[hit.start..hit.end]),
            before: before(&self.bytes, hit, context),
            after: after(&self.bytes, hit, context),
        }
    }
}

/// A line that matches: its number and its bytes, the end included.
struct Hit {
    line: u64,
    start: usize,
    end: usize,
}

struct Hits {
    first: Vec<Hit>,
    total: usize,
    most: usize,
}

impl Sink for Hits {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        self.total += 1;
        if self.first.len() < self.most {
            let start = usize::try_from(found.absolute_byte_offset()).unwrap_or(usize::MAX);
            let line = found.line_number().unwrap_or_default();
            self.first.push(Hit { line, start, end: start + found.bytes().len() });
        }
        Ok(true)
    }
}

fn before(bytes: &[u8], hit: &Hit, count: usize) -> Vec<ContextLine> {
    let mut lines = Vec::new();
    let (mut end, mut line) = (hit.start, hit.line);
    while lines.len() < count && end > 0 {
        let start = memchr::memrchr(b'\n', &bytes[..end - 1]).map_or(0, |at| at + 1);
        line -= 1;
        lines.push(ContextLine { line, text: shown(&bytes[start..end]) });
        end = start;
    }
    lines.reverse();
    lines
}

fn after(bytes: &[u8], hit: &Hit, count: usize) -> Vec<ContextLine> {
    let mut lines = Vec::new();
    let (mut start, mut line) = (hit.end, hit.line);
    while lines.len() < count && start < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at + 1);
        line += 1;
        lines.push(ContextLine { line, text: shown(&bytes[start..end]) });
        start = end;
    }
    lines
}

/// A line without its end, as text.
fn shown(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    cut_in_the_middle(&String::from_utf8_lossy(line), LONGEST_LINE).into_owned()
}

/// The first matches in the order of the paths: what cannot be among them is let go.
struct Kept {
    files: BTreeMap<String, Vec<Match>>,
    stored: usize,
    total: usize,
    most: usize,
    context: usize,
}

impl Kept {
    fn new(request: &GrepRequest) -> Self {
        Self {
            files: BTreeMap::new(),
            stored: 0,
            total: 0,
            most: request.max_results,
            context: request.context_lines,
        }
    }

    fn add(&mut self, path: String, matches: Vec<Match>, total: usize) {
        self.total += total;
        self.keep(path, matches);
    }

    fn merge(&mut self, other: Self) {
        self.total += other.total;
        for (path, matches) in other.files {
            self.keep(path, matches);
        }
    }

    fn keep(&mut self, path: String, matches: Vec<Match>) {
        self.stored += matches.len();
        self.files.insert(path, matches);
        while let Some(last) = self.files.last_entry() {
            if self.stored - last.get().len() < self.most {
                break;
            }
            self.stored -= last.remove().len();
        }
    }
}
