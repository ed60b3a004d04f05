//! Pages: headings and blocks to tests.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use mdgraft::Value;

use crate::config::read_table;
use crate::diff::plain;
use crate::error::{Fault, PageError};
use crate::expect::{Expectation, Kind, read_content};
use crate::info::{Info, Role, read_info};
use crate::markdown::{Block, Fence, blocks};
use crate::stages::{Change, Given, Stage};

/// A page that was read: its tests, and its text for updates.
#[derive(Clone, Debug)]
pub struct Page {
    path: String,
    /// The text with LF as its only line end.
    pub(crate) text: String,
    /// Whether the line ends of the page are CRLF.
    pub(crate) crlf: bool,
    /// The expectation blocks by the line of their opening fence.
    pub(crate) fences: BTreeMap<usize, Fence>,
    tests: Vec<Test>,
}

/// A test of a page: a heading with an expectation of its own.
#[derive(Clone, Debug)]
pub struct Test {
    name: String,
    line: usize,
    pub(crate) stages: Vec<Stage>,
}

impl Test {
    /// The chain of headings down to the test, joined by ` / `.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line of its heading, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Whether it runs the program, and so needs [`RunOptions::program`](crate::RunOptions).
    #[must_use]
    pub fn runs_program(&self) -> bool {
        self.expectations().any(|expectation| expectation.kind == Kind::Console)
    }

    /// Whether it expects something of the library.
    pub(crate) fn runs_engine(&self) -> bool {
        self.expectations().any(|expectation| expectation.kind != Kind::Console)
    }

    fn expectations(&self) -> impl Iterator<Item = &Expectation> {
        self.stages.iter().flat_map(|stage| &stage.expectations)
    }
}

impl Page {
    /// Reads the text of a page; `path` is what messages call it.
    ///
    /// # Errors
    ///
    /// All that is wrong with the page: an unknown role or option, a test without expectation,
    /// two blocks for one file, a name that two tests share, values or settings that do not read.
    pub fn parse(path: &str, text: &str) -> Result<Self, PageError> {
        let crlf = text.contains("\r\n");
        let text = text.replace("\r\n", "\n");
        let mut reader = Reader::default();
        for block in blocks(&text) {
            reader.block(block);
        }
        let (tests, fences, mut faults) = reader.finish();
        if faults.is_empty() {
            return Ok(Self { path: path.to_owned(), text, crlf, fences, tests });
        }
        faults.sort_by_key(|fault| fault.line);
        Err(PageError { path: path.to_owned(), faults })
    }

    /// The path, as it was given.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The tests, in the order of the page.
    #[must_use]
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }
}

/// A heading (the page itself is the first) with the blocks below it.
#[derive(Default)]
struct Part {
    level: u8,
    title: String,
    line: usize,
    parent: Option<usize>,
    has_parts: bool,
    given: Given,
    /// What was given so far, as the reader would call it, and for which stage.
    seen: BTreeSet<(String, u32)>,
    expectations: BTreeMap<u32, Vec<Expectation>>,
}

struct Reader {
    parts: Vec<Part>,
    /// The name for the next block, and the line it stands on.
    name: Option<(String, usize)>,
    fences: BTreeMap<usize, Fence>,
    faults: Vec<Fault>,
}

impl Default for Reader {
    fn default() -> Self {
        let page = Part { line: 1, ..Part::default() };
        Self { parts: vec![page], name: None, fences: BTreeMap::new(), faults: Vec::new() }
    }
}

impl Reader {
    fn block(&mut self, block: Block) {
        match block {
            Block::Heading { level, title, line } => self.heading(level, title, line),
            Block::Name { name, line } => {
                self.unused_name();
                self.name = Some((name, line));
            }
            Block::Fence(fence) => {
                if let Err(fault) = self.fence(fence) {
                    self.faults.push(fault);
                }
            }
        }
    }

    fn heading(&mut self, level: u8, title: String, line: usize) {
        self.unused_name();
        let mut parent = self.parts.len() - 1;
        while let Some(above) = self.parts[parent].parent {
            if self.parts[parent].level < level {
                break;
            }
            parent = above;
        }
        self.parts[parent].has_parts = true;
        self.parts.push(Part { level, title, line, parent: Some(parent), ..Part::default() });
    }

    fn unused_name(&mut self) {
        if let Some((name, line)) = self.name.take() {
            let fault = Fault::new(line, format!("`{name}` names no block"));
            self.faults.push(fault.help("a fenced block stands below the name of a file"));
        }
    }

    fn fence(&mut self, fence: Fence) -> Result<(), Fault> {
        let name = self.name.take();
        let line = fence.first;
        if !fence.closed {
            return Err(Fault::new(line, "the fence is never closed"));
        }
        let info = read_info(&fence.info, line)?;
        match info.role {
            Role::Expect(kind) => self.expectation(kind, &info, fence),
            Role::Vars => self.vars(&info, &fence),
            Role::Config => self.config(&info, &fence),
            Role::Remove => self.remove(&info, &fence),
            Role::File | Role::Symlink => {
                let (path, at) = name.unwrap_or_else(|| ("main.md".to_owned(), line));
                let path = laid_path(&path, at)?;
                let change = if info.role == Role::Symlink {
                    link(&fence)?
                } else {
                    Change::File(bytes(&info, &fence)?.into())
                };
                self.change(path, change, &info, line)
            }
        }
    }

    fn expectation(&mut self, kind: Kind, info: &Info, fence: Fence) -> Result<(), Fault> {
        let line = fence.first;
        let role = kind.as_str();
        if self.parts.len() == 1 {
            let fault = Fault::new(line, format!("`{role}` stands above the first heading"));
            return Err(fault.help("a test is a heading, and its blocks stand below it"));
        }
        let check = if info.check { " check" } else { "" };
        self.once(&format!("`{role}{check}` block"), info.stage, line)?;
        let text = text(info, &fence);
        let content = read_content(kind, text, line)?;
        let expectation =
            Expectation { kind, check: info.check, line, text: text.to_owned(), content };
        self.part().expectations.entry(info.stage).or_default().push(expectation);
        self.fences.insert(line, fence);
        Ok(())
    }

    fn vars(&mut self, info: &Info, fence: &Fence) -> Result<(), Fault> {
        self.once("`vars` block", info.stage, fence.first)?;
        let value = match info.language.as_str() {
            "json" => Value::from_json(&fence.text),
            _ => Value::from_toml(&fence.text),
        };
        let fault = |message: String| Fault::new(fence.first, message);
        let value = value.map_err(|error| fault(format!("the values do not read: {error}")))?;
        let Value::Map(map) = value else {
            return Err(fault(format!("the values are a map, not a {}", value.type_name())));
        };
        let vars = map.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        self.part().given.vars.insert(info.stage, vars);
        Ok(())
    }

    fn config(&mut self, info: &Info, fence: &Fence) -> Result<(), Fault> {
        self.once("`config` block", info.stage, fence.first)?;
        let table = read_table(&fence.text, fence.first)?;
        self.part().given.config.insert(info.stage, table);
        Ok(())
    }

    fn remove(&mut self, info: &Info, fence: &Fence) -> Result<(), Fault> {
        for (index, row) in fence.text.lines().enumerate() {
            let line = fence.first + 1 + index;
            if !row.trim().is_empty() {
                let path = laid_path(row.trim(), line)?;
                self.change(path, Change::Removed, info, line)?;
            }
        }
        Ok(())
    }

    fn change(
        &mut self,
        path: String,
        change: Change,
        info: &Info,
        line: usize,
    ) -> Result<(), Fault> {
        self.once(&format!("file `{path}`"), info.stage, line)?;
        self.part().given.changes.entry(info.stage).or_default().insert(path, change);
        Ok(())
    }

    /// Refuses what is given twice for one stage below one heading.
    fn once(&mut self, what: &str, stage: u32, line: usize) -> Result<(), Fault> {
        if self.part().seen.insert((what.to_owned(), stage)) {
            return Ok(());
        }
        let fault = Fault::new(line, format!("a second {what} for stage {stage}"));
        Err(if what == "file `main.md`" {
            fault.help("a line such as `` `part.md`: `` above a block names it")
        } else {
            fault.help("is a heading missing above it, or an option such as `stage=2`?")
        })
    }

    fn part(&mut self) -> &mut Part {
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }

    fn finish(mut self) -> (Vec<Test>, BTreeMap<usize, Fence>, Vec<Fault>) {
        self.unused_name();
        let Self { mut parts, fences, mut faults, .. } = self;
        let mut tests: Vec<Test> = Vec::new();
        // What does not read may have been the expectation.
        let all_read = faults.is_empty();
        for index in 0..parts.len() {
            let expectations = std::mem::take(&mut parts[index].expectations);
            let part = &parts[index];
            if !expectations.is_empty() {
                tests.push(test(&parts, index, expectations));
            } else if !part.has_parts && !part.given.is_empty() && all_read {
                let fault = Fault::new(part.line, "there are files or values and no expectation");
                faults.push(fault.help("a test needs a block such as `text output`"));
            }
        }
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for test in &tests {
            if let Some(line) = first.insert(&test.name, test.line) {
                let message = format!("a second test `{}`, after that of line {line}", test.name);
                faults.push(Fault::new(test.line, message));
            }
        }
        (tests, fences, faults)
    }
}

/// The test of a heading: what its groups give, its own over it.
fn test(parts: &[Part], index: usize, expectations: BTreeMap<u32, Vec<Expectation>>) -> Test {
    let mut chain: Vec<&Part> =
        std::iter::successors(Some(&parts[index]), |part| part.parent.map(|at| &parts[at]))
            .collect();
    chain.reverse();
    let mut given = Given::default();
    for part in &chain {
        given.extend(&part.given);
    }
    // The first of the chain is the page, which has no title.
    let titles: Vec<&str> = chain.iter().skip(1).map(|part| part.title.as_str()).collect();
    Test { name: titles.join(" / "), line: parts[index].line, stages: given.stages(expectations) }
}

/// The text of a block, without its last line end where it says so.
fn text<'a>(info: &Info, fence: &'a Fence) -> &'a str {
    if info.no_eol { fence.text.strip_suffix('\n').unwrap_or(&fence.text) } else { &fence.text }
}

fn bytes(info: &Info, fence: &Fence) -> Result<Vec<u8>, Fault> {
    if !info.base64 {
        return Ok(text(info, fence).as_bytes().to_vec());
    }
    let digits: String = fence.text.split_whitespace().collect();
    BASE64
        .decode(digits)
        .map_err(|error| Fault::new(fence.first, format!("the block is no base64: {error}")))
}

fn link(fence: &Fence) -> Result<Change, Fault> {
    let mut lines = fence.text.lines();
    match (lines.next(), lines.next()) {
        (Some(target), None) if !target.trim().is_empty() => {
            Ok(Change::Link(target.trim().to_owned()))
        }
        _ => Err(Fault::new(fence.first, "a `symlink` block is one line, the target of the link")),
    }
}

/// A path that is laid inside the folder of the test, and nowhere else.
fn laid_path(path: &str, line: usize) -> Result<String, Fault> {
    let wrong = path.contains(['\\', '\0'])
        || path.split('/').any(|segment| matches!(segment, "" | "." | ".."));
    if wrong {
        let fault = Fault::new(line, format!("`{}` is no path of a file", plain(path)));
        return Err(fault.help("a path leads down from the root, as in `parts/rules.md`"));
    }
    Ok(path.to_owned())
}
