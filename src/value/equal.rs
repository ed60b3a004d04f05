//! Equality and order as the language has them.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use super::Value;

/// Whether two values are equal: numbers by value, lists and maps by content. Values of different
/// types are not equal.
///
/// The cost is that of the memory of both: pairs of shared parts are compared once. The depth of
/// a value is bounded, so this may recurse.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    equal_parts(left, right, &mut HashSet::new())
}

/// Pairs of lists or maps, each with more than one owner, that are known to be equal.
type Proven = HashSet<(usize, usize)>;

fn equal_parts(left: &Value, right: &Value, proven: &mut Proven) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Boolean(left), Value::Boolean(right)) => left == right,
        (Value::Text(left), Value::Text(right)) => left == right,
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len()
                && proven_or(left, right, proven, |proven| {
                    let mut pairs = left.iter().zip(right.iter());
                    pairs.all(|(left, right)| equal_parts(left, right, proven))
                })
        }
        (Value::Map(left), Value::Map(right)) => {
            left.len() == right.len()
                && proven_or(left, right, proven, |proven| {
                    let mut pairs = left.iter().zip(right.iter());
                    pairs.all(|((key, left), (other, right))| {
                        key == other && equal_parts(left, right, proven)
                    })
                })
        }
        _ => compare_numbers(left, right) == Some(Ordering::Equal),
    }
}

fn proven_or<T: ?Sized>(
    left: &Arc<T>,
    right: &Arc<T>,
    proven: &mut Proven,
    compare: impl FnOnce(&mut Proven) -> bool,
) -> bool {
    if Arc::ptr_eq(left, right) {
        return true;
    }
    let shared = Arc::strong_count(left) > 1 && Arc::strong_count(right) > 1;
    let address = |part: &Arc<T>| Arc::as_ptr(part).cast::<()>().addr();
    let pair = (address(left), address(right));
    if shared && proven.contains(&pair) {
        return true;
    }
    let same = compare(proven);
    if shared && same {
        proven.insert(pair);
    }
    same
}

/// The exact order of two numbers; `None` if one of them is no number.
pub(crate) fn compare_numbers(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => Some(left.cmp(right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Integer(left), Value::Float(right)) => compare_mixed(*left, *right),
        (Value::Float(left), Value::Integer(right)) => {
            compare_mixed(*right, *left).map(Ordering::reverse)
        }
        _ => None,
    }
}

/// Compares without rounding the integer to the 53 bits of a float.
fn compare_mixed(integer: i64, float: f64) -> Option<Ordering> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        return None;
    }
    if float >= BEYOND {
        return Some(Ordering::Less);
    }
    if float < -BEYOND {
        return Some(Ordering::Greater);
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number within the range of i64")]
    let whole = float.trunc() as i64;
    let fraction = float.fract();
    Some(integer.cmp(&whole).then_with(|| 0.0.partial_cmp(&fraction).unwrap_or(Ordering::Equal)))
}
