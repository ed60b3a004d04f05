//! What two prompts begin with in common, which is what the cache of a provider can use again.

use std::collections::HashSet;
use std::fmt;

use super::assembly::Assembly;
use super::error::{AssembleError, PartKind};
use super::pieces::Pieces;

/// What two prompts begin with in common. Made by [`stable_prefix`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StablePrefix {
    /// The bytes that are the same from the beginning, up to a whole character.
    pub bytes: usize,
    /// The bytes of the second prompt.
    pub total: usize,
    /// Whether the tools differ. Where a provider reads the tools before the prompt, nothing of
    /// the prompt can then be used again.
    pub tools_changed: bool,
    /// What changes before something that does not.
    pub spoiler: Option<Spoiler>,
}

/// Something that changes from call to call and stands before what does not: the finding
/// `volatile-before-stable`.
///
/// It prints as one line that names what to move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Spoiler {
    /// The first section that differs.
    pub section: String,
    /// The variable in it that does; `None` where the text of the section itself differs.
    pub variable: Option<String>,
    /// The bytes of the sections behind it that are the same in both prompts.
    pub stable_behind: usize,
}

impl Spoiler {
    /// The name of the finding.
    pub const CODE: &'static str = "volatile-before-stable";
}

impl fmt::Display for Spoiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { section, variable, stable_behind } = self;
        write!(f, "{}: ", Self::CODE)?;
        match variable {
            Some(variable) => {
                write!(f, "the variable `{variable}` changes in the section `{section}`")?;
            }
            None => write!(f, "the section `{section}` changes")?,
        }
        write!(f, ", before {stable_behind} bytes that stay: move it behind them, or to a context")
    }
}

/// What the prompts of two assemblies begin with in common, and what spoils the rest.
///
/// ```
/// use mdgraft::assemble::{Assembler, stable_prefix};
///
/// let prompts = Assembler::<u32>::bare();
/// let _kept = [
///     prompts.section("role", 0, "You are an agent.")?,
///     prompts.section("clock", 1, "It is {{hour}} o'clock.")?,
///     prompts.section("rules", 2, "Be brief.")?,
///     prompts.variable("hour", |hour| hour.to_string())?,
/// ];
/// let prefix = stable_prefix(&prompts.assemble(&9)?, &prompts.assemble(&10)?)?;
/// assert_eq!(prefix.bytes, "You are an agent.\n\nIt is ".len());
/// assert_eq!(
///     prefix.spoiler.expect("rules could stand before it").to_string(),
///     "volatile-before-stable: the variable `hour` changes in the section `clock`, before 9 bytes \
///      that stay: move it behind them, or to a context"
/// );
/// # Ok::<(), mdgraft::assemble::AssembleError>(())
/// ```
///
/// # Errors
///
/// As [`Assembly::render_prompt`].
pub fn stable_prefix(first: &Assembly, second: &Assembly) -> Result<StablePrefix, AssembleError> {
    let (one, other) = (first.render_prompt()?, second.render_prompt()?);
    let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let bytes = (0..=same).rev().find(|&at| other.is_char_boundary(at)).unwrap_or(0);
    Ok(StablePrefix {
        bytes,
        total: other.len(),
        tools_changed: first.tools != second.tools,
        spoiler: spoiler(&rendered(first)?, &rendered(second)?),
    })
}

/// The sections that are not empty.
fn rendered(assembly: &Assembly) -> Result<Vec<Pieces<'_>>, AssembleError> {
    let mut parts = Vec::with_capacity(assembly.sections.len());
    for part in &assembly.sections {
        let pieces = assembly.pieces(part, PartKind::Section)?;
        if !pieces.pieces.is_empty() {
            parts.push(pieces);
        }
    }
    Ok(parts)
}

fn spoiler(first: &[Pieces<'_>], second: &[Pieces<'_>]) -> Option<Spoiler> {
    let same_text = |(one, other): &(&Pieces<'_>, &Pieces<'_>)| one.text() == other.text();
    let at = first.iter().zip(second).take_while(same_text).count();
    let part = second.get(at)?;
    let before: HashSet<String> = first.iter().skip(at).map(Pieces::text).collect();
    let behind = second[at + 1..].iter().map(Pieces::text);
    let stable_behind = behind.filter(|text| before.contains(text)).map(|text| text.len()).sum();
    if stable_behind == 0 {
        return None;
    }
    Some(Spoiler {
        section: part.name.to_owned(),
        variable: first.get(at).and_then(|other| variable(other, part)).map(str::to_owned),
        stable_behind,
    })
}

/// The variable whose values are the first difference of two parts.
fn variable<'a>(one: &Pieces<'_>, other: &Pieces<'a>) -> Option<&'a str> {
    if one.name != other.name {
        return None;
    }
    let mut pairs = one.pieces.iter().zip(&other.pieces);
    let (one, other) = pairs.find(|(one, other)| one != other)?;
    other.1.filter(|name| one.1 == Some(name))
}
