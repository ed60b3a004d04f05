//! The scanner: finds references, includes, directives and escapes in the raw text, where the
//! Markdown structure says that they are read (language §4 to §6).

use super::directive::{self, Comment, Directive};
use super::expr::{self, Reference, Scan};
use super::front_matter::{Interpolate, Settings};
use super::include::{self, Include, Opened};
use super::markdown::{Block, BlockKind, Structure};
use super::names::Names;
use crate::diag::{Finding, codes};
use crate::text::Span;

/// What the scanner found, in the order of the text; what lies between is text.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    pub(crate) tokens: Vec<Token>,
    pub(crate) references: Vec<Reference>,
    pub(crate) includes: Vec<Include>,
    pub(crate) directives: Vec<Directive>,
    pub(crate) findings: Vec<Finding>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Token {
    pub(crate) span: Span,
    pub(crate) kind: TokenKind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum TokenKind {
    /// Backslashes that are not printed.
    Escape,
    /// Index into the references, and whether it stands in code.
    Reference(u32),
    /// Index into the includes; `None` for one that cannot be used.
    Include(Option<u32>),
    /// Index into the directives.
    Directive(u32),
    /// An ordinary comment, which `comments: strip` removes.
    Comment,
}

/// What is tried on the text before its structure is known, so that signs in arguments are not
/// taken for Markdown.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    /// References that hold quotes or angle brackets, as spans.
    pub(crate) references: Vec<Span>,
    /// Includes that stand alone on a line.
    pub(crate) includes: Vec<IncludeLine>,
}

/// An include alone on its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IncludeLine {
    /// From the opener to the end mark.
    pub(crate) span: Span,
    /// How the line is shown to the Markdown parser.
    pub(crate) mask: Mask,
}

/// How an include line is overwritten for the Markdown parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mask {
    /// A declaration, from the opener on.
    Declaration,
    /// A declaration from this offset on, which is before the opener: deep indentation is dropped.
    DeclarationFrom(u32),
    /// Blanks, so that an HTML block around it ends.
    Blank,
    /// Nothing: it is no include after all.
    Off,
}

/// Finds the candidates of a text, whose body begins at `from`.
pub(crate) fn candidates(text: &str, from: u32, settings: Settings) -> Candidates {
    let mut found = Candidates::default();
    let mut names = Names::default();
    let mut at = from as usize;
    while let Some(open) = next_opener(text, at) {
        at = open + 1;
        let rest = &text[open..];
        let escaped = backslashes(text, open) % 2 == 1;
        let include =
            rest.starts_with("<<>") && !rest.starts_with("<<>>") || rest.starts_with("{{>");
        if include && settings.directives && !escaped {
            if !is_container_prefix(line_before(text, open)) {
                continue;
            }
            let Opened { span, ended, .. } = include::read(text, open, &mut names);
            let after = text[span.range().end..].lines().next().unwrap_or_default();
            if ended && after.trim_matches([' ', '\t']).is_empty() {
                found.includes.push(IncludeLine { span, mask: Mask::Declaration });
                at = span.range().end;
            }
        } else if rest.starts_with("{{")
            && settings.interpolate != Interpolate::None
            && !escaped
            && let Scan::Reference(reference) = expr::scan_reference(text, open, &mut names)
        {
            at = reference.span.range().end;
            if text[open..at].contains(['"', '\'', '<', '>', '`']) {
                found.references.push(reference.span);
            }
        }
    }
    found
}

/// Scans a text whose structure is known, from the start of its body on.
pub(crate) fn scan(
    text: &str,
    from: u32,
    settings: Settings,
    structure: &Structure,
    candidates: &Candidates,
    names: &mut Names,
) -> Scanned {
    let mut scanner = Scanner {
        text,
        settings,
        structure,
        candidates,
        names,
        found: Scanned::default(),
        code_spans: 0,
        raw: None,
        open_ifs: 0,
        at: from as usize,
    };
    while let Some(open) = next_opener(text, scanner.at) {
        scanner.at = open + 1;
        scanner.opener(open);
    }
    if let Some(open) = scanner.raw {
        let message = "this `raw` has no `endraw`";
        let help = "close it with `<!-- endraw -->`";
        scanner
            .found
            .findings
            .push(Finding::new(codes::UNBALANCED_DIRECTIVE, open, message).help(help));
    }
    scanner.found
}

/// Where something of ours may begin: a `{` or a `<`.
fn next_opener(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    bytes.iter().position(|byte| matches!(byte, b'{' | b'<')).map(|at| from + at)
}

fn backslashes(text: &str, before: usize) -> usize {
    text.as_bytes()[..before].iter().rev().take_while(|&&byte| byte == b'\\').count()
}

fn line_before(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    &text[start..at]
}

/// Whether text is nothing but what containers put before their content: blanks, quote marks and
/// list markers.
fn is_container_prefix(text: &str) -> bool {
    text.split([' ', '\t', '>']).all(|word| {
        let digits = word.trim_end_matches(['.', ')']);
        matches!(word, "" | "-" | "+" | "*")
            || (digits.len() + 1 == word.len()
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

struct Scanner<'s> {
    text: &'s str,
    settings: Settings,
    structure: &'s Structure,
    candidates: &'s Candidates,
    names: &'s mut Names,
    found: Scanned,
    /// The first code span that may still lie ahead.
    code_spans: usize,
    /// The `raw` directive that is open.
    raw: Option<Span>,
    open_ifs: usize,
    at: usize,
}

/// Whether a place is code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Prose,
    Code,
    /// A fence whose info string holds the word `raw`.
    RawCode,
}

impl Scanner<'_> {
    fn opener(&mut self, open: usize) {
        let rest = &self.text[open..];
        let place = self.place(open);
        if rest.starts_with("<!--") {
            if place == Place::Prose {
                self.comment(open);
            }
        } else if self.raw.is_some() {
            // In raw text nothing but its end is read.
        } else if rest.starts_with("<<>") || (rest.starts_with("{{>") && place == Place::Prose) {
            if place == Place::Prose && self.settings.directives {
                self.include(open);
            } else if rest.starts_with("{{>") {
                self.skip_braces(open);
            }
        } else if rest.starts_with("{{") {
            self.braces(open, place);
        } else if rest.starts_with("{\\{") && place == Place::Prose {
            self.escaped_braces(open);
        }
    }

    fn place(&mut self, at: usize) -> Place {
        let offset = Span::at(0, at).end;
        let spans = &self.structure.code_spans;
        while spans.get(self.code_spans).is_some_and(|span| span.end <= offset) {
            self.code_spans += 1;
        }
        if spans.get(self.code_spans).is_some_and(|span| span.start <= offset) {
            return Place::Code;
        }
        match self.block(offset) {
            Some(block) => match &block.kind {
                BlockKind::IndentedCode => Place::Code,
                BlockKind::Fence(_) => {
                    if self.has_word(block, "raw") {
                        Place::RawCode
                    } else {
                        Place::Code
                    }
                }
                _ => Place::Prose,
            },
            None => Place::Prose,
        }
    }

    fn block(&self, offset: u32) -> Option<&Block> {
        self.structure.block_at_line(self.structure.lines.at(offset))
    }

    fn has_word(&self, fence: &Block, word: &str) -> bool {
        let line = self.structure.lines.slice(self.text, fence.first_line);
        super::info_words(line).any(|found| found == word)
    }

    fn push(&mut self, start: usize, end: usize, kind: TokenKind) {
        self.found.tokens.push(Token { span: Span::at(start, end), kind });
    }

    // Comments and directives

    fn comment(&mut self, open: usize) {
        if backslashes(self.text, open) % 2 == 1 {
            return;
        }
        let Some(end) = self.comment_end(open) else { return };
        self.at = end;
        let content = self.comment_content(open, end);
        let base = Span::at(0, open + 4).end;
        if self.raw.is_some() {
            if content.trim_matches([' ', '\t', '\n']) == "endraw" {
                self.raw = None;
                self.directive(open, end, Directive::Endraw);
            }
            return;
        }
        if !self.settings.directives {
            return self.push(open, end, TokenKind::Comment);
        }
        match directive::classify(&content, base, self.names, &mut self.found.findings) {
            Comment::Directive(directive) => {
                if directive == Directive::Raw {
                    self.raw = Some(Span::at(open, end));
                }
                if directive == Directive::Endraw {
                    let message = "this `endraw` closes no `raw`";
                    let finding =
                        Finding::new(codes::UNBALANCED_DIRECTIVE, Span::at(open, end), message);
                    self.found.findings.push(finding.help("drop it, or open with `<!-- raw -->`"));
                }
                self.directive(open, end, directive);
            }
            Comment::NearMiss { meant, branch } => {
                let span = Span::at(open, end);
                if branch && self.open_ifs > 0 {
                    let message = "this language says `elif` for another branch";
                    let finding = Finding::new(codes::UNBALANCED_DIRECTIVE, span, message);
                    self.found
                        .findings
                        .push(finding.help(format!("write `{meant}`")).edit(span, meant));
                } else {
                    let message = "this comment is nearly a directive, and is left as text";
                    let finding = Finding::new(codes::NEAR_MISS_DIRECTIVE, span, message);
                    let finding = finding.help(format!("did you mean `{meant}`?"));
                    self.found.findings.push(if meant.contains('…') {
                        finding
                    } else {
                        finding.edit(span, meant)
                    });
                }
                self.push(open, end, TokenKind::Comment);
            }
            Comment::Ordinary => self.push(open, end, TokenKind::Comment),
        }
    }

    /// Where the comment at an opener ends; `None` where it is no comment.
    fn comment_end(&self, open: usize) -> Option<usize> {
        let offset = Span::at(0, open).end;
        let block = self.block(offset)?;
        if !matches!(block.kind, BlockKind::Html { .. }) {
            self.structure.inline_comments.binary_search(&offset).ok()?;
        }
        let limit = self.structure.lines.end(block.last_line) as usize;
        let text = &self.text[open..limit];
        for short in ["<!-->", "<!--->"] {
            if text.starts_with(short) {
                return Some(open + short.len());
            }
        }
        text.find("-->").map(|at| open + at + 3)
    }

    /// The text of a comment; marks of containers at the start of its further lines are blanked.
    fn comment_content(&self, open: usize, end: usize) -> String {
        let (from, to) = (open + 4, (end - 3).max(open + 4));
        let mut content = self.text[from..to].to_owned();
        let Some(block) = self.block(Span::at(0, open).end) else { return content };
        if block.container.is_none() || !content.contains('\n') {
            return content;
        }
        let mut blanked = String::with_capacity(content.len());
        let mut line_number = self.structure.lines.at(Span::at(0, open).end);
        for (index, line) in content.split_inclusive('\n').enumerate() {
            let prefix = if index == 0 {
                0
            } else {
                line_number += 1;
                self.structure
                    .prefix(self.text, line_number, block.container)
                    .length
                    .min(line.len())
            };
            blanked.extend(std::iter::repeat_n(' ', prefix));
            blanked.push_str(&line[prefix..]);
        }
        content = blanked;
        content
    }

    fn directive(&mut self, open: usize, end: usize, directive: Directive) {
        match directive {
            Directive::If(_) => self.open_ifs += 1,
            Directive::Endif => self.open_ifs = self.open_ifs.saturating_sub(1),
            _ => {}
        }
        let index = Span::at(0, self.found.directives.len()).end;
        self.found.directives.push(directive);
        self.push(open, end, TokenKind::Directive(index));
    }

    // Includes

    fn include(&mut self, open: usize) {
        let count = backslashes(self.text, open);
        if count % 2 == 1 {
            self.push(open - count, open - count / 2, TokenKind::Escape);
            self.at = open + 3;
            return;
        }
        if self.text[open..].starts_with("<<>>") {
            self.at = open + 4;
            return;
        }
        let Opened { span, include, mut findings, ended } =
            include::read(self.text, open, self.names);
        self.at = span.range().end;
        let offset = Span::at(0, open).end;
        let masked = self.candidates.includes.binary_search_by_key(&offset, |line| line.span.start);
        if ended && masked.is_err() {
            let message = "an include stands alone on its line";
            let help =
                "give it a line of its own, or write a backslash before it to print the signs";
            findings = vec![Finding::new(codes::INCLUDE_NOT_ALONE, span, message).help(help)];
        }
        let usable = include.filter(|_| findings.is_empty());
        self.found.findings.append(&mut findings);
        let index = usable.map(|include| {
            self.found.includes.push(include);
            Span::at(1, self.found.includes.len()).end - 1
        });
        self.push(open, span.range().end, TokenKind::Include(index));
    }

    // References

    /// Goes past braces that are text.
    fn skip_braces(&mut self, open: usize) {
        self.at = open + 2;
    }

    fn braces(&mut self, open: usize, place: Place) {
        self.skip_braces(open);
        let read = match self.settings.interpolate {
            Interpolate::All => place != Place::RawCode,
            Interpolate::Prose => place == Place::Prose,
            Interpolate::None => false,
        };
        if !read {
            return;
        }
        let (exact, over) = match expr::scan_reference(self.text, open, self.names) {
            Scan::Reference(reference) => (Some(reference), None),
            Scan::Over(finding) => (None, Some(finding)),
            Scan::Reserved(_) | Scan::Nothing => (None, None),
        };
        let after_dollar = self.text[..open].ends_with('$');
        let is_reference = exact.is_some() || over.is_some();
        let malformed = !is_reference && place == Place::Prose && !after_dollar;
        let end = if malformed { self.braces_end(open) } else { None };
        let count = backslashes(self.text, open);
        if count > 0 && (is_reference || end.is_some()) {
            self.push(open - count, open - count / 2, TokenKind::Escape);
            if count % 2 == 1 {
                return;
            }
        }
        if let Some(reference) = exact {
            self.at = reference.span.range().end;
            let index = Span::at(0, self.found.references.len()).end;
            self.push(open, self.at, TokenKind::Reference(index));
            self.found.references.push(reference);
        } else if let Some(finding) = over {
            self.at = finding.span.range().end.max(self.at);
            self.found.findings.push(*finding);
        } else if let Some(end) = end {
            self.at = end;
            let finding = malformed_reference(self.text, open, end);
            self.found.findings.push(finding);
        }
    }

    /// Behind the `}}` on the same line.
    fn braces_end(&self, open: usize) -> Option<usize> {
        let line = self.text[open..].lines().next().unwrap_or_default();
        let close = line[2..].find("}}")? + 2;
        let run = line[close..].bytes().take_while(|&byte| byte == b'}').count();
        let opened = line.bytes().take_while(|&byte| byte == b'{').count();
        Some(open + close + run.min(opened.max(2)))
    }

    /// `\{\{ … \}\}` on one line, of which the four backslashes go.
    fn escaped_braces(&mut self, brace: usize) {
        let count = backslashes(self.text, brace);
        if count.is_multiple_of(2) || self.settings.interpolate == Interpolate::None {
            return;
        }
        let line = self.text[brace..].lines().next().unwrap_or_default();
        let Some(close) = line.find("\\}\\}").map(|at| brace + at) else { return };
        if self.peek_place(close) != Place::Prose {
            return;
        }
        self.push(brace - count, brace - count / 2, TokenKind::Escape);
        self.push(brace + 1, brace + 2, TokenKind::Escape);
        self.push(close, close + 1, TokenKind::Escape);
        self.push(close + 2, close + 3, TokenKind::Escape);
        self.at = close + 4;
    }

    /// The place of an offset ahead, without moving on.
    fn peek_place(&mut self, at: usize) -> Place {
        let before = self.code_spans;
        let place = self.place(at);
        self.code_spans = before;
        place
    }
}

fn malformed_reference(text: &str, open: usize, end: usize) -> Finding {
    let span = Span::at(open, end);
    let written = &text[open..end];
    let inner = written.trim_matches(['{', '}']);
    let tight: String = tighten(inner);
    let mended = format!("{{{{{tight}}}}}");
    let exact = matches!(
        expr::scan_reference(&mended, 0, &mut Names::default()),
        Scan::Reference(reference) if reference.span.range().end == mended.len()
    );
    let finding =
        Finding::new(codes::MALFORMED_REFERENCE, span, format!("`{written}` is not a reference"));
    if exact && mended != written {
        finding
            .help(format!("write `{mended}`, or `\\{written}` to print the braces"))
            .edit(span, mended)
    } else {
        finding
            .help(format!("write `\\{written}` to print the braces"))
            .edit(Span::at(open, open), "\\")
    }
}

/// A reference without the blanks at its ends and around its bars, and without the dashes that
/// other languages put there.
fn tighten(inner: &str) -> String {
    let parts =
        inner.trim_matches([' ', '\t', '-']).split('|').map(|part| part.trim_matches([' ', '\t']));
    parts.collect::<Vec<_>>().join("|")
}
