//! Scalars: what an unquoted one is, by the core schema of YAML 1.2.

use std::sync::Arc;

use crate::value::Value;

/// The value of a plain scalar. `yes`, `no`, `on` and dates are texts; so are numbers that do not
/// fit 64 bits or are not finite.
pub(super) fn core_value(text: &Arc<str>) -> Value {
    match &**text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Boolean(true),
        "false" | "False" | "FALSE" => Value::Boolean(false),
        _ => number(text).unwrap_or_else(|| Value::Text(Arc::clone(text))),
    }
}

/// A text with LF as its only line end; escapes of either format may have brought in others.
pub(super) fn with_plain_line_ends(text: &str) -> Arc<str> {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        text.into()
    }
}

fn number(text: &str) -> Option<Value> {
    if let Some(digits) = text.strip_prefix("0x") {
        return whole(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return whole(digits, 8);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().map(Value::Integer);
    }
    if is_float(digits) {
        return text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float);
    }
    None
}

/// A whole number without sign; the standard parser would take one.
fn whole(digits: &str, radix: u32) -> Option<Value> {
    let unsigned = !digits.starts_with(['+', '-']);
    i64::from_str_radix(digits, radix).ok().filter(|_| unsigned).map(Value::Integer)
}

/// `( "." digits | digits [ "." { digit } ] ) [ ( "e" | "E" ) [ sign ] digits ]`
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole_mantissa =
        digits(before) && digits(after) && !(before.is_empty() && after.is_empty());
    let whole_exponent = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    whole_mantissa && whole_exponent
}

#[cfg(test)]
mod tests {
    use super::core_value;
    use crate::value::Value;

    #[test]
    fn plain_scalars_are_read_by_the_core_schema() {
        let text = |text: &str| Value::Text(text.into());
        for (written, value) in [
            ("", Value::Null),
            ("~", Value::Null),
            ("Null", Value::Null),
            ("True", Value::Boolean(true)),
            ("yes", text("yes")),
            ("off", text("off")),
            ("0", Value::Integer(0)),
            ("-12", Value::Integer(-12)),
            ("+012", Value::Integer(12)),
            ("0x1F", Value::Integer(31)),
            ("0o17", Value::Integer(15)),
            ("0x-1", text("0x-1")),
            ("0b1", text("0b1")),
            ("1_000", text("1_000")),
            ("9223372036854775807", Value::Integer(i64::MAX)),
            ("9223372036854775808", text("9223372036854775808")),
            ("1.10", Value::Float(1.1)),
            (".5", Value::Float(0.5)),
            ("5.", Value::Float(5.0)),
            ("1e3", Value::Float(1000.0)),
            ("-1.5E-2", Value::Float(-0.015)),
            ("1e999", text("1e999")),
            (".inf", text(".inf")),
            (".", text(".")),
            ("e5", text("e5")),
            ("1e", text("1e")),
            ("2024-01-02", text("2024-01-02")),
            ("1.2.3", text("1.2.3")),
        ] {
            assert_eq!(core_value(&written.into()), value, "{written}");
        }
    }
}
