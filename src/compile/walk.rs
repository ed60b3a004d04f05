//! Walks over the expressions of a document.

use crate::parse::Document;
use crate::parse::document::{BlockMarkKind, ItemKind};
use crate::parse::expr::{Expr, ExprKind, Path};
use crate::parse::names::Symbol;

/// Visits every path of an expression.
pub(crate) fn paths<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e Path)) {
    expr.walk(&mut |part| {
        if let ExprKind::Path(path) = &part.kind {
            visit(path);
        }
    });
}

/// A place of a document where names matter, in the order of the text.
pub(crate) enum Stop<'d> {
    /// An expression that is evaluated there.
    Expr(&'d Expr),
    /// An include, behind its expressions.
    Include(u32),
    /// Names of a loop hold from here.
    Bind(Vec<Symbol>),
    /// The innermost loop ends.
    Unbind,
}

/// Visits the expressions of a document with the loops around them.
pub(crate) fn stops<'d>(document: &'d Document, visit: &mut dyn FnMut(Stop<'d>)) {
    let body = &document.body;
    for item in &body.items {
        match item.kind {
            ItemKind::Reference(index) => visit(Stop::Expr(&body.references[index as usize].expr)),
            ItemKind::Include(Some(index)) => {
                let include = &body.includes[index as usize];
                include.with.iter().for_each(|(.., expr)| visit(Stop::Expr(expr)));
                visit(Stop::Include(index));
            }
            ItemKind::Open(block) => match &body.blocks[block as usize].kind {
                BlockMarkKind::If(conditions) => {
                    if let Some(Some(condition)) = conditions.first() {
                        visit(Stop::Expr(condition));
                    }
                }
                BlockMarkKind::For(header) => {
                    if let Some(header) = header {
                        visit(Stop::Expr(&header.expr));
                    }
                    let names = header.iter().flat_map(|header| &header.names);
                    visit(Stop::Bind(names.map(|(symbol, _)| *symbol).collect()));
                }
            },
            ItemKind::Branch(block, branch) => {
                if let BlockMarkKind::If(conditions) = &body.blocks[block as usize].kind
                    && let Some(Some(condition)) = conditions.get(branch as usize)
                {
                    visit(Stop::Expr(condition));
                }
            }
            ItemKind::Close(block) if body.blocks[block as usize].is_for() => visit(Stop::Unbind),
            _ => {}
        }
    }
}
