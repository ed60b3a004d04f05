//! What a YAML scalar means: the core schema of YAML 1.2 (section 10.3).

use serde_saphyr::granit_parser::{ScalarStyle, Tag};

use crate::value::formats::number;
use crate::value::{Value, text};

/// The value of a scalar. Only plain ones can be more than text, unless a tag says so.
pub(super) fn resolve(
    content: &str,
    style: ScalarStyle,
    tag: Option<&Tag>,
) -> Result<Value, String> {
    let wanted = tag.and_then(Tag::core_suffix);
    if wanted == Some("str") || tag.is_some_and(|tag| tag.original() == "!") {
        return Ok(Value::Text(text(content)));
    }
    if style != ScalarStyle::Plain && wanted.is_none() {
        return Ok(Value::Text(text(content)));
    }
    let value = plain(content)?;
    match (wanted, &value) {
        (Some("float"), Value::Integer(_)) => number::float(content),
        (Some("int"), Value::Integer(_))
        | (Some("float"), Value::Float(_))
        | (Some("bool"), Value::Boolean(_))
        | (Some("null"), Value::Null)
        | (None, _) => Ok(value),
        (Some(tag), _) => Err(format!("this is no `!!{tag}`")),
    }
}

fn plain(content: &str) -> Result<Value, String> {
    match content {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Value::Null),
        "true" | "True" | "TRUE" => return Ok(Value::Boolean(true)),
        "false" | "False" | "FALSE" => return Ok(Value::Boolean(false)),
        ".nan" | ".NaN" | ".NAN" => return number::float("nan"),
        _ => {}
    }
    if let Some(digits) = content.strip_prefix("0o")
        && digits.bytes().all(|byte| matches!(byte, b'0'..=b'7'))
        && !digits.is_empty()
    {
        return number::integer(digits, 8);
    }
    if let Some(digits) = content.strip_prefix("0x")
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !digits.is_empty()
    {
        return number::integer(digits, 16);
    }
    let unsigned = content.strip_prefix(['-', '+']).unwrap_or(content);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return number::float("inf");
    }
    if is_digits(unsigned) {
        return number::integer(content, 10);
    }
    if is_float(unsigned) {
        return number::float(content);
    }
    Ok(Value::Text(text(content)))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_float(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let exponent_fits = exponent
        .is_none_or(|exponent| is_digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
        None => is_digits(mantissa),
    };
    exponent_fits && mantissa_fits
}
