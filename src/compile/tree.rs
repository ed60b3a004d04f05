//! The compiled prompt as applications see it.

use std::fmt;
use std::sync::Arc;

use super::program::{self, BlockKind, Program, SectionState};
use super::walk::{Stop, paths, stops};
use crate::diag::{Diagnostics, Place};
use crate::parse::front_matter::InputKind;
use crate::text::Span;
use crate::value::Value;

/// A compiled prompt: the entry and all that it includes, ready to be rendered any number of
/// times. Cheap to clone; it can be sent to and shared between threads.
#[derive(Clone)]
pub struct PromptTree(Arc<Inner>);

struct Inner {
    program: Program,
    warnings: Diagnostics,
}

/// A section of a compiled prompt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Section {
    /// The title: the heading's text without marks; references stand as written.
    pub title: String,
    /// The titles from the top down to this one.
    pub path: Vec<String>,
    /// The level of the heading in the output, 1 to 6.
    pub level: u8,
    /// How many sections lie above it in the tree; 0 for a top section.
    pub depth: usize,
    /// Where the heading stands.
    pub place: Place,
    /// The heading of a base that it took the place of, by inheritance.
    pub replaces: Option<Place>,
    /// The conditions and loops around it, as written, the outermost first.
    pub conditions: Vec<String>,
    /// The bytes from its heading to the next heading of its file; what is included there counts
    /// for its own sections.
    pub bytes: usize,
}

/// What kind of value an input takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputType {
    /// A text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A list.
    List,
    /// A map.
    Map,
    /// Any value.
    Any,
}

impl InputType {
    /// The type as it is declared.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::List => "list",
            Self::Map => "map",
            Self::Any => "any",
        }
    }
}

impl From<InputKind> for InputType {
    fn from(kind: InputKind) -> Self {
        match kind {
            InputKind::String => Self::String,
            InputKind::Integer => Self::Integer,
            InputKind::Number => Self::Number,
            InputKind::Boolean => Self::Boolean,
            InputKind::List => Self::List,
            InputKind::Map => Self::Map,
            InputKind::Any => Self::Any,
        }
    }
}

/// A declared input of a prompt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub kind: InputType,
    /// The value that it has when none is given; an input without one is required.
    pub default: Option<Value>,
    /// The values that it may have, if they are listed.
    pub choices: Option<Vec<Value>>,
    /// What it is for.
    pub description: Option<Arc<str>>,
    /// The declaration that decides.
    pub place: Place,
    /// Where it is used, in the order of the files and their text.
    pub uses: Vec<Place>,
}

impl PromptTree {
    pub(crate) fn new(program: Program, warnings: Diagnostics) -> Self {
        Self(Arc::new(Inner { program, warnings }))
    }

    pub(crate) fn program(&self) -> &Program {
        &self.0.program
    }

    /// A number that no other tree has while this one is there.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// The path of the entry.
    #[must_use]
    pub fn entry(&self) -> &str {
        &self.program().entry
    }

    /// What loading warned of.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        &self.0.warnings
    }

    /// The sections in the order of the text, those of all branches.
    pub fn sections(&self) -> impl Iterator<Item = Section> {
        let program = self.program();
        let sections = program.placement.sections.iter().skip(1);
        sections
            .filter(|section| section.state == SectionState::InTree)
            .map(|section| describe(program, section))
    }

    /// The declared inputs of all files, in the order of the files.
    pub fn inputs(&self) -> impl Iterator<Item = Input> {
        let program = self.program();
        program.inputs.iter().map(|input| {
            let declaration = &input.declaration;
            Input {
                name: Arc::clone(&declaration.name),
                kind: declaration.kind.into(),
                default: declaration.default.clone(),
                choices: declaration.choices.clone(),
                description: declaration.description.clone(),
                place: program.place(input.text, declaration.span),
                uses: uses(program, input.slot),
            }
        })
    }
}

impl fmt::Debug for PromptTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program();
        f.debug_struct("PromptTree")
            .field("entry", &program.entry)
            .field("files", &program.texts.len())
            .field("sections", &(program.placement.sections.len() - 1))
            .finish_non_exhaustive()
    }
}

/// Where a name is used in the expressions of all files.
fn uses(program: &Program, slot: u32) -> Vec<Place> {
    let mut places = Vec::new();
    for (text, id) in program.texts.iter().zip(0..) {
        stops(&text.document, &mut |stop| {
            let Stop::Expr(expr) = stop else { return };
            paths(expr, &mut |path| {
                if text.slots[path.name.0 as usize] == slot {
                    places.push(program.place(id, path.name_span));
                }
            });
        });
    }
    places
}

fn describe(program: &Program, section: &program::SectionEntry) -> Section {
    let mut path = Vec::new();
    let mut above = Some(section);
    while let Some(section) = above {
        path.push(program.title(section).to_owned());
        above = section.parent.map(|parent| &program.placement.sections[parent as usize]);
    }
    path.reverse();
    let unit = &program.units[program.placement.instances[section.instance as usize].unit as usize];
    let heading = &unit.headings[section.heading as usize];
    let text = unit.text(heading.text);
    let document = &program.texts[text as usize].document;
    let mark = &document.body.headings[heading.mark as usize];
    let next = document.body.headings.get(heading.mark as usize + 1);
    let end = next.map_or(document.source.text().len(), |next| next.span.start as usize);
    Section {
        title: program.title(section).to_owned(),
        depth: path.len() - 1,
        path,
        level: section.level,
        place: program.place(text, mark.span),
        replaces: heading.met.map(|(text, mark)| {
            let text = unit.text(text);
            let headings = &program.texts[text as usize].document.body.headings;
            program.place(text, headings[mark as usize].span)
        }),
        conditions: conditions(program, section),
        bytes: end - mark.span.start as usize,
    }
}

/// The blocks around a section, those around the includes that led to it too.
fn conditions(program: &Program, section: &program::SectionEntry) -> Vec<String> {
    let placement = &program.placement;
    let mut found = Vec::new();
    let mut instance = &placement.instances[section.instance as usize];
    let heading = &program.units[instance.unit as usize].headings[section.heading as usize];
    let mut block = heading.block;
    loop {
        let unit = &program.units[instance.unit as usize];
        while let Some((index, branch)) = block {
            let of = &unit.blocks[index as usize];
            found.push(condition(program, unit, of, branch));
            block = of.parent;
        }
        let Some((parent, site)) = instance.parent else { break };
        instance = &placement.instances[parent as usize];
        block = program.units[instance.unit as usize].sites[site as usize].block;
    }
    found.reverse();
    found
}

fn condition(
    program: &Program,
    unit: &program::Unit,
    block: &program::Block,
    branch: u32,
) -> String {
    let source = &program.texts[unit.text(block.text) as usize].document.source;
    let written = |span: Span| source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    match &block.kind {
        BlockKind::For(header) => {
            let names: Vec<&str> =
                header.names.iter().map(|(_, span)| source.slice(*span)).collect();
            format!("for {} in {}", names.join(", "), written(header.expr.span))
        }
        BlockKind::If => {
            match block.branches.get(branch as usize).and_then(|branch| branch.condition.as_ref()) {
                Some(condition) if branch == 0 => format!("if {}", written(condition.span)),
                Some(condition) => format!("elif {}", written(condition.span)),
                None => {
                    let first = block.branches.first().and_then(|branch| branch.condition.as_ref());
                    first.map_or_else(
                        || "else".to_owned(),
                        |first| format!("else of {}", written(first.span)),
                    )
                }
            }
        }
    }
}
