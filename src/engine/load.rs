//! Loading: what is kept is given again if all that it observed is still so.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::session::{Session, Settings};
use super::store::{Tree, TreeKey};
use super::{Engine, Freshness, LoadOptions, weight};
use crate::compile::{CompileOptions, Compiled, PromptTree, compile};
use crate::diag::Diagnostics;
use crate::link::{Ask, LinkOptions, Linked, Roots, link};
use crate::parse::Mode;
use crate::text::Source;

impl Engine {
    /// The prompt of a key. `roots` are those of the engine, with the text that is given.
    pub(super) fn load_kept(&self, key: TreeKey, roots: &Roots) -> Result<PromptTree, Diagnostics> {
        let given = key.given.map(|_| key.entry.as_str());
        let session = self.session(roots, given);
        let trees = &self.store.own().trees;
        let kept = trees.peek(&key).filter(|tree| self.is_right(tree, &session));
        trees.count(kept.is_some());
        if let Some(tree) = kept {
            return tree.loaded.clone();
        }
        let linked = self.link_with(&key.entry, &key.options, roots, &session);
        let loaded = loaded(self.compile(&linked, &key.options));
        let tree = Tree {
            observations: linked.observations,
            loaded: loaded.clone(),
            right_in: AtomicU64::new(session.generation()),
        };
        let bytes = weight::of_observations(&tree.observations)
            + match &tree.loaded {
                Ok(tree) => weight::of_program(tree.program()),
                Err(diagnostics) => weight::of_diagnostics(diagnostics),
            };
        trees.insert(key, Arc::new(tree), bytes);
        loaded
    }

    fn is_right(&self, tree: &Tree, session: &Session<'_>) -> bool {
        let told = matches!(self.freshness, Freshness::Events | Freshness::Trust);
        if told && tree.right_in.load(Ordering::SeqCst) == session.generation() {
            return true;
        }
        let proved = session.proves(&tree.observations);
        if proved {
            tree.right_in.store(session.generation(), Ordering::SeqCst);
        }
        proved
    }

    pub(super) fn link(&self, entry: &str, options: &LoadOptions) -> Linked {
        self.link_with(entry, options, &self.roots, &self.session(&self.roots, None))
    }

    fn link_with(
        &self,
        entry: &str,
        options: &LoadOptions,
        roots: &Roots,
        ask: &dyn Ask,
    ) -> Linked {
        let link_options = LinkOptions {
            variant: options.variant.clone(),
            max_depth: self.limits.max_depth,
            max_file: self.limits.max_file,
        };
        let packed = self.pack.as_deref();
        let parse = |source: &Source, mode: Mode| self.store.document(source, mode, packed);
        link(entry, &link_options, roots, ask, &parse)
    }

    pub(super) fn compile(&self, linked: &Linked, options: &LoadOptions) -> Compiled {
        compile(
            linked,
            &CompileOptions {
                functions: self.functions.clone(),
                limits: self.limits,
                strip_comments: options.strip_comments,
            },
            &self.store.lowering(),
        )
    }

    fn session<'s>(&'s self, roots: &'s Roots, given: Option<&'s str>) -> Session<'s> {
        let known = &self.store.own().known;
        Session::new(Settings {
            roots,
            known,
            packed: self.pack.as_deref(),
            freshness: self.freshness,
            limit: self.limits.max_file,
            given,
            reads: self.store.reads(),
        })
    }
}

fn loaded(compiled: Compiled) -> Result<PromptTree, Diagnostics> {
    let diagnostics = Diagnostics::from_sorted(compiled.diagnostics);
    match compiled.program {
        Some(program) if !diagnostics.has_errors() => Ok(PromptTree::new(program, diagnostics)),
        _ => Err(diagnostics),
    }
}
