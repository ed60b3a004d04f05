//! Assembly files: sections, contexts, variables, tools and scopes, declared in TOML.

mod files;
mod form;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::assembler::Assembler;
use super::assembly::{Assembly, Part, Variables};
use super::error::{AssembleError, PartKind};
use super::options::AssembleOptions;
use super::origins::Source as From;
use super::provider::Text;
use super::registry::Meta;
use super::render::interpolate;
use super::scope::{Scope, ScopeError};
use crate::diag::{Code, Diagnostic, Diagnostics, Finding, Place, codes, near};
use crate::engine::Engine;
use crate::link::LoadError;
use crate::render::RenderOptions;
use crate::text::{Source, Span};
use crate::value::Vars;
use files::Files;
use form::{Content, Form, LayerForm, PartForm, VariableValue, Written};

/// What the variables of an assembly file may take from outside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The environment, for `{ env = "NAME" }`.
    pub environment: BTreeMap<String, String>,
    /// What was given by name, for `{ arg = "name" }`.
    pub arguments: BTreeMap<String, String>,
}

/// An assembly that a file declares.
///
/// ```toml
/// [[sections]]
/// name = "role"
/// text = "You are {{what}}."
///
/// [[sections]]
/// name = "rules"
/// order = 10
/// file = "rules.md"
/// exclude = ["Rules/Examples"]
///
/// [variables]
/// what = { arg = "what", default = "an agent" }
///
/// [scopes.reviewer]
/// variables = { what = "a reviewer" }
/// ```
///
/// ```
/// use mdgraft::assemble::{Declared, Given};
/// use mdgraft::{Engine, MemoryLoader};
///
/// let file = "sections = [{ name = \"rules\", file = \"rules.md\" }]\n";
/// let files = [("assembly.toml", file), ("rules.md", "# Rules\n\nBe brief.\n")];
/// let declared = Declared::load(&Engine::new(MemoryLoader::new(files)), "assembly.toml")?;
/// let assembly = declared.assemble(None, &Given::default())?;
/// assert_eq!(assembly.sections[0].text(), "# Rules\n\nBe brief.");
/// # Ok::<(), mdgraft::Diagnostics>(())
/// ```
#[derive(Debug)]
pub struct Declared {
    assembler: Assembler<Given>,
    scopes: Vec<(String, Scope)>,
    arguments: BTreeSet<String>,
    environment: BTreeSet<String>,
    places: Places,
}

/// Where things stand in the file, for errors that come up when it is assembled.
#[derive(Debug)]
struct Places {
    file: Arc<str>,
    source: Source,
    parts: Vec<PartPlace>,
    tool_order: Vec<Written>,
    tools: Option<Span>,
}

#[derive(Debug)]
struct PartPlace {
    scope: Option<String>,
    kind: PartKind,
    name: String,
    name_span: Span,
    complete: Option<Span>,
    /// The text, or the path of the file.
    content: Span,
}

impl Declared {
    /// Reads an assembly file and all files that it names. Their paths are relative to its folder
    /// and stay inside the root of the engine.
    ///
    /// # Errors
    ///
    /// All that is wrong, with its places: in the assembly file, in prompts, in schemas of tools.
    pub fn load(engine: &Engine, path: &str) -> Result<Self, Diagnostics> {
        let (file, source) = open(engine, path)?;
        let entries = tree::parse(source.text()).map_err(|(span, message)| {
            let finding = Finding::new(codes::INVALID_DECLARATION, span, message);
            Diagnostics::from_sorted(vec![finding.at(&file, &source, Vec::new())])
        })?;
        let (form, findings) = form::read(&entries);
        let mut files = Files { engine, file: &file, source: &source, told: Vec::new() };
        for finding in findings {
            files.tell(finding);
        }
        check_references(&form, &mut files);
        let declared = register(&form, &mut files);
        let told = in_order(files.told, &file);
        let diagnostics = Diagnostics::from_sorted(told);
        match declared {
            Some(declared) if !diagnostics.has_errors() => Ok(declared),
            _ => Err(diagnostics),
        }
    }

    /// Assembles what a scope sees, or the global layer.
    ///
    /// # Errors
    ///
    /// What is wrong, with its places. A scope that is not declared is told at the beginning of
    /// the file.
    pub fn assemble(&self, scope: Option<&str>, given: &Given) -> Result<Assembly, Diagnostics> {
        let assembler = match scope {
            None => self.assembler.clone(),
            Some(name) => {
                let scope = self.scope(name).ok_or_else(|| self.unknown_scope(name))?;
                self.assembler.within(scope)
            }
        };
        assembler.assemble(given).map_err(|error| self.diagnostics(scope, &error))
    }

    /// The assembler that the file fills, to register more.
    #[must_use]
    pub fn assembler(&self) -> &Assembler<Given> {
        &self.assembler
    }

    /// A declared scope.
    #[must_use]
    pub fn scope(&self, name: &str) -> Option<&Scope> {
        self.scopes.iter().find(|(own, _)| own == name).map(|(_, scope)| scope)
    }

    /// The names of the scopes, in the order of the file.
    #[must_use]
    pub fn scopes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.scopes.iter().map(|(name, _)| name.as_str())
    }

    /// The names that variables take from [`Given::arguments`].
    #[must_use]
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arguments.iter().map(String::as_str)
    }

    /// The names that variables take from [`Given::environment`].
    #[must_use]
    pub fn environment(&self) -> impl ExactSizeIterator<Item = &str> {
        self.environment.iter().map(String::as_str)
    }

    /// What an error of an assembly or its rendering is in the file: diagnostics at the part that
    /// is concerned, or those of the prompt that did not render.
    #[must_use]
    pub fn diagnostics(&self, scope: Option<&str>, error: &AssembleError) -> Diagnostics {
        let places = &self.places;
        if let AssembleError::Prompt { kind, name, diagnostics } = error {
            let from = self.part(scope, *kind, name).map(|part| places.place(part.content));
            let told = diagnostics.iter().cloned().map(|mut diagnostic| {
                diagnostic.chain.splice(0..0, from.clone());
                diagnostic
            });
            return Diagnostics::from_sorted(told.collect());
        }
        let (code, span) = self.told_at(scope, error);
        let finding = Finding::new(code, span, error.to_string().replace('\n', " "));
        Diagnostics::from_sorted(vec![finding.at(&places.file, &places.source, Vec::new())])
    }

    fn told_at(&self, scope: Option<&str>, error: &AssembleError) -> (Code, Span) {
        use AssembleError as E;
        let places = &self.places;
        let content =
            |kind: PartKind, name: &str| self.part(scope, kind, name).map(|it| it.content);
        let (code, span) = match error {
            E::MalformedReference { kind, name, excerpt } => {
                let at = content(*kind, name).map(|span| places.inside(span, excerpt));
                (codes::MALFORMED_REFERENCE, at)
            }
            E::MalformedName { kind, name, written } => {
                let written = format!("{{{{{written}}}}}");
                let at = content(*kind, name).map(|span| places.inside(span, &written));
                (codes::MALFORMED_REFERENCE, at)
            }
            E::UnknownVariable { kind, name, variable, .. } => {
                let at = content(*kind, name).map(|span| places.reference(span, variable));
                (codes::UNKNOWN_VARIABLE, at)
            }
            E::NoValue { kind, name, variable } => {
                let at = content(*kind, name).map(|span| places.reference(span, variable));
                (codes::MISSING_VARIABLE, at)
            }
            E::SeveralComplete { names } => {
                let last = names.last().and_then(|name| self.part(scope, PartKind::Section, name));
                (
                    codes::INVALID_DECLARATION,
                    last.map(|part| part.complete.unwrap_or(part.name_span)),
                )
            }
            E::UnknownTools { names, .. } => {
                let listed = places.tool_order.iter().find(|it| names.first() == Some(&it.text));
                (codes::INVALID_DECLARATION, listed.map(|listed| listed.span))
            }
            E::ReservedTool { .. } => (codes::INVALID_DECLARATION, places.tools),
            _ => (codes::INVALID_DECLARATION, None),
        };
        (code, span.unwrap_or_default())
    }

    /// The part that a scope sees under a name.
    fn part(&self, scope: Option<&str>, kind: PartKind, name: &str) -> Option<&PartPlace> {
        let chain = scope.and_then(|name| self.scope(name)).map(Scope::chain).unwrap_or_default();
        let layers = chain.iter().map(|scope| Some(scope.name())).chain([None]);
        layers.into_iter().find_map(|layer| {
            let mut parts = self.places.parts.iter();
            parts.find(|part| {
                part.scope.as_deref() == layer && part.kind == kind && part.name == name
            })
        })
    }

    fn unknown_scope(&self, name: &str) -> Diagnostics {
        let message = format!("there is no scope `{name}`");
        let finding = Finding::new(codes::INVALID_DECLARATION, Span::default(), message);
        let finding = match near::nearest(name, self.scopes()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("declare it as `[scopes.NAME]`"),
        };
        let Places { file, source, .. } = &self.places;
        Diagnostics::from_sorted(vec![finding.at(file, source, Vec::new())])
    }
}

impl Places {
    fn place(&self, span: Span) -> Place {
        Place { file: Arc::clone(&self.file), source: self.source.clone(), span }
    }

    fn reference(&self, span: Span, variable: &str) -> Span {
        self.inside(span, &format!("{{{{{variable}}}}}"))
    }

    fn inside(&self, span: Span, what: &str) -> Span {
        inside(&self.source, span, what)
    }
}

/// The place of something in a text; that of the text where an escape hides it.
fn inside(source: &Source, span: Span, what: &str) -> Span {
    match source.slice(span).find(what) {
        Some(at) => {
            let start = span.start as usize + at;
            Span::at(start, start + what.len())
        }
        None => span,
    }
}

fn open(engine: &Engine, path: &str) -> Result<(Arc<str>, Source), Diagnostics> {
    let told = |code, message: String| {
        let (file, source) = (Arc::from(path), Source::new(b""));
        let finding = Finding::new(code, Span::default(), message);
        Diagnostics::from_sorted(vec![finding.at(&file, &source, Vec::new())])
    };
    let (file, source) = match engine.read(path) {
        Ok(Some(found)) => found,
        Ok(None) => return Err(told(codes::INCLUDE_NOT_FOUND, format!("cannot find `{path}`"))),
        Err(error @ LoadError::TooLarge { .. }) => {
            return Err(told(codes::LIMIT_EXCEEDED, error.to_string()));
        }
        Err(error) => return Err(told(codes::UNREADABLE_FILE, error.to_string())),
    };
    match source.fault() {
        None => Ok((file, source)),
        Some(crate::text::Fault::InvalidUtf8 { byte }) => {
            Err(told(codes::INVALID_UTF8, format!("byte {byte} of the file is no UTF-8")))
        }
    }
}

/// Those of the assembly file first, then those of others by their paths; each file by position.
fn in_order(mut told: Vec<Diagnostic>, file: &Arc<str>) -> Vec<Diagnostic> {
    told.sort_by(|one, other| {
        let key = |it: &Diagnostic| (it.place.file != *file, Arc::clone(&it.place.file));
        let place = |it: &Diagnostic| (it.place.span.start, it.code);
        key(one).cmp(&key(other)).then_with(|| place(one).cmp(&place(other)))
    });
    told.dedup_by(|one, other| {
        (one.code, &one.message, one.place.span, &one.place.file)
            == (other.code, &other.message, other.place.span, &other.place.file)
    });
    told
}

/// References of texts that no assembly can put in: malformed ones, and names that no layer
/// declares.
fn check_references(form: &Form, files: &mut Files<'_>) {
    let layers = || std::iter::once(&form.global).chain(form.scopes.iter().map(|it| &it.layer));
    let mut variables = Variables::default();
    for name in layers().flat_map(|layer| &layer.names) {
        variables.insert(name.as_str(), Some(String::new()));
    }
    for (kind, part) in layers().flat_map(parts) {
        let Content::Text { text, verbatim: false } = &part.content else { continue };
        let probe = Part::new(part.name.text.as_str(), text.text.as_str());
        let Err(error) = interpolate(&probe, kind, &variables, &mut |_, _| {}) else { continue };
        let (code, what) = match &error {
            AssembleError::MalformedReference { excerpt, .. } => {
                (codes::MALFORMED_REFERENCE, excerpt.clone())
            }
            AssembleError::MalformedName { written, .. } => {
                (codes::MALFORMED_REFERENCE, format!("{{{{{written}}}}}"))
            }
            AssembleError::UnknownVariable { variable, .. } => {
                (codes::UNKNOWN_VARIABLE, format!("{{{{{variable}}}}}"))
            }
            _ => continue,
        };
        let span = inside(files.source, text.span, &what);
        files.tell(Finding::new(code, span, error.to_string().replace('\n', " ")));
    }
}

fn parts(layer: &LayerForm) -> impl Iterator<Item = (PartKind, &PartForm)> {
    let sections = layer.sections.iter().map(|part| (PartKind::Section, part));
    sections.chain(layer.contexts.iter().map(|part| (PartKind::Context, part)))
}

/// Registers everything that the file says; `None` where the options are refused.
fn register(form: &Form, files: &mut Files<'_>) -> Option<Declared> {
    let assembler = assembler(form, files);
    let scopes = scopes(form, files);
    let mut declared = Declared {
        assembler: assembler.clone().unwrap_or_else(Assembler::bare),
        scopes,
        arguments: BTreeSet::new(),
        environment: BTreeSet::new(),
        places: Places {
            file: Arc::clone(files.file),
            source: files.source.clone(),
            parts: Vec::new(),
            tool_order: form.tool_order.iter().flat_map(|(order, _)| order).cloned().collect(),
            tools: form.global.tools.first().map(|tools| tools.span),
        },
    };
    let global = declared.assembler.clone();
    register_layer(&form.global, None, &global, &mut declared, files);
    for (scope, at) in form.scopes.iter().zip(0..) {
        let handle = declared.assembler.within(&declared.scopes[at].1);
        register_layer(&scope.layer, Some(&scope.name.text), &handle, &mut declared, files);
    }
    assembler.is_some().then_some(declared)
}

fn assembler(form: &Form, files: &mut Files<'_>) -> Option<Assembler<Given>> {
    let order = form.tool_order.as_ref();
    let names =
        |(names, _): &(Vec<Written>, Span)| names.iter().map(|it| it.text.clone()).collect();
    let options = AssembleOptions { tool_order: order.map(names), ..AssembleOptions::bare() };
    let error = match Assembler::new(options) {
        Ok(assembler) => return Some(assembler),
        Err(error) => error,
    };
    let mut span = order.map(|(_, span)| *span).unwrap_or_default();
    if let (AssembleError::RepeatedTool { name }, Some((names, _))) = (&error, order) {
        span = names.iter().rfind(|listed| listed.text == *name).map_or(span, |it| it.span);
    }
    files.tell(Finding::new(codes::INVALID_DECLARATION, span, error.to_string()));
    None
}

fn scopes(form: &Form, files: &mut Files<'_>) -> Vec<(String, Scope)> {
    let scopes: Vec<(String, Scope)> = form
        .scopes
        .iter()
        .map(|scope| (scope.name.text.clone(), Scope::new(scope.name.text.as_str())))
        .collect();
    for (declared, (_, scope)) in form.scopes.iter().zip(&scopes) {
        let Some(parent) = &declared.parent else { continue };
        let found = scopes.iter().find(|(name, _)| *name == parent.text);
        let finding =
            |message: String| Finding::new(codes::INVALID_DECLARATION, parent.span, message);
        let Some((_, above)) = found else {
            let unknown = finding(format!("there is no scope `{}`", parent.text));
            let names = scopes.iter().map(|(name, _)| name.as_str());
            files.tell(match near::nearest(&parent.text, names) {
                Some(near) => {
                    unknown.help(format!("did you mean `{near}`?")).edit(parent.span, near)
                }
                None => unknown.help(format!("declare it as `[scopes.{}]`", parent.text)),
            });
            continue;
        };
        match scope.bind(above) {
            Ok(_) | Err(ScopeError::Bound) => {}
            Err(ScopeError::Cycle) => {
                let name = &declared.name.text;
                let message = format!("`{}` is `{name}` itself, or a scope below it", parent.text);
                files.tell(finding(message).help("give one of these scopes another parent"));
            }
        }
    }
    scopes
}

fn register_layer(
    layer: &LayerForm,
    scope: Option<&str>,
    handle: &Assembler<Given>,
    declared: &mut Declared,
    files: &mut Files<'_>,
) {
    let meta = |files: &Files<'_>, kind, name: &Written, order: f64| Meta {
        source: From::Declared(files.place(name.span)),
        ..handle.meta(kind, name.text.as_str(), order)
    };
    for (kind, part) in parts(layer) {
        let text = match &part.content {
            Content::Text { text, verbatim: false } => Text::from(text.text.as_str()),
            Content::Text { text, verbatim: true } => Text::from(text.text.as_str()).verbatim(),
            Content::File { path, filter } => {
                let Some((tree, include)) = files.prompt(path, filter) else { continue };
                let options = RenderOptions { include, ..RenderOptions::default() };
                Text::prompt_with(tree, options, Vars::new())
            }
        };
        declared.places.parts.push(PartPlace {
            scope: scope.map(str::to_owned),
            kind,
            name: part.name.text.clone(),
            name_span: part.name.span,
            complete: part.complete,
            content: match &part.content {
                Content::Text { text, .. } => text.span,
                Content::File { path, .. } => path.span,
            },
        });
        let own = meta(files, kind, &part.name, part.order);
        let own = Meta { complete: part.complete.is_some(), ..own };
        keep(handle.register_text(own, text), part.name.span, files);
    }
    for variable in &layer.variables {
        let value = variable.value.clone();
        match &value {
            VariableValue::Literal(_) => {}
            VariableValue::Argument { name, .. } => {
                declared.arguments.insert(name.clone());
            }
            VariableValue::Environment { name, .. } => {
                declared.environment.insert(name.clone());
            }
        }
        let own = meta(files, PartKind::Variable, &variable.name, 0.0);
        let registered = handle.register_variable(own, move |given| value_of(&value, given));
        keep(registered, variable.name.span, files);
    }
    for path in &layer.tools {
        let Some((tools, file)) = files.tools(path) else { continue };
        let own = Meta {
            name: Arc::default(),
            file: Some(file.into()),
            ..meta(files, PartKind::Tool, path, 0.0)
        };
        keep(handle.register_tools(own, move |_| tools.clone()), path.span, files);
    }
    if layer.suppresses {
        keep(handle.suppress_runtime_context(), Span::default(), files);
    }
}

fn value_of(value: &VariableValue, given: &Given) -> Option<String> {
    match value {
        VariableValue::Literal(text) => Some(text.clone()),
        VariableValue::Environment { name, default } => {
            given.environment.get(name).or(default.as_ref()).cloned()
        }
        VariableValue::Argument { name, default } => {
            given.arguments.get(name).or(default.as_ref()).cloned()
        }
    }
}

fn keep(
    registered: Result<super::registry::Registration, AssembleError>,
    span: Span,
    files: &mut Files<'_>,
) {
    match registered {
        Ok(registration) => registration.detach(),
        Err(error) => {
            files.tell(Finding::new(codes::INVALID_DECLARATION, span, error.to_string()));
        }
    }
}
