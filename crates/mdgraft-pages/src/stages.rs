//! The stages of a test: what is laid into its folder, and what is expected then.

use std::collections::BTreeMap;

use mdgraft::Value;

use crate::config::Config;
use crate::expect::Expectation;

/// A state of the files, and what is expected of it.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// What becomes of each path that changes in this stage.
    pub(crate) changes: BTreeMap<String, Change>,
    pub(crate) vars: BTreeMap<String, Value>,
    pub(crate) config: Config,
    pub(crate) expectations: Vec<Expectation>,
}

/// What becomes of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// A regular file with these bytes.
    File(std::sync::Arc<[u8]>),
    /// A symbolic link with this target.
    Link(String),
    /// Nothing is left of it.
    Removed,
}

/// What the blocks of one heading say, by stage: files, values, settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    pub(crate) changes: BTreeMap<u32, BTreeMap<String, Change>>,
    pub(crate) vars: BTreeMap<u32, BTreeMap<String, Value>>,
    pub(crate) config: BTreeMap<u32, toml::Table>,
}

impl Given {
    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.vars.is_empty() && self.config.is_empty()
    }

    /// Lays what another heading says over this: path by path and key by key.
    pub(crate) fn extend(&mut self, over: &Self) {
        for (stage, changes) in &over.changes {
            self.changes.entry(*stage).or_default().extend(changes.clone());
        }
        for (stage, vars) in &over.vars {
            self.vars.entry(*stage).or_default().extend(vars.clone());
        }
        for (stage, table) in &over.config {
            self.config.entry(*stage).or_default().extend(table.clone());
        }
    }

    /// The stages, in order. The values and settings of a stage lie over those of the one before.
    pub(crate) fn stages(
        mut self,
        mut expectations: BTreeMap<u32, Vec<Expectation>>,
    ) -> Vec<Stage> {
        let mut numbers: Vec<u32> = [1].into();
        numbers.extend(self.changes.keys().chain(self.vars.keys()).chain(self.config.keys()));
        numbers.extend(expectations.keys());
        numbers.sort_unstable();
        numbers.dedup();

        let mut vars = BTreeMap::new();
        let mut table = toml::Table::new();
        let stage = |number| {
            vars.extend(self.vars.remove(&number).unwrap_or_default());
            table.extend(self.config.remove(&number).unwrap_or_default());
            let mut changes = self.changes.remove(&number).unwrap_or_default();
            if number == 1 {
                // What a group gives and a test takes away was never there.
                changes.retain(|_, change| *change != Change::Removed);
            }
            Stage {
                changes,
                vars: vars.clone(),
                config: Config::from_table(table.clone()),
                expectations: expectations.remove(&number).unwrap_or_default(),
            }
        };
        numbers.into_iter().map(stage).collect()
    }
}
