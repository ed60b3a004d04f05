//! Finding every file that an entry can reach: each path is resolved, each file read and parsed
//! once.
//!
//! What is found does not depend on the order of the search, so the walk that decides about
//! order, cycles and depth comes after it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::choices::{self, Choices};
use super::glob;
use super::graph::{Edge, FileId, Site};
use super::read::{Ask, Reader};
use super::report::{self, Construct, Miss};
use super::resolve::Resolver;
use super::roots::{FileKey, Roots};
use super::{Case, Choice, LinkOptions, ParseHook, Target};
use crate::diag::Finding;
use crate::parse::include::{IncludePath, Reading};
use crate::parse::{Document, Mode};
use crate::text::paths;

/// The files of one run.
const MOST_FILES: usize = 100_000;
/// A combination of values is looked up by several names, each a question to the loader.
const COST_OF_CHOICE: usize = 100;

/// A file that was read in one mode, with what its paths lead to.
pub(super) struct Node {
    pub(super) id: FileId,
    pub(super) key: FileKey,
    pub(super) mode: Mode,
    pub(super) document: Arc<Document>,
    pub(super) base: Option<Resolution>,
    pub(super) includes: Vec<Resolution>,
    /// The fewest includes, and the fewest bases since the last include, on a path to it; a file
    /// that is too far away on every path is not searched.
    includes_above: usize,
    bases_above: usize,
    searched: bool,
}

/// What a path leads to, and what is wrong with it.
#[derive(Default)]
pub(super) struct Resolution {
    pub(super) target: Target,
    pub(super) finding: Option<Finding>,
}

impl Node {
    /// The file that this one extends.
    pub(super) fn base(&self) -> Option<FileId> {
        self.base.as_ref()?.target.files().next()
    }

    /// What is wrong with the paths of this file.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.base.iter().chain(&self.includes).filter_map(|resolution| resolution.finding.as_ref())
    }

    /// The ways out of this file in the order of its text.
    pub(super) fn edges(&self, from: FileId) -> impl Iterator<Item = Edge> {
        let base = self.base().map(move |to| Edge { from, site: Site::Base, to });
        let includes = (0..).zip(&self.includes).flat_map(move |(at, resolution)| {
            let edge = move |to| Edge { from, site: Site::Include(at), to };
            resolution.target.files().map(edge)
        });
        base.into_iter().chain(includes)
    }
}

/// What the search found.
pub(super) struct Found<'a> {
    pub(super) nodes: Vec<Node>,
    pub(super) reader: Reader<'a>,
    /// Whether some name had the variant that was asked for.
    pub(super) variant_met: bool,
}

/// Finds all files that an entry can reach; `Err` if there is no entry.
pub(super) fn discover<'a>(
    entry: &IncludePath,
    options: &'a LinkOptions,
    roots: &'a Roots,
    ask: &'a dyn Ask,
    parse: &'a ParseHook<'a>,
) -> (Found<'a>, Result<(), Miss>) {
    let mut search = Search {
        options,
        parse,
        resolver: Resolver::new(
            Reader::new(roots, ask, options.max_file),
            options.variant.as_deref(),
        ),
        nodes: Vec::new(),
        ids: HashMap::new(),
        entry: None,
        queue: VecDeque::new(),
        flexible: Vec::new(),
    };
    let result = search.start(entry);
    if result.is_ok() {
        search.run();
    }
    let Resolver { reader, variant_met, .. } = search.resolver;
    (Found { nodes: search.nodes, reader, variant_met }, result)
}

struct Search<'a> {
    options: &'a LinkOptions,
    parse: &'a ParseHook<'a>,
    resolver: Resolver<'a>,
    nodes: Vec<Node>,
    ids: HashMap<(FileKey, Mode), FileId>,
    entry: Option<FileKey>,
    queue: VecDeque<FileId>,
    flexible: Vec<Flexible>,
}

/// An include with references in its path.
struct Flexible {
    file: FileId,
    /// Its place in the list of the document.
    at: usize,
    /// The choices that were last found for it.
    choices: Option<Result<Choices, String>>,
}

impl Search<'_> {
    fn start(&mut self, entry: &IncludePath) -> Result<(), Miss> {
        let file = self.resolver.one(None, &entry.text);
        let file = file.map_err(|miss| self.resolver.suggest(None, miss))?;
        self.entry = Some(file.clone());
        let id = self.node(file, &Reading::Template)?;
        self.nodes[id.index()].includes_above = 0;
        self.nodes[id.index()].bases_above = 0;
        self.queue.push_back(id);
        Ok(())
    }

    fn run(&mut self) {
        loop {
            while let Some(id) = self.queue.pop_front() {
                self.search(id);
            }
            if self.flexible.is_empty() || !self.choose() {
                return;
            }
        }
    }

    fn search(&mut self, id: FileId) {
        let node = &self.nodes[id.index()];
        let most = self.options.max_depth;
        if node.includes_above > most || node.bases_above > most {
            return;
        }
        if !node.searched {
            self.resolve_all(id);
        }
        self.relax(id);
    }

    fn resolve_all(&mut self, id: FileId) {
        let document = Arc::clone(&self.nodes[id.index()].document);
        let base = document.front.extends.as_ref().map(|path| self.resolve_base(id, path));
        let mut includes = Vec::with_capacity(document.body.includes.len());
        for (at, include) in document.body.includes.iter().enumerate() {
            if include.path.references.is_empty() {
                includes.push(self.resolve_include(id, at, None));
            } else {
                includes.push(Resolution::default());
                self.flexible.push(Flexible { file: id, at, choices: None });
            }
        }
        let node = &mut self.nodes[id.index()];
        node.searched = true;
        node.base = base;
        node.includes = includes;
    }

    /// Tells the files that this one leads to how near they are, and searches those that are new
    /// or nearer than was known.
    fn relax(&mut self, id: FileId) {
        let node = &self.nodes[id.index()];
        let (includes, bases) = (node.includes_above, node.bases_above);
        let edges: Vec<Edge> = node.edges(id).collect();
        for edge in edges {
            let (includes, bases) = match edge.site {
                Site::Base => (includes, bases.saturating_add(1)),
                Site::Include(_) => (includes.saturating_add(1), 0),
            };
            let to = &mut self.nodes[edge.to.index()];
            if includes < to.includes_above || bases < to.bases_above {
                to.includes_above = to.includes_above.min(includes);
                to.bases_above = to.bases_above.min(bases);
                self.queue.push_back(edge.to);
            }
        }
    }

    /// Resolves the paths with references anew whose choices changed; false when none did.
    fn choose(&mut self) -> bool {
        let scopes = choices::scopes(&self.nodes);
        let mut changed = false;
        for index in 0..self.flexible.len() {
            let Flexible { file: id, at, ref choices } = self.flexible[index];
            let document = Arc::clone(&self.nodes[id.index()].document);
            let path = &document.body.includes[at].path;
            let found = choices::choices(&self.nodes, &scopes, id, path);
            if choices.as_ref() == Some(&found) {
                continue;
            }
            changed = true;
            let resolution = self.resolve_include(id, at, Some(&found));
            self.nodes[id.index()].includes[at] = resolution;
            self.flexible[index].choices = Some(found);
            self.relax(id);
        }
        changed
    }

    fn resolve_base(&mut self, id: FileId, path: &IncludePath) -> Resolution {
        let holder = self.nodes[id.index()].key.clone();
        let file = if path.references.is_empty() {
            self.resolver.one(Some(&holder), &path.text)
        } else {
            Err(Miss::Reference("the path of a base holds a reference".to_owned()))
        };
        let base = file.and_then(|file| self.node(file, &Reading::Template));
        let (target, miss) = match base {
            Ok(base) => (Target::File(base), None),
            Err(miss) => (Target::Failed, Some(miss)),
        };
        let source = self.nodes[id.index()].document.source.clone();
        let at = Construct { path, span: path.span, source: &source, is_base: true };
        self.resolution(target, miss, &holder, &at)
    }

    fn resolve_include(
        &mut self,
        id: FileId,
        at: usize,
        choices: Option<&Result<Choices, String>>,
    ) -> Resolution {
        let document = Arc::clone(&self.nodes[id.index()].document);
        let include = &document.body.includes[at];
        let (target, miss) = match choices {
            None => match self.files(id, at, &include.path.text) {
                Ok(target) => (target, None),
                Err(Miss::Missing(_) | Miss::Nothing { .. }) if include.optional => {
                    (Target::Nothing, None)
                }
                Err(miss) => (Target::Failed, Some(miss)),
            },
            Some(Ok(choices)) => self.cases(id, at, choices),
            Some(Err(wrong)) => (Target::Failed, Some(Miss::Reference(wrong.clone()))),
        };
        let place = Construct {
            path: &include.path,
            span: include.span,
            source: &document.source,
            is_base: false,
        };
        let holder = self.nodes[id.index()].key.clone();
        self.resolution(target, miss, &holder, &place)
    }

    fn resolution(
        &mut self,
        target: Target,
        miss: Option<Miss>,
        holder: &FileKey,
        at: &Construct<'_>,
    ) -> Resolution {
        let miss = miss.map(|miss| self.resolver.suggest(Some(holder), miss));
        Resolution { target, finding: miss.map(|miss| report::finding(miss, at)) }
    }

    /// The files for every combination of values. All that are missing are told together, since
    /// they have one place.
    fn cases(&mut self, id: FileId, at: usize, choices: &Choices) -> (Target, Option<Miss>) {
        let document = Arc::clone(&self.nodes[id.index()].document);
        let include = &document.body.includes[at];
        let mut cases = Vec::new();
        let mut missing = Vec::new();
        let mut wrong = None;
        let is_glob = is_glob(&include.path);
        for values in choices::combinations(choices) {
            if !self.resolver.budget.take(COST_OF_CHOICE) {
                wrong = Some(Miss::Work("too many combinations of values"));
                break;
            }
            let sign = values.iter().filter_map(choices::printed).find(|text| glob::is_glob(text));
            if let Some(value) = sign.filter(|_| is_glob) {
                let message = format!("the value `{value}` holds a sign of the pattern around it");
                wrong = wrong.or(Some(Miss::Reference(message)));
                continue;
            }
            let value_of = |symbol| {
                let name = document.names.name(symbol);
                let at = choices.iter().position(|(known, _)| known == name)?;
                choices::printed(&values[at])
            };
            let text = choices::fill(&include.path, |symbol| {
                symbol.and_then(value_of).unwrap_or_default()
            });
            let files = match self.files(id, at, &text) {
                Ok(target) => target.files().collect(),
                Err(Miss::Missing(_) | Miss::Nothing { .. }) if include.optional => Vec::new(),
                Err(Miss::Missing(files)) => {
                    missing.extend(files);
                    continue;
                }
                Err(miss) => {
                    wrong = wrong.or(Some(miss));
                    continue;
                }
            };
            cases.push(Case { values, files });
        }
        let names = choices.iter().map(|(name, _)| Arc::clone(name)).collect();
        let missing = (!missing.is_empty()).then_some(Miss::Missing(missing));
        (Target::Choice(Choice { names, cases }), wrong.or(missing))
    }

    /// The file or files of an include whose path has no more references.
    fn files(&mut self, id: FileId, at: usize, text: &str) -> Result<Target, Miss> {
        let node = &self.nodes[id.index()];
        let document = Arc::clone(&node.document);
        let holder = node.key.clone();
        let include = &document.body.includes[at];
        let path = &include.path;
        let reading = &include.reading;
        if !is_glob(path) {
            let file = self.resolver.one(Some(&holder), text)?;
            return Ok(Target::File(self.node(file, reading)?));
        }
        let files = self.resolver.matching(&holder, text)?;
        let ids: Result<Vec<FileId>, Miss> =
            files.into_iter().map(|file| self.node(file, reading)).collect();
        Ok(Target::Files(ids?))
    }

    /// The file, read as a prompt if it is Markdown and not included as it stands.
    fn node(&mut self, key: FileKey, reading: &Reading) -> Result<FileId, Miss> {
        let is_markdown = paths::is_markdown(&key.path) || self.entry.as_ref() == Some(&key);
        let mode = match reading {
            Reading::Template if is_markdown => Mode::Template,
            Reading::Code(_) => Mode::Code,
            _ => Mode::Raw,
        };
        if let Some(&id) = self.ids.get(&(key.clone(), mode)) {
            return Ok(id);
        }
        if self.nodes.len() >= MOST_FILES {
            return Err(Miss::Work("too many files"));
        }
        let id = FileId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let document = (self.parse)(&self.resolver.reader.source(&key), mode);
        self.ids.insert((key.clone(), mode), id);
        self.nodes.push(Node {
            id,
            key,
            mode,
            document,
            base: None,
            includes: Vec::new(),
            includes_above: usize::MAX,
            bases_above: usize::MAX,
            searched: false,
        });
        Ok(id)
    }
}

/// Whether a path is a pattern. A value is none: only signs written in the path itself count.
fn is_glob(path: &IncludePath) -> bool {
    !path.quoted && glob::is_glob(&choices::fill(path, |_| String::new()))
}
