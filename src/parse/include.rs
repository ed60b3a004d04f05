//! Include directives: `<<> path | options with a=x>>` and `{{> path}}` (language §5).

use std::sync::Arc;

use super::expr::{self, BrokenWith, Expr};
use super::names::{self, Names, Symbol};
use crate::diag::{Finding, codes, near};
use crate::text::Span;

/// One include directive as written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Include {
    /// The whole construct, from `<<>` or `{{>` to its end mark.
    pub(crate) span: Span,
    pub(crate) path: IncludePath,
    /// `#Section`: the filter entry without the `#`, and its place.
    pub(crate) section: Option<(Arc<str>, Span)>,
    pub(crate) optional: bool,
    pub(crate) keep: bool,
    pub(crate) reading: Reading,
    /// `with` variables: name, its place, expression.
    pub(crate) with: Vec<(Symbol, Span, Expr)>,
}

/// How the included file is read.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Reading {
    Template,
    Raw,
    /// `code` or `code(language)`.
    Code(Option<Arc<str>>),
}

/// The path of an include directive or of `extends`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct IncludePath {
    /// As written, without quotes.
    pub(crate) text: Arc<str>,
    /// Its place, behind the quote of a quoted path.
    pub(crate) span: Span,
    /// In double quotes, so that no glob sign is special.
    pub(crate) quoted: bool,
    /// The references `{{name}}` in it: span of the whole reference, and the name; `None` where
    /// what stands between the braces is more than a plain name.
    pub(crate) references: Vec<(Span, Option<Symbol>)>,
}

/// What stands at an opener.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The construct; up to the end of its line where the end mark is missing.
    pub(crate) span: Span,
    /// The directive, if it can be used.
    pub(crate) include: Option<Include>,
    /// What is wrong with it, provided that it stands alone on its line.
    pub(crate) findings: Vec<Finding>,
    /// Whether the end mark was found.
    pub(crate) ended: bool,
}

/// Reads the directive whose opener (`<<>` or `{{>`) stands at `at`.
pub(crate) fn read(text: &str, at: usize, names: &mut Names) -> Opened {
    let line_end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    let closer = if text[at..].starts_with('<') { ">>" } else { "}}" };
    let mut reader = Reader { text, at: at + 3, line_end, closer, findings: Vec::new() };
    let include = reader.directive(names);
    let end = reader.end(at);
    let span = Span::at(at, end.unwrap_or(line_end));
    let mut findings = reader.findings;
    if end.is_none() {
        let mend = format!(
            "end it with `{closer}` on the same line, or write `\\{}` for the signs themselves",
            &text[at..at + 3]
        );
        findings = vec![
            Finding::new(codes::MALFORMED_INCLUDE, span, "this include has no end on its line")
                .help(mend),
        ];
    }
    let include =
        include.filter(|_| findings.is_empty()).map(|include| Include { span, ..include });
    for finding in &mut findings {
        if finding.code == codes::EMPTY_INCLUDE {
            finding.span = span;
        }
    }
    Opened { span, include, findings, ended: end.is_some() }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line_end: usize,
    closer: &'static str,
    findings: Vec<Finding>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..self.line_end]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    fn at_with(&self) -> bool {
        self.rest().strip_prefix([' ', '\t']).is_some_and(|rest| {
            let word = rest.trim_start_matches([' ', '\t']);
            word.strip_prefix("with").is_some_and(|rest| rest.starts_with([' ', '\t']))
        })
    }

    fn directive(&mut self, names: &mut Names) -> Option<Include> {
        self.skip_blanks();
        let path = self.path(names)?;
        if path.text.is_empty() {
            let message = "this include names no file";
            let help = "write the path of a file between the signs, or drop the directive";
            self.findings.push(Finding::new(codes::EMPTY_INCLUDE, path.span, message).help(help));
        }
        let mut include = Include {
            span: path.span,
            path,
            section: None,
            optional: false,
            keep: false,
            reading: Reading::Template,
            with: Vec::new(),
        };
        if self.rest().starts_with('#') {
            self.at += 1;
            include.section = Some(self.section());
        }
        self.skip_to_part();
        while self.rest().starts_with('|') {
            self.at += 1;
            self.option(&mut include);
        }
        if self.at_with() {
            self.skip_blanks();
            self.at += "with".len();
            self.with(&mut include, names)?;
        }
        Some(include)
    }

    /// Skips blanks, but not those in front of `with`.
    fn skip_to_part(&mut self) {
        if !self.at_with() {
            self.skip_blanks();
        }
    }

    fn path(&mut self, names: &mut Names) -> Option<IncludePath> {
        let quoted = self.rest().starts_with('"');
        if quoted {
            self.at += 1;
            let length = self.rest().find('"')?;
            let span = Span::at(self.at, self.at + length);
            self.at += length + 1;
            return Some(self.path_of(span, true, names));
        }
        let start = self.at;
        while !self.rest().is_empty() {
            let rest = self.rest();
            if let Some(length) = rest.starts_with("{{").then(|| rest.find("}}")).flatten() {
                self.at += length + 2;
                continue;
            }
            if rest.starts_with(self.closer) || rest.starts_with(['#', '|']) || self.at_with() {
                break;
            }
            self.at += rest.chars().next().map_or(1, char::len_utf8);
        }
        let length = self.text[start..self.at].trim_end_matches([' ', '\t']).len();
        Some(self.path_of(Span::at(start, start + length), false, names))
    }

    fn path_of(&self, span: Span, quoted: bool, names: &mut Names) -> IncludePath {
        path(self.text, span, quoted, names)
    }

    fn section(&mut self) -> (Arc<str>, Span) {
        let start = self.at;
        while !self.rest().is_empty() {
            let rest = self.rest();
            if rest.starts_with(self.closer) || rest.starts_with('|') || self.at_binding() {
                break;
            }
            self.at += rest.chars().next().map_or(1, char::len_utf8);
        }
        let written = &self.text[start..self.at];
        let trimmed = written.trim_matches([' ', '\t']);
        let begin = start + written.len() - written.trim_start_matches([' ', '\t']).len();
        (trimmed.into(), Span::at(begin, begin + trimmed.len()))
    }

    /// Whether `with` and a binding follow: a title may hold the word.
    fn at_binding(&self) -> bool {
        if !self.at_with() {
            return false;
        }
        let rest = self.rest().trim_start_matches([' ', '\t']).trim_start_matches("with");
        let rest = rest.trim_start_matches([' ', '\t']);
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        name.len() < rest.len() && name.trim_start_matches([' ', '\t']).starts_with('=')
    }

    fn option(&mut self, include: &mut Include) {
        self.skip_blanks();
        let start = self.at;
        while !self.rest().is_empty() {
            let rest = self.rest();
            if rest.starts_with(self.closer) || rest.starts_with('|') || self.at_with() {
                break;
            }
            self.at += rest.chars().next().map_or(1, char::len_utf8);
        }
        let written = self.text[start..self.at].trim_end_matches([' ', '\t']);
        match written {
            "optional" => include.optional = true,
            "keep" => include.keep = true,
            "raw" if include.reading == Reading::Template => include.reading = Reading::Raw,
            "raw" => {}
            "code" => include.reading = Reading::Code(None),
            _ => match code_language(written) {
                Some(language) => include.reading = Reading::Code(Some(language.into())),
                None => self.unknown_option(written, start),
            },
        }
    }

    fn unknown_option(&mut self, written: &str, start: usize) {
        const OPTIONS: [&str; 4] = ["optional", "keep", "raw", "code"];
        let span = Span::at(start, start + written.len());
        let finding = Finding::new(
            codes::UNKNOWN_OPTION,
            span,
            format!("an include has no option `{written}`"),
        );
        self.findings.push(match near::nearest(written, OPTIONS) {
            Some(option) => finding.help(format!("did you mean `{option}`?")).edit(span, option),
            None => finding.help("the options are `optional`, `keep`, `raw` and `code`"),
        });
    }

    fn with(&mut self, include: &mut Include, names: &mut Names) -> Option<()> {
        let window = &self.text[..self.line_end];
        let finding = match expr::parse_with(window, self.at, self.closer, names) {
            Ok((with, end)) => {
                include.with = with;
                self.at = end;
                return Some(());
            }
            Err(BrokenWith::Expression(finding)) => *finding,
            Err(BrokenWith::Shape(span, message)) => {
                Finding::new(codes::INVALID_EXPRESSION, span, message)
                    .help("`with` takes `name=value`, with commas between")
            }
        };
        self.findings.push(finding);
        None
    }

    /// Goes behind the end mark, which may lie past text that could not be read.
    fn end(&mut self, start: usize) -> Option<usize> {
        self.skip_blanks();
        if self.rest().starts_with(self.closer) {
            return Some(self.at + 2);
        }
        let length = self.rest().find(self.closer)?;
        if self.findings.is_empty() {
            let span = Span::at(self.at, self.at + length);
            let message = "this does not belong to an include";
            let help =
                "an include is a path, then `#Section`, then options behind `|`, then `with`";
            self.findings.push(Finding::new(codes::INVALID_EXPRESSION, span, message).help(help));
        }
        debug_assert!(self.at > start);
        Some(self.at + length + 2)
    }
}

/// The path at a span of a text, with the references in it.
pub(crate) fn path(text: &str, span: Span, quoted: bool, names: &mut Names) -> IncludePath {
    let written = &text[span.range()];
    let mut references = Vec::new();
    let mut from = 0;
    while let Some(open) = written[from..].find("{{").map(|at| from + at) {
        let Some(close) = written[open..].find("}}").map(|at| open + at + 2) else { break };
        let inner = &written[open + 2..close - 2];
        let symbol = names::is_name(inner).then(|| names.intern(inner));
        let start = span.start as usize;
        references.push((Span::at(start + open, start + close), symbol));
        from = close;
    }
    IncludePath { text: written.into(), span, quoted, references }
}

fn code_language(option: &str) -> Option<&str> {
    let rest = option.strip_prefix("code")?.trim_start_matches([' ', '\t']);
    let language = rest.strip_prefix('(')?.strip_suffix(')')?.trim_matches([' ', '\t']);
    (!language.contains(['`', '(', ')'])).then_some(language)
}
