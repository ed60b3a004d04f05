//! What opens an HTML block (section 4.6 of the specification of `CommonMark`).

/// Tags that open a block wherever they begin a line (condition 6).
#[rustfmt::skip]
const BLOCKS: [&str; 62] = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center",
    "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5",
    "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu",
    "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
];

/// Tags whose block goes on to their end tag (condition 1).
const VERBATIM: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Whether a line that begins with `<` opens an HTML block.
pub(super) fn opens_block(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('<') else { return false };
    if let Some(declaration) = rest.strip_prefix('!') {
        return declaration.starts_with("--")
            || declaration.starts_with(|letter: char| letter.is_ascii_alphabetic())
            || declaration.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("[CDATA["));
    }
    if rest.starts_with('?') {
        return true;
    }
    let (closing, rest) = match rest.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let Some((name, rest)) = tag_name(rest) else { return false };
    let is_one_of = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let name_ends = rest.is_empty() || rest.starts_with(is_space) || rest.starts_with('>');
    if !closing && name_ends && is_one_of(&VERBATIM) {
        return true;
    }
    if (name_ends || rest.starts_with("/>")) && is_one_of(&BLOCKS) {
        return true;
    }
    let end = if closing { rest.trim_start_matches(is_space) } else { after_attributes(rest) };
    let end = if closing { end } else { end.strip_prefix('/').unwrap_or(end) };
    end.strip_prefix('>').is_some_and(|behind| behind.trim_start_matches(is_space).is_empty())
}

fn tag_name(text: &str) -> Option<(&str, &str)> {
    let length = text.bytes().take_while(|&b| b.is_ascii_alphanumeric() || b == b'-').count();
    let name = &text[..length];
    name.starts_with(|first: char| first.is_ascii_alphabetic()).then(|| text.split_at(length))
}

/// What follows the attributes of a tag, and the blanks behind them.
fn after_attributes(mut text: &str) -> &str {
    loop {
        let attribute = text.trim_start_matches(is_space);
        let Some(rest) = (attribute.len() < text.len()).then(|| after_name(attribute)).flatten()
        else {
            return attribute;
        };
        text = after_value(rest).unwrap_or(rest);
    }
}

fn after_name(text: &str) -> Option<&str> {
    let begins = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '_' | ':');
    let goes_on =
        |letter: char| begins(letter) || letter.is_ascii_digit() || matches!(letter, '.' | '-');
    text.starts_with(begins).then(|| text.trim_start_matches(goes_on))
}

/// What follows `= value`; `None` if that does not stand here.
fn after_value(text: &str) -> Option<&str> {
    let value = text.trim_start_matches(is_space).strip_prefix('=')?.trim_start_matches(is_space);
    for quote in ['"', '\''] {
        if let Some(quoted) = value.strip_prefix(quote) {
            return quoted.split_once(quote).map(|(_, rest)| rest);
        }
    }
    let ends = |letter: char| is_space(letter) || "\"'=<>`".contains(letter);
    let rest = value.trim_start_matches(|letter| !ends(letter));
    (rest.len() < value.len()).then_some(rest)
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\u{b}' | '\u{c}')
}
