//! Section paths and filters (language §8).

/// Which sections are rendered: a list of filter entries, each a path such as `Rules/Style`
/// (`!` removes) or a list of titles.
#[derive(Clone, Debug, Default)]
pub struct Include {
    pub(crate) entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    Path(String),
    Titles(Vec<String>),
}

impl Include {
    /// Adds an entry written as a path.
    pub fn push_path(&mut self, path: impl Into<String>) {
        self.entries.push(Entry::Path(path.into()));
    }

    /// Adds an entry given as a list of titles, which selects.
    pub fn push_titles(&mut self, titles: impl IntoIterator<Item = impl Into<String>>) {
        self.entries.push(Entry::Titles(titles.into_iter().map(Into::into).collect()));
    }
}
