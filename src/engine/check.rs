//! Checking prompts without values: errors, the warnings of a render, and those that only a check
//! gives (language §10).

mod constants;
mod files;

use std::collections::HashSet;
use std::sync::Arc;

use super::{Engine, LoadOptions};
use crate::compile;
use crate::diag::{Code, Diagnostic, Diagnostics, Finding, Severity, codes};
use crate::link::{Answer, Facts, FileId, FileKey, Linked, RootId, Roots, in_order};
use crate::parse::document::FenceMark;
use crate::parse::lint::{Content, lint};
use crate::parse::{Document, Mode};
use crate::render::read_tools;
use crate::text::{Source, Span, paths};
use constants::{Samples, constants};
use files::Files;
pub(super) use files::in_folder;

/// How prompts are checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckOptions {
    /// How the entries are loaded.
    pub load: LoadOptions,
    /// Whether the entries are all that there are, so that a file of the root that none of them
    /// reaches is told as `orphan-file`.
    pub orphans: bool,
}

/// Checks entries; see [`Engine::check`].
pub(super) fn check(engine: &Engine, entries: &[&str], options: &CheckOptions) -> Diagnostics {
    let mut check = Check {
        engine,
        options,
        met: Met::default(),
        looked_at: HashSet::new(),
        told: Told::default(),
    };
    if entries.is_empty() {
        check.folder("");
    }
    for entry in entries {
        match entry.strip_suffix('/') {
            Some(folder) => check.folder(folder),
            None => check.prompt(&check.link(entry)),
        }
    }
    if options.orphans && !entries.is_empty() {
        check.orphans();
    }
    check.told.finish()
}

struct Check<'e> {
    engine: &'e Engine,
    options: &'e CheckOptions,
    met: Met,
    /// The files whose own text was looked at.
    looked_at: HashSet<Arc<str>>,
    told: Told,
}

impl Check<'_> {
    fn link(&self, entry: &str) -> Linked {
        self.engine.link(entry, &self.options.load)
    }

    /// Checks the files of a folder that no other file in it includes.
    fn folder(&mut self, written: &str) {
        let loader = self.engine.roots.loader(RootId::MAIN);
        let found = match canonical(written) {
            Some(folder) => files::in_folder(loader, &folder),
            None => Files::missing(written),
        };
        self.told.add(found.told);
        let mut reached = Met::default();
        let mut entries = HashSet::new();
        let mut prompts = Vec::new();
        for path in &found.paths {
            // What another file includes is checked there. Of files that include each other in a
            // circle, the first is left.
            if reached.paths.contains(path.as_str()) {
                continue;
            }
            let linked = self.link(path);
            let entry = linked.files.first().map(|file| file.key.clone());
            if entry.is_none_or(|entry| entries.insert(entry)) {
                reached.add(&self.engine.roots, &linked, 1);
                prompts.push(linked);
            }
        }
        for linked in prompts {
            if !reached.has_entry(&linked) {
                self.prompt(&linked);
            }
        }
    }

    /// Checks an entry and all that it reaches.
    fn prompt(&mut self, linked: &Linked) {
        self.met.add(&self.engine.roots, linked, 0);
        let compiled = self.engine.compile(linked, &self.options.load);
        let mut told = compiled.diagnostics;
        let mut samples = Samples::default();
        if let Some(program) = &compiled.program {
            told.extend(compile::check::check(program));
            samples = Samples::of(program);
        }
        for (file, id) in linked.files.iter().zip(0..) {
            if file.mode != Mode::Template {
                continue;
            }
            let engine = self.engine;
            let (document, most) = (&file.document, engine.limits.max_output);
            let mut findings = constants(document, &engine.functions, &samples, most);
            if self.looked_at.insert(Arc::clone(&file.name)) {
                findings.extend(lint(document));
                findings.extend(tools(document));
            }
            if findings.is_empty() {
                continue;
            }
            let chain = linked.chain(FileId(id));
            let at = |finding: Finding| finding.at(&file.name, &document.source, chain.clone());
            told.extend(findings.into_iter().map(at));
        }
        self.told.prompt(linked.files.iter().map(|file| Arc::clone(&file.name)), told);
    }

    /// Files of the root that nothing reaches.
    fn orphans(&mut self) {
        let loader = self.engine.roots.loader(RootId::MAIN);
        let found = files::in_folder(loader, "");
        let plain: HashSet<String> = self.met.paths.iter().map(|path| plain(path)).collect();
        let mut told = found.told;
        for path in found.paths.iter().filter(|path| !plain.contains(&self::plain(path))) {
            // It may be another name of a file that was reached.
            let facts = loader.facts(path).ok().flatten();
            if facts.is_some_and(|facts| self.met.has(&facts)) {
                continue;
            }
            let file = loader.load(path, self.engine.limits.max_file).ok().flatten();
            let source = Source::new(&file.map(|file| file.bytes).unwrap_or_default());
            let message = "no entry includes or extends this file";
            let finding = Finding::new(codes::ORPHAN_FILE, Span::default(), message)
                .help("include it, make it an entry, or remove it");
            told.push(files::about(path, &source, finding));
        }
        self.told.add(told);
    }
}

/// Blocks of tools that are none, whatever is given.
fn tools(document: &Document) -> Vec<Finding> {
    let blocks = document.body.fences.iter().filter(|fence| fence.tools);
    let contents = blocks.map(|fence| (fence, Content::of(document, fence)));
    let certain = contents.filter(|(_, content)| !content.has_references);
    let read = |(fence, content): (&FenceMark, Content)| {
        read_tools(document.source.text(), fence.content, &content.text).err()
    };
    certain.filter_map(read).map(|finding| *finding).collect()
}

/// The canonical path of a folder of the main root; `""` is the root.
fn canonical(folder: &str) -> Option<String> {
    let inside = format!("{folder}/x");
    let path = paths::read(&inside).ok().filter(|path| path.root.is_none())?;
    path.fold("").ok().map(|file| paths::folder(&file).to_owned())
}

/// A path without its variant: a variant goes with the file that it varies.
fn plain(path: &str) -> String {
    paths::without_variant(path).unwrap_or_else(|| path.to_owned())
}

/// Files that were reached.
#[derive(Default)]
struct Met {
    /// Their canonical paths in the main root.
    paths: HashSet<Arc<str>>,
    /// What the system calls them: a named root may lie in the main one.
    identities: HashSet<(u64, u64)>,
}

impl Met {
    /// Adds the files of a prompt, but for the first ones.
    fn add(&mut self, roots: &Roots, linked: &Linked, skip: usize) {
        let skipped: Vec<&FileKey> = linked.files.iter().take(skip).map(|file| &file.key).collect();
        let files = linked.files.iter().skip(skip).map(|file| &file.key);
        let in_main = files.filter(|key| key.root == RootId::MAIN);
        self.paths.extend(in_main.map(|key| Arc::clone(&key.path)));
        for observation in &linked.observations {
            let Answer::File { facts, .. } = &observation.answer else { continue };
            let is_skipped = skipped
                .iter()
                .any(|key| key.root == observation.key.root && key.path == facts.path);
            if is_skipped {
                continue;
            }
            // What is known from a pack has no identity on this machine.
            let asked =
                || roots.loader(observation.key.root).facts(&facts.path).ok().flatten()?.identity;
            self.identities.extend(facts.identity.or_else(asked));
        }
    }

    fn has(&self, facts: &Facts) -> bool {
        let known = facts.identity.is_some_and(|identity| self.identities.contains(&identity));
        known || self.paths.contains(&facts.path)
    }

    /// Whether the entry of a prompt was reached.
    fn has_entry(&self, linked: &Linked) -> bool {
        let Some(entry) = linked.files.first() else { return false };
        let facts = linked.observations.iter().find_map(|observation| match &observation.answer {
            Answer::File { facts, .. } => Some(facts),
            _ => None,
        });
        facts.is_some_and(|facts| facts.path == entry.key.path && self.has(facts))
    }
}

/// All that was found, each place once.
#[derive(Default)]
struct Told {
    /// The files in the order in which they were reached.
    files: Vec<Arc<str>>,
    list: Vec<Diagnostic>,
    seen: HashSet<(Arc<str>, u32, Code)>,
    /// What was left out of the list, since it would not be shown.
    more: usize,
    more_errors: bool,
    /// How many prompts have a variant that no name has, the first one, and how many there are.
    without_variant: (usize, Option<Diagnostic>),
    prompts: usize,
}

impl Told {
    /// Diagnostics that are kept while more are found.
    const KEPT: usize = 10 * Diagnostics::MOST;

    fn prompt(&mut self, files: impl Iterator<Item = Arc<str>>, told: Vec<Diagnostic>) {
        self.prompts += 1;
        self.files.extend(files);
        self.add(told);
    }

    fn add(&mut self, told: Vec<Diagnostic>) {
        for one in told {
            if one.code == codes::UNUSED_VARIANT {
                self.without_variant.0 += 1;
                self.without_variant.1.get_or_insert(one);
            } else if self.seen.insert((
                Arc::clone(&one.place.file),
                one.place.span.start,
                one.code,
            )) {
                self.list.push(one);
            }
        }
        if self.list.len() > Self::KEPT {
            self.cut();
        }
    }

    /// Sorts the list, and drops what is certainly not among the first.
    fn cut(&mut self) {
        let list = std::mem::take(&mut self.list);
        self.list = in_order(list, self.files.iter().map(|file| &**file));
        let rest = self.list.split_off(self.list.len().min(Diagnostics::MOST));
        self.more += rest.len();
        self.more_errors |= rest.iter().any(|one| one.severity == Severity::Error);
    }

    fn finish(mut self) -> Diagnostics {
        let (without, variant) = std::mem::take(&mut self.without_variant);
        if without == self.prompts {
            self.list.extend(variant);
        }
        self.cut();
        Diagnostics::from_sorted(self.list).and_more(self.more, self.more_errors)
    }
}
