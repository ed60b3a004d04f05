//! The variables in force while a program runs: one slot a name.

use std::borrow::Cow;

use crate::compile::program::{Program, Text};
use crate::functions::Function;
use crate::parse::names::Symbol;
use crate::value::{Value, Vars};

/// The values of the slots of a program.
#[derive(Debug)]
pub(super) struct Slots<'p> {
    values: Vec<Option<Cow<'p, Value>>>,
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
            let input = program.input_of_slot[slot].map(|input| &program.inputs[input as usize].declaration);
            values.push(match (value, input) {
                (None, Some(input)) => input.default.as_ref(),
                (Some(Value::Null), Some(input)) if input.default.is_some() => input.default.as_ref(),
                (value, _) => value,
            }
            .map(Cow::Borrowed));
        }
        Self { values }
    }

    pub(super) fn get(&self, slot: u32) -> Option<&Value> {
        self.values[slot as usize].as_deref()
    }

    pub(super) fn set(&mut self, slot: u32, value: Value) {
        self.values[slot as usize] = Some(Cow::Owned(value));
    }

    /// Takes a value away, to be given back later.
    pub(super) fn take(&mut self, slot: u32) -> Option<Cow<'p, Value>> {
        self.values[slot as usize].take()
    }

    pub(super) fn give_back(&mut self, shadowed: Vec<(u32, Option<Cow<'p, Value>>)>) {
        for (slot, value) in shadowed.into_iter().rev() {
            self.values[slot as usize] = value;
        }
    }

    /// What expressions of a text see; functions may make so many bytes.
    pub(super) fn scope<'a>(&'a self, program: &'a Program, text: &'a Text, budget: usize) -> Scope<'a> {
        Scope { values: &self.values, program, text, budget }
    }
}

/// What an expression of a text sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    values: &'a [Option<Cow<'a, Value>>],
    program: &'a Program,
    text: &'a Text,
    budget: usize,
}
