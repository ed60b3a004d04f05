//! The variables in force while a program runs: one slot a name.

use super::eval::{self, Bound, Context, Round};
use crate::compile::program::{Program, Text};
use crate::functions::{Function, Functions};
use crate::parse::front_matter::InputKind;
use crate::parse::names::Symbol;
use crate::text::Span;
use crate::value::{Value, Vars};

/// What a name means.
#[derive(Clone, Debug, Default)]
pub(super) enum Slot<'p> {
    #[default]
    Nothing,
    Given(&'p Value),
    Bound(Value),
    Round(Round),
}

/// What names meant before something else was bound to them.
pub(super) type Shadowed<'p> = Vec<(u32, Slot<'p>)>;

/// The values of the slots of a program.
#[derive(Debug)]
pub(super) struct Slots<'p> {
    values: Vec<Slot<'p>>,
    /// The given values, those that no file names too: a near name may be among them.
    given: &'p Vars,
    /// Suggestions are sought for the first findings only.
    pub(super) suggests: bool,
}

impl<'p> Slots<'p> {
    /// The given values, and the defaults of declared inputs that are not given. Both lists of
    /// names are in order, so they are merged.
    pub(super) fn new(program: &'p Program, vars: &'p Vars) -> Self {
        let mut values = Vec::with_capacity(program.slots.len());
        let mut given = vars.iter().peekable();
        for (slot, name) in program.slots.iter().enumerate() {
            while given.next_if(|(other, _)| *other < &**name).is_some() {}
            let value = given.next_if(|(other, _)| *other == &**name).map(|(_, value)| value);
            let input = program.input_of_slot[slot]
                .map(|input| &program.inputs[input as usize].declaration);
            let value = match (value, input) {
                (None, Some(input)) => input.default.as_ref(),
                (Some(Value::Null), Some(input)) if input.kind != InputKind::Any => {
                    input.default.as_ref()
                }
                (value, _) => value,
            };
            let is_loop = program.loop_slot.is_some_and(|of_loop| of_loop as usize == slot);
            values.push(value.filter(|_| !is_loop).map_or(Slot::Nothing, Slot::Given));
        }
        Self { values, given: vars, suggests: true }
    }

    /// Binds something to a name; gives what it meant before.
    pub(super) fn replace(&mut self, slot: u32, with: Slot<'p>) -> Slot<'p> {
        std::mem::replace(&mut self.values[slot as usize], with)
    }

    pub(super) fn give_back(&mut self, shadowed: Shadowed<'p>) {
        for (slot, value) in shadowed.into_iter().rev() {
            self.values[slot as usize] = value;
        }
    }

    /// What expressions of a text see.
    pub(super) fn scope<'a>(&'a self, program: &'a Program, text: &'a Text) -> Scope<'a> {
        Scope { values: &self.values, given: self.given, program, text, suggests: self.suggests }
    }
}

/// What an expression of a text sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    values: &'a [Slot<'a>],
    given: &'a Vars,
    program: &'a Program,
    text: &'a Text,
    suggests: bool,
}

impl<'a> Scope<'a> {
    /// An evaluation in which functions may make so many bytes, for a construct.
    pub(super) fn context(&'a self, bytes: usize, construct: Span) -> Context<'a, Self> {
        Context { scope: self, bytes, construct }
    }
}

impl eval::Scope for Scope<'_> {
    fn lookup(&self, name: Symbol) -> Option<Bound<'_>> {
        match &self.values[self.text.slots[name.0 as usize] as usize] {
            Slot::Nothing => None,
            Slot::Given(value) => Some(Bound::Value(value)),
            Slot::Bound(value) => Some(Bound::Value(value)),
            Slot::Round(round) => Some(Bound::Round(*round)),
        }
    }

    fn function(&self, name: Symbol) -> Option<&Function> {
        self.text.functions[name.0 as usize].as_ref()
    }

    fn is_declared(&self, name: Symbol) -> bool {
        let slot = self.text.slots[name.0 as usize];
        self.program.input_of_slot.get(slot as usize).is_some_and(Option::is_some)
    }

    fn source(&self) -> &str {
        self.text.document.source.text()
    }

    fn names(&self) -> Vec<&str> {
        let slots = self.program.slots.iter().zip(self.values);
        let bound = slots.filter(|(_, value)| !matches!(value, Slot::Nothing));
        bound.map(|(name, _)| &**name).chain(self.given.iter().map(|(name, _)| name)).collect()
    }

    fn functions(&self) -> &Functions {
        &self.program.functions
    }

    fn suggests(&self) -> bool {
        self.suggests
    }
}
