//! The names of a document, each kept once.

use std::collections::HashMap;
use std::sync::Arc;

use super::expr::is_reserved;

/// A name of a document: the index into its [`Names`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Symbol(pub(crate) u32);

/// Names of variables and functions in the order in which they were first met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    list: Vec<Arc<str>>,
    index: HashMap<Arc<str>, Symbol>,
}

impl Names {
    /// The symbol of a name.
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.index.get(name) {
            return symbol;
        }
        let name: Arc<str> = name.into();
        let symbol = Symbol(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(Arc::clone(&name));
        self.index.insert(name, symbol);
        symbol
    }

    /// The name of a symbol of these names.
    pub(crate) fn name(&self, symbol: Symbol) -> &Arc<str> {
        &self.list[symbol.0 as usize]
    }

    /// All names, in the order of their symbols.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<str>> {
        self.list.iter()
    }

    /// How many names there are, to [`rewind`](Names::rewind) to.
    pub(crate) fn mark(&self) -> usize {
        self.list.len()
    }

    /// Forgets the names that were first met after the mark, of a text that turned out to be
    /// something else.
    pub(crate) fn rewind(&mut self, mark: usize) {
        for name in self.list.drain(mark.min(self.list.len())..) {
            self.index.remove(&name);
        }
    }
}

/// Whether a text can name a variable: `[a-z][a-z0-9_]*` and no reserved word.
pub(crate) fn is_name(text: &str) -> bool {
    has_form_of_name(text) && !is_reserved(text)
}

/// Whether a text has the form of a name; it may be a reserved word.
pub(crate) fn has_form_of_name(text: &str) -> bool {
    let rest = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    text.bytes().next().is_some_and(|first| first.is_ascii_lowercase()) && text.bytes().all(rest)
}
