//! What a host program builds by hand is made to keep the promises of a value.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::error::Reason;
use super::{MAX_DEPTH, Value, ValueError, text};

/// The value with LF as its only line end, finite numbers and bounded depth. Nothing is copied
/// where nothing has to change; parts that are shared are looked at once, so that the cost is
/// that of the memory, however often the parts repeat.
pub(crate) fn settle(value: Value) -> Result<Value, ValueError> {
    let settled = look(&value, MAX_DEPTH, &mut HashMap::new())?.changed;
    Ok(settled.unwrap_or(value))
}

/// What is known of a part.
#[derive(Clone)]
struct Look {
    /// Lists and maps that stand in each other, this one too.
    height: usize,
    /// What the part has to become, unless it can stay.
    changed: Option<Value>,
}

/// Parts with more than one owner, by their address: only those can be met twice.
type Seen = HashMap<usize, Look>;

fn look(value: &Value, room: usize, seen: &mut Seen) -> Result<Look, ValueError> {
    let leaf = |changed| Ok(Look { height: 0, changed });
    match value {
        Value::Null | Value::Boolean(_) | Value::Integer(_) => leaf(None),
        Value::Float(number) if number.is_finite() => leaf(None),
        Value::Float(number) => Err(ValueError::new(Reason::Float(number.to_string()))),
        Value::Text(given) => leaf(given.contains('\r').then(|| Value::Text(text(given)))),
        Value::List(items) => {
            let shared = Arc::strong_count(items) > 1;
            once(shared.then(|| address(items)), room, seen, |room, seen| list(items, room, seen))
        }
        Value::Map(entries) => {
            let shared = Arc::strong_count(entries) > 1;
            let address = shared.then(|| address(entries));
            once(address, room, seen, |room, seen| map(entries, room, seen))
        }
    }
}

fn address<T: ?Sized>(shared: &Arc<T>) -> usize {
    Arc::as_ptr(shared).cast::<()>().addr()
}

/// Looks at a list or map, unless that has been done.
fn once(
    address: Option<usize>,
    room: usize,
    seen: &mut Seen,
    inside: impl FnOnce(usize, &mut Seen) -> Result<Look, ValueError>,
) -> Result<Look, ValueError> {
    let too_deep = || ValueError::new(Reason::TooDeep);
    if let Some(known) = address.and_then(|address| seen.get(&address)) {
        return if known.height > room { Err(too_deep()) } else { Ok(known.clone()) };
    }
    let found = inside(room.checked_sub(1).ok_or_else(too_deep)?, seen)?;
    if let Some(address) = address {
        seen.insert(address, found.clone());
    }
    Ok(found)
}

fn list(items: &[Value], room: usize, seen: &mut Seen) -> Result<Look, ValueError> {
    let mut height = 0;
    let mut replaced = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let found = look(item, room, seen).map_err(|error| error.under(index))?;
        height = height.max(found.height);
        replaced.extend(found.changed.map(|value| (index, value)));
    }
    let changed = (!replaced.is_empty()).then(|| {
        let mut items = items.to_vec();
        for (index, value) in replaced {
            items[index] = value;
        }
        Value::List(items.into())
    });
    Ok(Look { height: height + 1, changed })
}

fn map(
    entries: &BTreeMap<Arc<str>, Value>,
    room: usize,
    seen: &mut Seen,
) -> Result<Look, ValueError> {
    let mut height = 0;
    let mut replaced = Vec::new();
    for (key, value) in entries {
        let found = look(value, room, seen).map_err(|error| error.under(key))?;
        height = height.max(found.height);
        if found.changed.is_some() || key.contains('\r') {
            replaced.push((key, found.changed.unwrap_or_else(|| value.clone())));
        }
    }
    let changed = (!replaced.is_empty()).then(|| {
        let mut entries = entries.clone();
        for (key, value) in replaced {
            entries.remove(key);
            entries.insert(text(key), value);
        }
        Value::Map(Arc::new(entries))
    });
    Ok(Look { height: height + 1, changed })
}
