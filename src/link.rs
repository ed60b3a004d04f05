//! The second stage: a file and all that it includes or extends, as a graph without cycles.
//!
//! [`link`] looks every path up, in false branches too, so that all that is missing is told at
//! once; what it found keeps for each file the files that its paths lead to.

mod assemble;
mod choices;
mod dir;
mod discover;
mod follow;
mod glob;
mod graph;
mod limits;
pub(crate) mod loader;
mod lookup;
mod memory;
mod order;
mod read;
mod report;
mod resolve;
mod roots;
mod suggest;
#[cfg(test)]
mod tests;
mod told;

use std::sync::Arc;

pub use dir::DirLoader;
pub(crate) use graph::{Edge, FileId, Graph, Site, on_cycles};
pub use limits::Limits;
pub use loader::{EntryKind, Facts, Listing, LoadError, Loaded, Loader};
pub use memory::MemoryLoader;
pub(crate) use order::in_order;
pub(crate) use read::{Answer, Ask, FileRead, Observation, Question, listing_hash};
pub(crate) use roots::{FileKey, RootId, Roots};

use crate::diag::{Diagnostic, Diagnostics, Place};
use crate::parse::include::IncludePath;
use crate::parse::{Document, Mode};
use crate::text::{Source, Span, paths};
use crate::value::Value;

/// How an entry is linked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LinkOptions {
    /// The variant that every name is tried in first.
    pub(crate) variant: Option<String>,
    /// The includes that may lie on one path.
    pub(crate) max_depth: usize,
    /// The bytes of one file.
    pub(crate) max_file: u64,
}

/// How a text becomes a document; the same text and mode may give the same document again.
pub(crate) type ParseHook<'a> = dyn Fn(&Source, Mode) -> Arc<Document> + 'a;

/// An entry and all that it can reach.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    /// The files in the order in which they are first reached, the entry first; none if there is
    /// no entry. A file that is read in both modes stands here twice.
    pub(crate) files: Vec<File>,
    /// The ways between the files, without those that close a cycle or go too deep.
    pub(crate) graph: Graph,
    /// Everything that was asked of the loaders, in the order of asking.
    pub(crate) observations: Vec<Observation>,
    /// All that parsing and linking found wrong with these files, in order.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A file that was reached, read in one mode.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) key: FileKey,
    /// What it is called: its path, or `@name/path` in a named root.
    pub(crate) name: Arc<str>,
    pub(crate) mode: Mode,
    pub(crate) document: Arc<Document>,
    /// The way by which it was first reached; none for the entry.
    pub(crate) reached: Option<Edge>,
    /// What `extends` leads to.
    pub(crate) base: Target,
    /// What the includes of the document lead to, in its order.
    pub(crate) includes: Vec<Target>,
}

/// What a path leads to.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Target {
    File(FileId),
    /// What a glob takes, in order.
    Files(Vec<FileId>),
    /// A path with references.
    Choice(Choice),
    /// An optional include of what is not there, or no `extends`.
    Nothing,
    /// An error that has been reported.
    #[default]
    Failed,
}

/// What a path with references leads to.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Choice {
    /// The inputs in the path, each once.
    pub(crate) names: Vec<Arc<str>>,
    /// The combinations of values, but for those whose file is missing.
    pub(crate) cases: Vec<Case>,
}

/// The files for one combination of values: one file, the matches of a glob, or none if the
/// include is optional.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Case {
    /// A value for each of the names.
    pub(crate) values: Vec<Value>,
    pub(crate) files: Vec<FileId>,
}

/// Links an entry, which is looked up like the path of an include at the top of the main root.
///
/// Each question is asked once, and each file parsed once in each mode. What is wrong is in the
/// result, which is the same for the same answers.
pub(crate) fn link(
    entry: &str,
    options: &LinkOptions,
    roots: &Roots,
    ask: &dyn Ask,
    parse: &ParseHook<'_>,
) -> Linked {
    let usable = LinkOptions {
        variant: options.variant.clone().filter(|variant| paths::is_variant(variant)),
        ..*options
    };
    let path = IncludePath {
        text: entry.into(),
        span: Span::default(),
        quoted: true,
        references: Vec::new(),
    };
    let (found, result) = discover::discover(&path, &usable, roots, ask, parse);
    match result {
        Ok(()) => assemble::assemble(found, options),
        Err(miss) => assemble::without_entry(found, &path, miss),
    }
}

impl Linked {
    /// A place in a file.
    pub(crate) fn place(&self, file: FileId, span: Span) -> Place {
        let file = &self.files[file.index()];
        Place { file: Arc::clone(&file.name), source: file.document.source.clone(), span }
    }

    /// The directives that led to a file when it was first reached, the outermost first.
    pub(crate) fn chain(&self, file: FileId) -> Vec<Place> {
        let mut chain = Vec::new();
        let mut at = file;
        while let Some(way) = self.files[at.index()].reached {
            chain.push(self.place(way.from, self.files[way.from.index()].span(way.site)));
            at = way.from;
        }
        chain.reverse();
        chain
    }

    /// Sorts diagnostics of any stage into the order in which they are reported, and gives those
    /// without one the chain of includes that led to their file. Past the first thousand, which
    /// are all that is ever shown, no chain is made.
    pub(crate) fn in_order(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut diagnostics = in_order(diagnostics, self.files.iter().map(|file| &*file.name));
        let mut known: Option<(Arc<str>, Vec<Place>)> = None;
        for one in diagnostics.iter_mut().take(Diagnostics::MOST) {
            let name = &one.place.file;
            if one.chain.is_empty() && known.as_ref().is_none_or(|(known, _)| known != name) {
                let file = (0..).zip(&self.files).find(|(_, file)| file.name == *name);
                let chain = file.map(|(number, _)| self.chain(FileId(number))).unwrap_or_default();
                known = Some((Arc::clone(name), chain));
            }
            if let Some((_, chain)) = known.as_ref().filter(|_| one.chain.is_empty()) {
                one.chain.clone_from(chain);
            }
        }
        diagnostics
    }
}

impl File {
    /// The place of a construct: that of an include, or of the path of `extends`.
    pub(crate) fn span(&self, site: Site) -> Span {
        site_span(&self.document, site)
    }
}

/// The place of a construct of a document.
fn site_span(document: &Document, site: Site) -> Span {
    match site {
        Site::Base => document.front.extends.as_ref().map(|path| path.span).unwrap_or_default(),
        Site::Include(at) => document.body.includes[at as usize].span,
    }
}

impl Target {
    /// All files that the path can lead to.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> {
        let (one, many, cases): (Option<FileId>, &[FileId], &[Case]) = match self {
            Self::File(file) => (Some(*file), &[], &[]),
            Self::Files(files) => (None, files, &[]),
            Self::Choice(choice) => (None, &[], &choice.cases),
            Self::Nothing | Self::Failed => (None, &[], &[]),
        };
        let of_cases = cases.iter().flat_map(|case| &case.files);
        one.into_iter().chain(many.iter().chain(of_cases).copied())
    }

    /// The same target with other numbers for its files, and without those that get none.
    fn renumber(self, number: impl Fn(FileId) -> Option<FileId>) -> Self {
        let all = |files: Vec<FileId>| files.into_iter().filter_map(&number).collect();
        match self {
            Self::File(file) => number(file).map_or(Self::Failed, Self::File),
            Self::Files(files) => Self::Files(all(files)),
            Self::Choice(Choice { names, cases }) => {
                let case = |case: Case| Case { files: all(case.files), ..case };
                Self::Choice(Choice { names, cases: cases.into_iter().map(case).collect() })
            }
            Self::Nothing | Self::Failed => self,
        }
    }
}
