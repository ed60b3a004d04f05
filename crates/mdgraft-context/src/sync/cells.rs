//! Values of a database as JSON texts, which do not depend on anything but the value.

use crate::database::{Cell, Column, Profile};

/// A row as a JSON object, in the order of the columns.
pub(super) fn row(columns: &[Column], cells: &[Cell]) -> String {
    let pairs =
        columns.iter().zip(cells).map(|(column, value)| (column.name.as_str(), cell(value)));
    object(pairs)
}

/// What is in a column, as a JSON object.
pub(super) fn profile(profile: &Profile) -> String {
    object([
        ("column", text(&profile.column)),
        ("type", text(&profile.kind)),
        ("null_count", profile.nulls.to_string()),
        ("distinct_count", profile.distinct.to_string()),
        ("min", cell(&profile.least)),
        ("max", cell(&profile.greatest)),
    ])
}

fn object<'a>(pairs: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let pairs: Vec<String> =
        pairs.into_iter().map(|(key, value)| format!("{}: {value}", text(key))).collect();
    format!("{{{}}}", pairs.join(", "))
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Null => "null".to_owned(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) if number.is_finite() => {
            serde_json::to_string(number).unwrap_or_default()
        }
        Cell::Real(number) => text(&number.to_string()),
        Cell::Text(value) => text(value),
        Cell::Bytes(count) => text(&format!("<{count} bytes>")),
    }
}

fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// A number with commas: `1,234`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, expected) in
            [(0, "0"), (999, "999"), (1234, "1,234"), (1_000_000, "1,000,000")]
        {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn values_have_one_form() {
        let table = [
            (Cell::Null, "null"),
            (Cell::Integer(-7), "-7"),
            (Cell::Real(1.0), "1.0"),
            (Cell::Real(f64::INFINITY), "\"inf\""),
            (Cell::Text("a\"\nü".to_owned()), "\"a\\\"\\nü\""),
            (Cell::Bytes(3), "\"<3 bytes>\""),
        ];
        for (value, expected) in table {
            assert_eq!(cell(&value), expected);
        }
    }
}
