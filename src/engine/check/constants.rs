//! Expressions that ask for no name: their value, and what is wrong with it, is known without any
//! values.

use crate::diag::{Finding, codes};
use crate::functions::{Function, Functions};
use crate::parse::Document;
use crate::parse::document::BlockMarkKind;
use crate::parse::expr::{Expr, ExprKind};
use crate::parse::names::Symbol;
use crate::render::eval::{self, Bound, Context, Scope};
use crate::text::Span;

/// Conditions that always come out the same, and expressions that always fail, on any branch.
/// Functions may make so many bytes; those of the host are not called, since only they know
/// whether they always give the same.
pub(super) fn constants(document: &Document, functions: &Functions, bytes: usize) -> Vec<Finding> {
    let scope = NoValues { document, functions };
    let mut found = Constants { scope: &scope, bytes, findings: Vec::new() };
    let body = &document.body;
    for reference in &body.references {
        found.value(&reference.expr, reference.span);
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

    fn is_constant(&self, expr: &Expr) -> bool {
        let mut host = false;
        expr.walk(&mut |part| {
            let calls = match &part.kind {
                ExprKind::Call(call) => std::slice::from_ref(call),
                ExprKind::Pipe { calls, .. } => calls,
                _ => return,
            };
            let built_in = |name| self.scope.function(name).is_none_or(Function::is_built_in);
            host |= !calls.iter().all(|call| built_in(call.function));
        });
        expr.is_constant() && !host
    }

    /// The largest parts of a condition that are conditions and constant.
    fn condition(&mut self, expr: &'a Expr, construct: Span) {
        if self.is_constant(expr) {
            self.findings.push(match eval::condition(expr, &self.context(construct)) {
                Ok(holds) => always(expr.span, holds),
                Err(finding) => *finding,
            });
            return;
        }
        match &expr.kind {
            ExprKind::All(parts) | ExprKind::Any(parts) => {
                parts.iter().for_each(|part| self.condition(part, construct));
            }
            ExprKind::Not(inner) => self.condition(inner, construct),
            _ => self.parts(expr, construct),
        }
    }

    fn value(&mut self, expr: &'a Expr, construct: Span) {
        if !self.is_constant(expr) {
            return self.parts(expr, construct);
        }
        let evaluated = eval::evaluate(expr, &self.context(construct));
        self.findings.extend(evaluated.err().map(|finding| *finding));
    }

    fn items(&mut self, expr: &'a Expr, names: usize, construct: Span) {
        if !self.is_constant(expr) {
            return self.parts(expr, construct);
        }
        let items = eval::items(expr, names, &self.context(construct));
        self.findings.extend(items.err().map(|finding| *finding));
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

fn always(span: Span, holds: bool) -> Finding {
    let message = format!("this condition asks for no name, so it is always {holds}");
    Finding::new(codes::CONSTANT_CONDITION, span, message)
        .help("ask for an input, or drop the condition")
}

/// A document without any values.
struct NoValues<'a> {
    document: &'a Document,
    functions: &'a Functions,
}

impl Scope for NoValues<'_> {
    fn lookup(&self, _: Symbol) -> Option<Bound<'_>> {
        None
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
