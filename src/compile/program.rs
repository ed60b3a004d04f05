//! What rendering runs: units of operations, and the instances that place them.

use std::ops::{Deref, Range};
use std::sync::Arc;

use super::units::Lowered;
use super::uses::UnitUses;
use crate::diag::{Diagnostic, Finding, Place};
use crate::functions::{Function, Functions};
use crate::link::Limits;
use crate::parse::Document;
use crate::parse::directive::RoleName;
use crate::parse::document::Flags;
use crate::parse::expr::{Expr, ForHeader};
use crate::parse::names::Symbol;
use crate::text::Span;
use crate::value::Value;

/// A text that operations point into: a document of the closure.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) path: Arc<str>,
    pub(crate) document: Arc<Document>,
    /// For each symbol of the document, the slot of the variable with that name.
    pub(crate) slots: Box<[u32]>,
    /// For each symbol of the document, the function with that name.
    pub(crate) functions: Box<[Option<Function>]>,
    /// Whether comments are stripped.
    pub(crate) strip: bool,
}

/// Index of a [`Text`].
pub(crate) type TextId = u32;

/// A text of a unit: an index into the list of its texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Local(pub(crate) u32);

impl Local {
    /// The text that is current at the start.
    pub(crate) const FIRST: Self = Self(0);
}

/// What a file lowers to, or a file merged with its bases. It says nothing of the prompt that it
/// stands in, so that any number of prompts can share it.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) sites: Vec<Site>,
    pub(crate) headings: Vec<Heading>,
    /// Headings and include sites in the order of the text.
    pub(crate) layout: Vec<Layout>,
    /// Included files that were merged.
    pub(crate) parts: Vec<Part>,
}

/// A code in a prompt, placed by any number of instances.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) lowered: Arc<Lowered>,
    /// Its texts, the one that is current at the start first.
    pub(crate) texts: Box<[TextId]>,
    /// What its sites print.
    pub(crate) targets: Vec<Targets>,
}

impl Unit {
    /// The text of the prompt that a text of the unit is.
    pub(crate) fn text(&self, local: Local) -> TextId {
        self.texts[local.0 as usize]
    }
}

impl Deref for Unit {
    type Target = Code;

    fn deref(&self) -> &Code {
        &self.lowered.code
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    Heading(u32),
    Site(u32),
}

/// An operation. Spans and indices are those of the current text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Op {
    /// Prints source text.
    Text(Span, Flags),
    /// Prints blank lines, or merges them where a seam is.
    Blank(Span),
    /// A seam: something that took its line along, and its place.
    Seam(Span),
    /// Prints the value of a reference of the text.
    Reference(u32, Flags),
    /// Prints an included file.
    Site(u32),
    /// Chooses a branch of a block, or starts a loop; whether the marker takes its line along.
    Block(u32, bool),
    /// The end of a branch or of a loop's round; whether the marker takes its line along.
    BlockEnd(u32, bool),
    Role(RoleName),
    HeadingOpen(u32, Span),
    HeadingClose(u32, Span),
    FenceOpen(u32, Span),
    FenceClose(u32, Span),
    CodeOpen(u32),
    CodeClose(u32),
    LineOpen,
    LineEnd(Span, Flags),
    /// The text that the following operations mean.
    SetText(Local),
    /// The section that the following operations belong to; `u32::MAX` is the preamble.
    SetSection(u32),
    /// One blank line stands here: text of a child meets text of its base.
    Border,
    /// An included file that was merged begins, and ends.
    PartOpen(u32),
    PartClose(u32),
    /// A file ends here; what it leaves open is closed.
    FileEnd,
}

/// A block of directives.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    pub(crate) branches: Vec<Branch>,
    /// The operation behind the block.
    pub(crate) end: u32,
    /// The opening marker.
    pub(crate) span: Span,
    /// The heading that the block stands below; `u32::MAX` is none.
    pub(crate) section: u32,
    pub(crate) text: Local,
    /// The block around it, with the branch.
    pub(crate) parent: Option<(u32, u32)>,
    /// Whether the closing marker takes its line along.
    pub(crate) close_whole: bool,
}

#[derive(Debug)]
pub(crate) enum BlockKind {
    If,
    For(ForHeader),
}

#[derive(Debug)]
pub(crate) struct Branch {
    /// The condition; `None` for `else` and for loops.
    pub(crate) condition: Option<Expr>,
    pub(crate) ops: Range<u32>,
    /// A blank line inside, if there is one: it counts where the branch is left out.
    pub(crate) blank: Option<Span>,
    /// What of the layout lies inside.
    pub(crate) layout: Range<u32>,
    /// Whether it prints something in the section that the block stands in.
    pub(crate) own_content: bool,
}

/// An included file in a unit that was merged.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) text: Local,
    /// Index into the includes of the text.
    pub(crate) include: u32,
    /// Whether it is set off; else it only binds its variables.
    pub(crate) bordered: bool,
    /// The operation that closes it.
    pub(crate) end: u32,
    /// What of the layout lies inside.
    pub(crate) layout: Range<u32>,
    /// Whether it prints something in the section that it stands in.
    pub(crate) own_content: bool,
    /// The heading it stands below; `u32::MAX` is none.
    pub(crate) section: u32,
}

/// A heading of a unit.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    pub(crate) text: Local,
    /// Index into the headings of the text.
    pub(crate) mark: u32,
    /// The level in the unit, before any shift.
    pub(crate) level: u8,
    /// The heading above it in the unit.
    pub(crate) parent: Option<u32>,
    /// The innermost block it stands in, with the branch.
    pub(crate) block: Option<(u32, u32)>,
    /// Its index in the layout.
    pub(crate) layout: u32,
    /// The heading of a base that it replaced: its text, and the index there.
    pub(crate) met: Option<(Local, u32)>,
}

/// An include directive of a unit.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) text: Local,
    /// Index into the includes of the text.
    pub(crate) include: u32,
    /// The heading it stands below.
    pub(crate) parent: Option<u32>,
    /// Its index in the layout.
    pub(crate) layout: u32,
    /// The innermost block it stands in, with the branch.
    pub(crate) block: Option<(u32, u32)>,
}

/// What a site prints.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    pub(crate) list: Vec<Target>,
    /// For paths with references, the inputs that choose among them.
    pub(crate) chosen_by: Vec<Symbol>,
}

/// A file that an include may print.
#[derive(Debug)]
pub(crate) struct Target {
    /// The values of the inputs that choose it, where the path has references.
    pub(crate) choice: Vec<Value>,
    pub(crate) kind: TargetKind,
}

#[derive(Debug)]
pub(crate) enum TargetKind {
    /// A template: index of its unit.
    Unit(u32),
    /// Text as it is: which spans of it.
    Raw { text: TextId, spans: Vec<Span> },
    /// Text as a code block.
    Code { text: TextId, spans: Vec<Span>, language: Arc<str>, fence: usize },
}

/// A unit in its place.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) unit: u32,
    /// How many levels its headings go down.
    pub(crate) shift: u8,
    /// The section it prints its preamble in; [`NEVER`] where a section path leaves that out.
    pub(crate) root: u32,
    /// Where its marks begin: for each entry of the unit's layout, and for its end, the index of
    /// the next section.
    pub(crate) marks: u32,
    /// Where its sites begin in [`Placement::sites`].
    pub(crate) sites: u32,
    /// The instance and the site that it stands at.
    pub(crate) parent: Option<(u32, u32)>,
    /// Inside a list item or quote: its headings are no sections and keep their levels.
    pub(crate) contained: bool,
}

/// A section in its place. The first one is the preamble of the entry.
#[derive(Clone, Debug)]
pub(crate) struct SectionEntry {
    pub(crate) instance: u32,
    /// Index into the headings of the unit; `u32::MAX` for the preamble.
    pub(crate) heading: u32,
    pub(crate) parent: Option<u32>,
    pub(crate) state: SectionState,
    /// The number among sections of equal title below one parent.
    pub(crate) ordinal: u32,
    /// The level in the output.
    pub(crate) level: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SectionState {
    /// A section of the tree.
    InTree,
    /// Printed with the section that includes it, and no section itself.
    Contained(u32),
    /// Left out by the section path of an include.
    Dropped,
}

/// A declared input of the whole closure.
#[derive(Clone, Debug)]
pub(crate) struct InputEntry {
    pub(crate) declaration: crate::parse::front_matter::Input,
    pub(crate) slot: u32,
    pub(crate) text: TextId,
}

/// Where everything of a prompt stands: the instances of units, and the tree of sections.
#[derive(Debug, Default)]
pub(crate) struct Placement {
    pub(crate) instances: Vec<Instance>,
    pub(crate) marks: Vec<u32>,
    /// For each site of each instance, its range in `children`.
    pub(crate) sites: Vec<Range<u32>>,
    /// The instance of each target of a site; [`NEVER`] for targets that are text.
    pub(crate) children: Vec<u32>,
    pub(crate) sections: Vec<SectionEntry>,
    /// Whether some section is dropped or contained, so that not all are printed alike.
    pub(crate) has_special_sections: bool,
}

/// Stands for "no section" and "no instance".
pub(crate) const NEVER: u32 = u32::MAX;

/// A compiled prompt.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) entry: Arc<str>,
    pub(crate) texts: Vec<Text>,
    pub(crate) units: Vec<Unit>,
    pub(crate) placement: Placement,
    /// The names of variables, in order.
    pub(crate) slots: Vec<Arc<str>>,
    /// The slot of `loop`, where that name is used.
    pub(crate) loop_slot: Option<u32>,
    /// For each slot, the declared input of that name.
    pub(crate) input_of_slot: Vec<Option<u32>>,
    pub(crate) inputs: Vec<InputEntry>,
    /// For each unit the variables it uses.
    pub(crate) uses: Vec<UnitUses>,
    /// Whether the entry declares its inputs.
    pub(crate) closed: bool,
    pub(crate) functions: Functions,
    pub(crate) limits: Limits,
}

impl Program {
    /// The bytes that a render is likely to need.
    pub(crate) fn capacity(&self) -> usize {
        let sources: usize = self.texts.iter().map(|text| text.document.source.text().len()).sum();
        sources.min(64 << 10)
    }

    /// A place in a text.
    pub(crate) fn place(&self, text: TextId, span: Span) -> Place {
        let text = &self.texts[text as usize];
        Place { file: Arc::clone(&text.path), source: text.document.source.clone(), span }
    }

    /// The include directives that lead to an instance, the outermost first.
    pub(crate) fn chain(&self, instance: u32) -> Vec<Place> {
        chain(&self.texts, &self.units, &self.placement, instance)
    }

    /// The diagnostic of a finding that was met in an instance.
    pub(crate) fn diagnostic(&self, text: TextId, instance: u32, finding: Finding) -> Diagnostic {
        diagnostic(&self.texts, &self.units, &self.placement, text, instance, finding)
    }

    /// The title of a section; the preamble has none.
    pub(crate) fn title(&self, section: &SectionEntry) -> &str {
        title(&self.texts, &self.units, &self.placement.instances, section)
    }
}

/// The title of a section.
pub(crate) fn title<'p>(
    texts: &'p [Text],
    units: &'p [Unit],
    instances: &[Instance],
    section: &SectionEntry,
) -> &'p str {
    let unit = &units[instances[section.instance as usize].unit as usize];
    unit.headings.get(section.heading as usize).map_or("", |heading| {
        let text = &texts[unit.text(heading.text) as usize];
        &text.document.body.headings[heading.mark as usize].title
    })
}

/// The diagnostic of a finding that was met in an instance.
pub(crate) fn diagnostic(
    texts: &[Text],
    units: &[Unit],
    placement: &Placement,
    text: TextId,
    instance: u32,
    finding: Finding,
) -> Diagnostic {
    let of = &texts[text as usize];
    finding.at(&of.path, &of.document.source, chain(texts, units, placement, instance))
}

fn chain(texts: &[Text], units: &[Unit], placement: &Placement, instance: u32) -> Vec<Place> {
    let mut chain = Vec::new();
    let mut at = placement.instances.get(instance as usize).and_then(|instance| instance.parent);
    while let Some((parent, site)) = at {
        let parent = &placement.instances[parent as usize];
        let unit = &units[parent.unit as usize];
        let site = &unit.sites[site as usize];
        let text = &texts[unit.text(site.text) as usize];
        let span = text.document.body.includes[site.include as usize].span;
        chain.push(Place {
            file: Arc::clone(&text.path),
            source: text.document.source.clone(),
            span,
        });
        at = parent.parent;
    }
    chain.reverse();
    chain
}
