//! Rendering the same prompt with the same values again.

use std::sync::Arc;

use super::{Engine, weight};
use crate::cache::Memo;
use crate::compile::PromptTree;
use crate::diag::Diagnostics;
use crate::render::{RenderOptions, Rendered, render_with};
use crate::text::Hash;
use crate::value::{Value, Vars};

/// Variables that are hashed once, to be rendered with many times.
///
/// Cheap to clone.
///
/// ```
/// use mdgraft::{PreparedVars, vars};
///
/// let prepared = PreparedVars::new(vars! { user: "Ada" });
/// assert_eq!(prepared.vars().get("user"), Some(&"Ada".into()));
/// ```
#[derive(Clone, Debug)]
pub struct PreparedVars {
    vars: Vars,
    hash: Hash,
}

impl PreparedVars {
    /// Hashes variables, which costs a walk over all of their values.
    #[must_use]
    pub fn new(vars: Vars) -> Self {
        let mut text = Vec::new();
        for (name, value) in vars.iter() {
            write_text(&mut text, name);
            write_value(&mut text, value);
        }
        Self { vars, hash: Hash::of(&text) }
    }

    /// The variables.
    #[must_use]
    pub fn vars(&self) -> &Vars {
        &self.vars
    }
}

impl From<Vars> for PreparedVars {
    fn from(vars: Vars) -> Self {
        Self::new(vars)
    }
}

/// Rendered prompts, or what was wrong with them, by all that a render depends on. The tree is
/// kept with them, so that no other one has its address.
pub(super) type Renders = Memo<RenderKey, (PromptTree, Result<Arc<Rendered>, Diagnostics>)>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct RenderKey {
    tree: usize,
    vars: Hash,
    options: RenderOptions,
}

impl Engine {
    /// Renders as [`render_with`], or gives what it gave before for the same tree, values and
    /// options.
    ///
    /// Rendered prompts are kept only where [`CacheLimits::rendered`](crate::CacheLimits) allows
    /// for some, which is not so by default: a prompt is rendered in about the time that it takes
    /// to copy it. It pays for prompts with long loops or many large values.
    ///
    /// # Errors
    ///
    /// As [`render_with`].
    ///
    /// ```
    /// use mdgraft::{CacheLimits, Engine, MemoryLoader, PreparedVars, RenderOptions, vars};
    ///
    /// let mut limits = CacheLimits::default();
    /// limits.rendered = 1_000;
    /// let loader = MemoryLoader::from([("main.md", "Hello {{user}}.\n")]);
    /// let engine = Engine::new(loader).with_cache(limits);
    ///
    /// let tree = engine.load("main.md")?;
    /// let vars = PreparedVars::new(vars! { user: "Ada" });
    /// let once = engine.render(&tree, &vars, &RenderOptions::default())?;
    /// let again = engine.render(&tree, &vars, &RenderOptions::default())?;
    /// assert_eq!(again.text(), "Hello Ada.\n");
    /// assert_eq!(engine.stats().rendered.hits, 1);
    /// # Ok::<(), mdgraft::Diagnostics>(())
    /// ```
    pub fn render(
        &self,
        tree: &PromptTree,
        vars: &PreparedVars,
        options: &RenderOptions,
    ) -> Result<Arc<Rendered>, Diagnostics> {
        let render = || render_with(tree, vars.vars(), options).map(Arc::new);
        if !self.store.keeps_renders() {
            return render();
        }
        let renders = &self.store.own().renders;
        let key = RenderKey { tree: tree.address(), vars: vars.hash, options: options.clone() };
        if let Some((_, rendered)) = renders.get(&key) {
            return rendered;
        }
        let rendered = render();
        let bytes = match &rendered {
            Ok(rendered) => weight::of_rendered(rendered),
            Err(diagnostics) => weight::of_diagnostics(diagnostics),
        };
        renders.insert(key, (tree.clone(), rendered.clone()), bytes);
        rendered
    }
}

/// Writes a value so that no two values give one text. Depth is bounded by what a value may be.
fn write_value(text: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => text.push(0),
        Value::Boolean(is) => text.extend([1, u8::from(*is)]),
        Value::Integer(number) => {
            text.push(2);
            text.extend(number.to_le_bytes());
        }
        Value::Float(number) => {
            text.push(3);
            text.extend(number.to_bits().to_le_bytes());
        }
        Value::Text(content) => {
            text.push(4);
            write_text(text, content);
        }
        Value::List(items) => {
            text.push(5);
            text.extend((items.len() as u64).to_le_bytes());
            items.iter().for_each(|item| write_value(text, item));
        }
        Value::Map(entries) => {
            text.push(6);
            text.extend((entries.len() as u64).to_le_bytes());
            for (key, value) in entries.iter() {
                write_text(text, key);
                write_value(text, value);
            }
        }
    }
}

fn write_text(text: &mut Vec<u8>, content: &str) {
    text.extend((content.len() as u64).to_le_bytes());
    text.extend(content.as_bytes());
}
