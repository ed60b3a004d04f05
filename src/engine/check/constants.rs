//! What is known of expressions without any values: those that ask for no name always give the
//! same, and those that ask for declared inputs always give something of the same type.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::compile::program::Program;
use crate::diag::{Finding, codes};
use crate::functions::{Function, Functions};
use crate::parse::Document;
use crate::parse::document::BlockMarkKind;
use crate::parse::expr::{Expr, ExprKind};
use crate::parse::front_matter::InputKind;
use crate::parse::names::Symbol;
use crate::render::eval::{self, Bound, Context, Scope};
use crate::text::Span;
use crate::value::Value;

/// For declared inputs a value of their type. The names of loops mean something else, and `any`
/// says nothing.
#[derive(Debug, Default)]
pub(super) struct Samples(HashMap<Arc<str>, Value>);

impl Samples {
    pub(super) fn of(program: &Program) -> Self {
        let mut loops: HashSet<&str> = HashSet::new();
        for text in &program.texts {
            for block in &text.document.body.blocks {
                let BlockMarkKind::For(Some(header)) = &block.kind else { continue };
                let names = header.names.iter().map(|(name, _)| &**text.document.names.name(*name));
                loops.extend(names);
            }
        }
        let declared = program.inputs.iter().map(|input| &input.declaration);
        let samples = declared.filter(|input| !loops.contains(&*input.name)).filter_map(|input| {
            let sample = match input.kind {
                InputKind::String => Value::from(""),
                InputKind::Integer => Value::Integer(1),
                InputKind::Number => Value::Float(1.0),
                InputKind::Boolean => Value::Boolean(true),
                InputKind::List => Value::List(Arc::default()),
                InputKind::Map => Value::Map(Arc::default()),
                InputKind::Any => return None,
            };
            Some((Arc::clone(&input.name), sample))
        });
        Self(samples.collect())
    }
}

/// Conditions that always come out the same, and expressions that always fail, on any branch.
/// Functions may make so many bytes; those of the host are not called, since only they know
/// whether they always give the same.
pub(super) fn constants(
    document: &Document,
    functions: &Functions,
    samples: &Samples,
    bytes: usize,
) -> Vec<Finding> {
    let scope = NoValues { document, functions, samples };
    let mut found = Constants { scope: &scope, bytes, findings: Vec::new() };
    let body = &document.body;
    for reference in &body.references {
        found.printed(&reference.expr, reference.span);
    }
    for include in &body.includes {
        include.with.iter().for_each(|(.., expr)| found.value(expr, include.span));
    }
    for block in &body.blocks {
        match &block.kind {
            BlockMarkKind::If(conditions) => {
                conditions.iter().flatten().for_each(|expr| found.condition(expr, block.span));
            }
            BlockMarkKind::For(Some(header)) => {
                found.items(&header.expr, header.names.len(), block.span);
            }
            BlockMarkKind::For(None) => {}
        }
    }
    found.findings
}

struct Constants<'a> {
    scope: &'a NoValues<'a>,
    bytes: usize,
    findings: Vec<Finding>,
}

impl<'a> Constants<'a> {
    fn context(&self, construct: Span) -> Context<'a, NoValues<'a>> {
        Context { scope: self.scope, bytes: self.bytes, construct }
    }

    /// What can be known of an expression.
    fn known(&self, expr: &Expr) -> Known {
        let mut known = Known::Value;
        expr.walk(&mut |part| {
            let (calls, head) = match &part.kind {
                ExprKind::Path(path) => {
                    let typed = path.parts.is_empty() && self.scope.sample(path.name).is_some();
                    return known = known.min(if typed { Known::Type } else { Known::Nothing });
                }
                ExprKind::Call(call) => (std::slice::from_ref(call), None),
                ExprKind::Pipe { head, calls } => (&**calls, Some(&**head)),
                _ => return,
            };
            let function = |name| self.scope.function(name);
            let built_in =
                calls.iter().all(|call| function(call.function).is_none_or(Function::is_built_in));
            let args = calls.iter().flat_map(|call| &call.args).chain(head);
            // What a function makes of a value may depend on more than its type.
            let constant = args.clone().all(Expr::is_constant);
            known = known.min(if built_in && constant { Known::Value } else { Known::Nothing });
        });
        known
    }

    /// Whether an expression is settled: it has a value whatever is given, or what is wrong with
    /// it is told.
    fn settle<T>(
        &mut self,
        expr: &'a Expr,
        construct: Span,
        evaluate: impl FnOnce(&'a Expr, &Context<'a, NoValues<'a>>) -> Result<T, eval::Fault>,
    ) -> Settled<T> {
        let known = self.known(expr);
        if known == Known::Nothing {
            return Settled::No;
        }
        match evaluate(expr, &self.context(construct)) {
            Ok(value) if known == Known::Value => Settled::Value(value),
            Ok(_) => Settled::No,
            Err(finding) if known == Known::Value || is_about_types(&finding) => {
                self.findings.push(*finding);
                Settled::Told
            }
            Err(_) => Settled::No,
        }
    }

    /// The largest parts of a condition that are conditions and constant.
    fn condition(&mut self, expr: &'a Expr, construct: Span) {
        let operands = match &expr.kind {
            ExprKind::All(parts) | ExprKind::Any(parts) => &**parts,
            ExprKind::Not(inner) => std::slice::from_ref(&**inner),
            _ => &[],
        };
        // An operand that is not reached with these samples is reached with others.
        let is_apart = !operands.is_empty() && self.known(expr) != Known::Value;
        let settled =
            if is_apart { Settled::No } else { self.settle(expr, construct, eval::condition) };
        match settled {
            Settled::Value(holds) => self.findings.push(always(expr.span, holds)),
            Settled::Told => {}
            Settled::No if operands.is_empty() => self.parts(expr, construct),
            Settled::No => operands.iter().for_each(|part| self.condition(part, construct)),
        }
    }

    fn value(&mut self, expr: &'a Expr, construct: Span) {
        let conditions =
            matches!(expr.kind, ExprKind::Not(_) | ExprKind::All(_) | ExprKind::Any(_));
        let apart = conditions && self.known(expr) != Known::Value;
        if apart || matches!(self.settle(expr, construct, eval::evaluate), Settled::No) {
            self.parts(expr, construct);
        }
    }

    fn printed(&mut self, expr: &'a Expr, construct: Span) {
        let print = |expr, context: &_| eval::print(expr, context, false);
        if matches!(self.settle(expr, construct, print), Settled::No) {
            self.parts(expr, construct);
        }
    }

    fn items(&mut self, expr: &'a Expr, names: usize, construct: Span) {
        let items = |expr, context: &_| eval::items(expr, names, context);
        if matches!(self.settle(expr, construct, items), Settled::No) {
            self.parts(expr, construct);
        }
    }

    /// What an expression with names in it consists of. It nests no deeper than the language
    /// allows.
    fn parts(&mut self, expr: &'a Expr, construct: Span) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Path(_) => {}
            ExprKind::List(parts) => parts.iter().for_each(|part| self.value(part, construct)),
            ExprKind::Call(call) => call.args.iter().for_each(|part| self.value(part, construct)),
            ExprKind::Pipe { head, calls } => {
                self.value(head, construct);
                calls
                    .iter()
                    .flat_map(|call| &call.args)
                    .for_each(|part| self.value(part, construct));
            }
            ExprKind::Compare { left, right, .. } => {
                self.value(left, construct);
                self.value(right, construct);
            }
            ExprKind::Not(_) | ExprKind::All(_) | ExprKind::Any(_) => {
                self.condition(expr, construct)
            }
        }
    }
}

/// What is known of an expression without values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Nothing,
    /// It has the type that it has with the samples.
    Type,
    Value,
}

enum Settled<T> {
    /// Its value is always this one.
    Value(T),
    /// It always fails, as is told.
    Told,
    No,
}

/// Whether every value of the same type would have failed.
fn is_about_types(finding: &Finding) -> bool {
    let code = finding.code;
    code == codes::NOT_A_CONDITION
        || code == codes::TYPE_MISMATCH
        || code == codes::NOT_ITERABLE
        || code == codes::NOT_PRINTABLE
}

fn always(span: Span, holds: bool) -> Finding {
    let message = format!("this condition asks for no name, so it is always {holds}");
    Finding::new(codes::CONSTANT_CONDITION, span, message)
        .help("ask for an input, or drop the condition")
}

/// A document without any values.
struct NoValues<'a> {
    document: &'a Document,
    functions: &'a Functions,
    samples: &'a Samples,
}

impl NoValues<'_> {
    fn sample(&self, name: Symbol) -> Option<&Value> {
        self.samples.0.get(self.document.names.name(name))
    }
}

impl Scope for NoValues<'_> {
    fn lookup(&self, name: Symbol) -> Option<Bound<'_>> {
        self.sample(name).map(Bound::Value)
    }

    fn function(&self, name: Symbol) -> Option<&Function> {
        self.functions.get(self.document.names.name(name))
    }

    fn is_declared(&self, _: Symbol) -> bool {
        false
    }

    fn source(&self) -> &str {
        self.document.source.text()
    }

    fn names(&self) -> Vec<&str> {
        Vec::new()
    }

    fn functions(&self) -> &Functions {
        self.functions
    }

    fn suggests(&self) -> bool {
        true
    }
}
