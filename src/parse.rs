//! The first stage: one text to a [`Document`]. It never fails, and knows no path, no other file
//! and no values.

pub(crate) mod expr;
pub(crate) mod front_matter;
pub(crate) mod include;
pub(crate) mod names;
