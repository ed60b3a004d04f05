//! One test: its files are laid, the engine runs, and what comes is compared.

use std::fmt::Write as _;
use std::path::Path;

use mdgraft::{DirLoader, Engine, Freshness, Rendered};

use crate::compare::{Mismatch, compare};
use crate::console;
use crate::diff::diff;
use crate::expect::{Content, Expectation};
use crate::layout::Layout;
use crate::observe::{Observed, observe};
use crate::page::Test;
use crate::stages::Stage;
use crate::update::Update;

/// What the caller lends to a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions<'a> {
    /// The program that `console` blocks run; without it they fail.
    pub program: Option<&'a Path>,
}

/// What came of a test.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What was not as expected; empty if the test passes.
    pub failures: Vec<Failure>,
    /// The blocks that would have to change for the test to pass.
    pub updates: Vec<Update>,
}

impl Outcome {
    /// Whether all was as expected.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// The failures as a person reads them: where, what, the difference, and the command that
    /// runs the test again. Ends with a line end unless the test passed.
    #[must_use]
    pub fn report(&self, page: &str, again: &str) -> String {
        let mut report = String::new();
        for failure in &self.failures {
            let place = format!("{page}:{}", failure.line);
            let _ = write!(report, "{place}: {}\n{}", failure.title, failure.detail);
        }
        if !report.is_empty() {
            let _ = writeln!(report, "run it again: {again}");
        }
        report
    }
}

/// One expectation that was not met.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The line of the page that it stands on.
    pub line: usize,
    /// What it is: the role of the block, or what could not be done.
    pub title: String,
    /// The difference, in lines that can be printed as they are.
    pub detail: String,
}

/// Runs a test in a folder of its own. The engine is kept over the stages; after the last one a
/// fresh engine must give the same.
#[must_use]
pub fn run(test: &Test, options: &RunOptions<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    if let Err(problem) = stages(test, options, &mut outcome) {
        let title = "the test cannot be run".to_owned();
        outcome.failures.push(Failure { line: test.line(), title, detail: problem + "\n" });
    }
    outcome
}

fn stages(test: &Test, options: &RunOptions<'_>, outcome: &mut Outcome) -> Result<(), String> {
    let layout = Layout::new()?;
    if test.runs_engine() {
        return engine_stages(test, &layout, options, outcome);
    }
    for stage in &test.stages {
        layout.apply(stage)?;
        consoles(stage, &layout, options, outcome)?;
    }
    Ok(())
}

fn engine_stages(
    test: &Test,
    layout: &Layout,
    options: &RunOptions<'_>,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let base = open(layout)?;
    let mut warm = base.clone();
    let mut settings = None;
    for (index, stage) in test.stages.iter().enumerate() {
        layout.apply(stage)?;
        consoles(stage, layout, options, outcome)?;
        let wanted = Some((stage.config.limits(), &stage.config.roots));
        if settings != wanted {
            warm = configured(base.clone(), stage, layout)?;
            settings = wanted;
        }
        let observed = observe(&warm, stage);
        for expectation in &stage.expectations {
            if let Some(mismatch) = compare(expectation, &observed) {
                outcome.add(expectation, mismatch);
            }
        }
        if index + 1 == test.stages.len() {
            let fresh = configured(open(layout)?, stage, layout)?;
            promises(test, &observed, &observe(&fresh, stage), outcome);
            for (title, engine) in kept(&fresh) {
                same(test, title, &observed, &observe(&engine, stage), outcome);
            }
            let pack = layout.beside("pack");
            fresh.save_pack(&pack).map_err(|error| error.to_string())?;
            for (title, freshness) in PACKED {
                let engine = configured(open(layout)?, stage, layout)?;
                let engine = engine.with_pack(&pack).with_freshness(freshness);
                same(test, title, &observed, &observe(&engine, stage), outcome);
                let stats = engine.stats();
                let read = if freshness == Freshness::Trust { stats.reads } else { 0 };
                let work = format!("parses: {}, reads: {read}\n", stats.parses);
                differ(test, "a pack does not do", "parses: 0, reads: 0\n", &work, outcome);
            }
        }
    }
    Ok(())
}

fn consoles(
    stage: &Stage,
    layout: &Layout,
    options: &RunOptions<'_>,
    outcome: &mut Outcome,
) -> Result<(), String> {
    for expectation in &stage.expectations {
        let Content::Commands(commands) = &expectation.content else { continue };
        let program = options.program.ok_or("there is no program here that it could run")?;
        let shown = console::transcript(commands, program, layout.root())?;
        if shown != expectation.text {
            outcome.add(expectation, Mismatch::texts(&expectation.text, &shown));
        }
    }
    Ok(())
}

/// What is kept of an engine that has loaded, in all the ways to go on with it.
fn kept(engine: &Engine) -> Vec<(&'static str, Engine)> {
    let with = |freshness| engine.clone().with_freshness(freshness);
    vec![
        ("what is kept gives something else", with(Freshness::Facts)),
        ("what is kept gives something else when files are read", with(Freshness::Content)),
        ("what is kept gives something else when nothing changed", with(Freshness::Events)),
        ("what is kept gives something else when it is trusted", with(Freshness::Trust)),
    ]
}

/// The ways to go on with a pack.
const PACKED: [(&str, Freshness); 3] = [
    ("with a pack it gives something else", Freshness::Facts),
    ("with a pack it gives something else when files are read", Freshness::Content),
    ("with a pack it gives something else when that is trusted", Freshness::Trust),
];

/// What holds for every test, whatever it expects.
fn promises(test: &Test, warm: &Observed, cold: &Observed, outcome: &mut Outcome) {
    same(test, "a fresh engine gives something else", warm, cold, outcome);
    let shown = |rendered: &Option<Rendered>| match rendered {
        Some(rendered) => rendered.text().to_owned(),
        None => "errors\n".to_owned(),
    };
    let (without, with) = (shown(&warm.rendered), shown(&warm.traced));
    differ(test, "with origins the output is another", &without, &with, outcome);
}

fn same(test: &Test, title: &str, one: &Observed, other: &Observed, outcome: &mut Outcome) {
    differ(test, title, &one.report(), &other.report(), outcome);
}

fn differ(test: &Test, title: &str, expected: &str, actual: &str, outcome: &mut Outcome) {
    if expected != actual {
        let (line, title, detail) = (test.line(), title.to_owned(), diff(expected, actual));
        outcome.failures.push(Failure { line, title, detail });
    }
}

fn open(layout: &Layout) -> Result<Engine, String> {
    let loader = DirLoader::open(layout.root());
    Ok(Engine::new(loader.map_err(|error| error.to_string())?))
}

fn configured(engine: Engine, stage: &Stage, layout: &Layout) -> Result<Engine, String> {
    let mut engine = engine.with_limits(stage.config.limits());
    for (name, path) in &stage.config.roots {
        let folder = layout.folder(path)?;
        let loader = DirLoader::open(folder)
            .map_err(|error| format!("the root `{name}` cannot be opened: {error}"))?;
        engine = engine.with_root(name, loader);
    }
    Ok(engine)
}

impl Outcome {
    fn add(&mut self, expectation: &Expectation, mismatch: Mismatch) {
        let check = if expectation.check { " check" } else { "" };
        let title = format!("`{}{check}` differs (- expected, + came)", expectation.kind.as_str());
        let line = expectation.line;
        self.failures.push(Failure { line, title, detail: mismatch.detail });
        self.updates.extend(mismatch.update.map(|text| Update { line, text }));
    }
}
