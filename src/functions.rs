//! The functions of expressions: the built-in ones and those that the host program registers.

mod builtin;
mod html;
mod plain;
mod shape;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::value::{Full, Value, is_name, settle};

/// The functions that expressions can call: the built-in ones, and those of the host program.
///
/// # Example: a function of the host
///
/// ```
/// use mdgraft::{Functions, Value};
///
/// let functions = Functions::builtin().with("shout", 1..=1, |args| match args {
///     [Value::Text(text)] => Ok(Value::from(format!("{text}!"))),
///     _ => Err("takes a string".to_owned()),
/// })?;
/// assert!(functions.names().any(|name| name == "shout"));
/// # Ok::<(), mdgraft::FunctionError>(())
/// ```
#[derive(Clone)]
pub struct Functions {
    table: BTreeMap<Arc<str>, Function>,
}

/// Why a function cannot be registered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FunctionError {
    /// The name is none that an expression can call: `[a-z][a-z0-9_]*`, and no word of the
    /// language.
    #[error("`{name}` is no name of a function")]
    Name {
        /// The name that was given.
        name: String,
    },
    /// `default` and `defined` work on names without value, which no other function can.
    #[error("`{name}` cannot be replaced")]
    Reserved {
        /// The name that was given.
        name: String,
    },
}

/// A function that expressions can call.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) name: Arc<str>,
    /// How many arguments it takes, with its subject.
    pub(crate) arity: RangeInclusive<usize>,
    /// How a built-in function is written.
    pub(crate) usage: Option<&'static str>,
    pub(crate) body: Body,
}

#[derive(Clone)]
pub(crate) enum Body {
    /// `default`: the second argument is evaluated only when needed.
    Default,
    /// `defined`: the argument is a path, which need not have a value.
    Defined,
    Plain(fn(&[Cow<'_, Value>], Room) -> Result<Value, Failure>),
    Host(Arc<HostBody>),
}

type HostBody = dyn Fn(&[Value]) -> Result<Value, String> + Send + Sync;

/// What a call may make, and where it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// The bytes that it may make.
    pub(crate) bytes: usize,
    /// Whether what it makes is printed behind text that makes its first line an ordinary one: a
    /// letter stands before it.
    pub(crate) mid_line: bool,
}

/// Why a call has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The arguments are wrong; the text goes on after the function's name: `takes a list, not
    /// null`.
    Wrong(String),
    /// It would have made more than there is room for.
    Full,
}

impl From<Full> for Failure {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

impl Functions {
    /// The built-in functions.
    #[must_use]
    pub fn builtin() -> Self {
        let table = builtin::all().map(|function| (Arc::clone(&function.name), function));
        Self { table: table.collect() }
    }

    /// The same functions and one more, which comes in the place of a built-in one of its name.
    ///
    /// `arity` is the least and the most number of arguments; the subject of `x|f(y)` is the
    /// first one. The function gets as many as that, and answers with a value or with what was
    /// wrong, as a text that can stand behind its name: `takes a string`. It must depend on its
    /// arguments alone, since what it makes is kept in caches.
    ///
    /// # Errors
    ///
    /// A name that no expression can call, and `default` and `defined`.
    pub fn with(
        mut self,
        name: &str,
        arity: RangeInclusive<usize>,
        body: impl Fn(&[Value]) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Result<Self, FunctionError> {
        if !is_name(name) {
            return Err(FunctionError::Name { name: name.to_owned() });
        }
        if matches!(name, "default" | "defined") {
            return Err(FunctionError::Reserved { name: name.to_owned() });
        }
        let name: Arc<str> = name.into();
        let body = Body::Host(Arc::new(body));
        let function = Function { name: Arc::clone(&name), arity, usage: None, body };
        self.table.insert(name, function);
        Ok(self)
    }

    /// The names of all functions, in the order of their code points.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.table.keys().map(|name| &**name)
    }

    /// The function of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Function> {
        self.table.get(name)
    }
}

impl Default for Functions {
    fn default() -> Self {
        Self::builtin()
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Functions").field(&self.table.keys()).finish()
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Function {
    /// Calls a function other than `default` and `defined`. The number of arguments must be one
    /// that it takes.
    pub(crate) fn call(&self, args: &[Cow<'_, Value>], room: Room) -> Result<Value, Failure> {
        match &self.body {
            Body::Plain(body) => body(args, room),
            Body::Host(body) => {
                let args: Vec<Value> = args.iter().map(|arg| Value::clone(arg)).collect();
                let made = body(&args).map_err(Failure::Wrong)?;
                if let Value::Text(text) = &made
                    && text.len() > room.bytes
                {
                    return Err(Failure::Full);
                }
                settle(made).map_err(|error| Failure::Wrong(format!("gave no value: {error}")))
            }
            Body::Default | Body::Defined => {
                Err(Failure::Wrong("is called by the evaluation itself".to_owned()))
            }
        }
    }

    /// Whether it belongs to the language, so that the same arguments always give the same.
    pub(crate) fn is_built_in(&self) -> bool {
        !matches!(self.body, Body::Host(_))
    }

    /// Whether what it makes has to stand alone on its line.
    pub(crate) fn makes_a_block(&self) -> bool {
        matches!(self.body, Body::Plain(_)) && matches!(&*self.name, "quote" | "fence")
    }
}
