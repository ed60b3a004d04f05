//! Numbers in texts.

use crate::value::Value;

/// A whole number in the digits of a radix, with or without a sign.
pub(super) fn integer(digits: &str, radix: u32) -> Result<Value, String> {
    match i64::from_str_radix(digits, radix) {
        Ok(number) => Ok(Value::Integer(number)),
        Err(_) => Err(format!("{digits} does not fit into 64 bits")),
    }
}

/// A float in decimal digits, with or without sign, point and exponent.
pub(super) fn float(digits: &str) -> Result<Value, String> {
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Value::Float(number)),
        _ => Err(format!("{digits} is no finite number")),
    }
}
