//! The stored form of documents: all that parsing found, without the text itself.

use super::wire::{Reader, Wire, Writer, enums, structs};
use crate::diag::{Code, Finding, Severity};
use crate::parse::Document;
use crate::parse::directive::{Merge, RoleName};
use crate::parse::document::{
    BlockMark, BlockMarkKind, Body, Contain, Exposure, FenceMark, Flags, HeadingMark, IncludeMark,
    Item, ItemKind, OpenEnd, ReferenceMark,
};
use crate::parse::expr::{Call, CompareOp, Expr, ExprKind, ForHeader, Path, PathPart};
use crate::parse::front_matter::{FrontMatter, Input, InputKind, Interpolate, Metadata, Settings};
use crate::parse::include::{Include, IncludePath, Reading};
use crate::parse::names::{Names, Symbol};
use crate::text::{Source, Span};
use crate::value::Value;

/// Writes a document; `false` if it holds what has no stored form, which no parsed document does.
pub(super) fn write(document: &Document, to: &mut Writer) -> bool {
    let Document { source: _, front, names, body } = document;
    front.write(to);
    names.write(to);
    body.write(to);
    body.findings.iter().chain(&front.findings).all(|finding| finding.related.is_none())
}

/// Reads the document of a text.
pub(super) fn read(bytes: &[u8], source: &Source) -> Option<Document> {
    let mut from = Reader::new(bytes);
    let (front, names, body) = Wire::read(&mut from)?;
    from.is_at_end().then(|| Document { source: source.clone(), front, names, body })
}

structs! {
    Span { start, end }
    FrontMatter { body, metadata, settings, extends, closed, inputs, findings }
    Metadata { name, description, values }
    Settings { interpolate, directives, strip_comments }
    Input { name, span, kind, default, choices, description, faulty }
    Body {
        includes, items, references, include_marks, headings, fences, blocks, blank_lines,
        open_end, findings,
    }
    Include { span, path, section, optional, keep, reading, with }
    IncludePath { text, span, quoted, references }
    Item { span, kind, flags }
    ReferenceMark { span, expr, contain, exposure, alone }
    IncludeMark { before, prefix }
    HeadingMark { level, setext, title, span, indent, block, parent }
    FenceMark { character, length, span, prefix, tools, example, hidden, content }
    BlockMark { kind, span, parent, closed }
    OpenEnd { closer, prefix, fence, span }
    Expr { kind, span }
    Path { name, name_span, parts }
    PathPart { key, index, span }
    Call { function, name_span, args }
    ForHeader { names, expr }
}

enums! {
    Interpolate { 0 All, 1 Prose, 2 None, }
    InputKind { 0 String, 1 Integer, 2 Number, 3 Boolean, 4 List, 5 Map, 6 Any, }
    Reading { 0 Template, 1 Raw, 2 Code(language), }
    ItemKind {
        0 Text,
        1 Blank,
        2 Skip,
        3 Reference(index),
        4 Include(index),
        5 Open(block),
        6 Branch(block, branch),
        7 Close(block),
        8 Marker,
        9 Role(role),
        10 Merge(merge),
        11 Comment,
        12 HeadingOpen(heading),
        13 HeadingClose(heading),
        14 FenceOpen(fence),
        15 FenceClose(fence),
        16 CodeOpen(fence),
        17 CodeClose(fence),
        18 LineOpen,
        19 LineEnd,
    }
    RoleName { 0 System, 1 User, 2 Assistant, }
    Merge { 0 Replace, 1 Append, 2 Prepend, 3 Remove, }
    Contain { 0 Plain, 1 Prefix(prefix), 2 OneLine, 3 Heading, }
    Exposure {
        0 Contained,
        1 ItemStart,
        2 Line { after_letter, ends_paragraph },
        3 Html,
        4 Info,
    }
    BlockMarkKind { 0 If(conditions), 1 For(header), }
    ExprKind {
        0 Literal(value),
        1 Path(path),
        2 List(parts),
        3 Call(call),
        4 Pipe { head, calls },
        5 Not(inner),
        6 Compare { op, left, right },
        7 All(parts),
        8 Any(parts),
    }
    CompareOp {
        0 Equal,
        1 NotEqual,
        2 Less,
        3 LessOrEqual,
        4 Greater,
        5 GreaterOrEqual,
        6 In,
        7 NotIn,
    }
    Value {
        0 Null,
        1 Boolean(is),
        2 Integer(number),
        3 Float(number),
        4 Text(text),
        5 List(items),
        6 Map(entries),
    }
    Severity { 0 Error, 1 Warning, }
}

impl Wire for Symbol {
    fn write(&self, to: &mut Writer) {
        self.0.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        u32::read(from).map(Self)
    }
}

impl Wire for Flags {
    fn write(&self, to: &mut Writer) {
        u32::from(self.bits()).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        u16::try_from(u32::read(from)?).ok().map(Self::from_bits)
    }
}

impl Wire for Names {
    fn write(&self, to: &mut Writer) {
        super::wire::write_length(self.iter().len(), to);
        for name in self.iter() {
            name.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let list: Vec<std::sync::Arc<str>> = Vec::read(from)?;
        let mut names = Self::default();
        for name in &list {
            names.intern(name);
        }
        let all = names.iter().len() == list.len();
        all.then_some(names)
    }
}

impl Wire for Code {
    fn write(&self, to: &mut Writer) {
        self.as_str().to_owned().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Self::named(&String::read(from)?)
    }
}

impl Wire for Finding {
    fn write(&self, to: &mut Writer) {
        let Self { code, severity, span, message, help, edit, related: _ } = self;
        code.write(to);
        severity.write(to);
        span.write(to);
        message.write(to);
        help.write(to);
        edit.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            code: Wire::read(from)?,
            severity: Wire::read(from)?,
            span: Wire::read(from)?,
            message: Wire::read(from)?,
            help: Wire::read(from)?,
            edit: Wire::read(from)?,
            related: None,
        })
    }
}
