//! The built-in functions (language §4).

use std::borrow::Cow;
use std::sync::Arc;

use super::{Body, Failure, Function, Room, plain, shape};
use crate::value::{Sink, Value, equal, write_json};

type Args<'a> = &'a [Cow<'a, Value>];
type Made = Result<Value, Failure>;

/// Name, least and most arguments with the subject, usage, body.
const TABLE: [(&str, usize, usize, &str, Body); 19] = [
    ("contains", 2, 2, "x|contains(\"a\")", Body::Plain(contains)),
    ("default", 2, 2, "x|default(\"…\")", Body::Default),
    ("defined", 1, 1, "defined(x)", Body::Defined),
    ("ends_with", 2, 2, "x|ends_with(\"…\")", Body::Plain(ends_with)),
    ("fence", 1, 2, "x|fence(\"python\")", Body::Plain(fence)),
    ("first", 1, 1, "list|first", Body::Plain(first)),
    ("indent", 2, 2, "x|indent(2)", Body::Plain(indent)),
    ("join", 2, 2, "list|join(\", \")", Body::Plain(join)),
    ("json", 1, 2, "x|json", Body::Plain(json)),
    ("keys", 1, 1, "map|keys", Body::Plain(keys)),
    ("last", 1, 1, "list|last", Body::Plain(last)),
    ("len", 1, 1, "len(x)", Body::Plain(len)),
    ("lower", 1, 1, "x|lower", Body::Plain(lower)),
    ("plain", 1, 1, "x|plain", Body::Plain(held_plain)),
    ("quote", 1, 1, "x|quote", Body::Plain(quote)),
    ("starts_with", 2, 2, "x|starts_with(\"…\")", Body::Plain(starts_with)),
    ("trim", 1, 1, "x|trim", Body::Plain(trim)),
    ("upper", 1, 1, "x|upper", Body::Plain(upper)),
    ("xml", 1, 1, "x|xml", Body::Plain(xml)),
];

pub(super) fn all() -> impl Iterator<Item = Function> {
    TABLE.into_iter().map(|(name, least, most, usage, body)| Function {
        name: name.into(),
        arity: least..=most,
        usage: Some(usage),
        body,
    })
}

fn json(args: Args<'_>, room: Room) -> Made {
    let indent = match args.get(1) {
        Some(indent) => count(indent, "as its indentation")?,
        None => 0,
    };
    made(room, |out| Ok(write_json(&args[0], indent, out)?))
}

fn join(args: Args<'_>, room: Room) -> Made {
    let items = list(&args[0])?;
    let separator = text_as(&args[1], "a string as its separator")?;
    made(room, |out| {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push(separator)?;
            }
            let Some(printed) = item.printed() else {
                let message = format!(
                    "takes items that can be printed, and item {index} is {}",
                    item.described()
                );
                return Err(Failure::Wrong(message));
            };
            out.push(&printed)?;
        }
        Ok(())
    })
}

fn upper(args: Args<'_>, room: Room) -> Made {
    let text = text(&args[0])?;
    fits(text.to_uppercase(), room)
}

fn lower(args: Args<'_>, room: Room) -> Made {
    let text = text(&args[0])?;
    fits(text.to_lowercase(), room)
}

fn trim(args: Args<'_>, _: Room) -> Made {
    let text = text(&args[0])?;
    let trimmed = text.trim();
    if trimmed.len() == text.len() { Ok(Value::clone(&args[0])) } else { Ok(trimmed.into()) }
}

fn indent(args: Args<'_>, room: Room) -> Made {
    let text = printed(&args[0])?;
    let blanks = count(&args[1], "as its indentation")?;
    made(room, |out| Ok(shape::indent(&text, blanks, out)?))
}

fn held_plain(args: Args<'_>, room: Room) -> Made {
    let text = printed(&args[0])?;
    made(room, |out| Ok(plain::plain(&text, room.mid_line, out)?))
}

fn quote(args: Args<'_>, room: Room) -> Made {
    let text = printed(&args[0])?;
    made(room, |out| Ok(shape::quote(&text, out)?))
}

fn fence(args: Args<'_>, room: Room) -> Made {
    let text = printed(&args[0])?;
    let language = match args.get(1) {
        Some(language) => text_as(language, "a string as its language")?,
        None => "",
    };
    if language.contains(['`', '\n']) {
        let message = "takes a language that stands on one line, without a backtick";
        return Err(Failure::Wrong(message.to_owned()));
    }
    made(room, |out| Ok(shape::fence(&text, language, out)?))
}

fn xml(args: Args<'_>, room: Room) -> Made {
    let text = printed(&args[0])?;
    made(room, |out| Ok(shape::xml(&text, out)?))
}

fn len(args: Args<'_>, _: Room) -> Made {
    let length = match &*args[0] {
        Value::Text(text) => text.chars().count(),
        Value::List(items) => items.len(),
        Value::Map(entries) => entries.len(),
        other => return Err(takes("a string, a list or a map", other)),
    };
    Ok(length.into())
}

fn first(args: Args<'_>, _: Room) -> Made {
    list(&args[0])?.first().cloned().ok_or_else(is_empty)
}

fn last(args: Args<'_>, _: Room) -> Made {
    list(&args[0])?.last().cloned().ok_or_else(is_empty)
}

fn is_empty() -> Failure {
    Failure::Wrong("takes a list with items, and this one is empty".to_owned())
}

fn keys(args: Args<'_>, room: Room) -> Made {
    match &*args[0] {
        Value::Map(entries) if entries.len().saturating_mul(size_of::<Value>()) > room.bytes => {
            Err(Failure::Full)
        }
        Value::Map(entries) => {
            Ok(Value::List(entries.keys().map(|key| Value::Text(Arc::clone(key))).collect()))
        }
        other => Err(takes("a map", other)),
    }
}

fn contains(args: Args<'_>, _: Room) -> Made {
    let found = match &*args[0] {
        Value::Text(text) => text.contains(text_as(&args[1], "a string as the part of a string")?),
        Value::Map(entries) => entries.contains_key(text_as(&args[1], "a string as the key")?),
        Value::List(items) => items.iter().any(|item| equal(item, &args[1])),
        other => return Err(takes("a string, a list or a map", other)),
    };
    Ok(found.into())
}

fn starts_with(args: Args<'_>, _: Room) -> Made {
    let start = text_as(&args[1], "a string as the start")?;
    Ok(text(&args[0])?.starts_with(start).into())
}

fn ends_with(args: Args<'_>, _: Room) -> Made {
    let end = text_as(&args[1], "a string as the end")?;
    Ok(text(&args[0])?.ends_with(end).into())
}

fn made(room: Room, write: impl FnOnce(&mut Sink) -> Result<(), Failure>) -> Made {
    let mut sink = Sink::new(room.bytes);
    write(&mut sink)?;
    Ok(Value::Text(sink.into_text().into()))
}

fn fits(text: String, room: Room) -> Made {
    if text.len() > room.bytes { Err(Failure::Full) } else { Ok(Value::Text(text.into())) }
}

fn text(value: &Value) -> Result<&str, Failure> {
    text_as(value, "a string")
}

fn text_as<'a>(value: &'a Value, what: &str) -> Result<&'a str, Failure> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(takes(what, other)),
    }
}

/// The text of what a reference could print too: functions that only decide how a value is
/// printed take numbers and booleans as well.
fn printed(value: &Value) -> Result<Cow<'_, str>, Failure> {
    value.printed().ok_or_else(|| takes("what can be printed", value))
}

fn list(value: &Value) -> Result<&[Value], Failure> {
    match value {
        Value::List(items) => Ok(items),
        other => Err(takes("a list", other)),
    }
}

fn count(value: &Value, purpose: &str) -> Result<usize, Failure> {
    match value {
        Value::Integer(number) => usize::try_from(*number).map_err(|_| {
            Failure::Wrong(format!("takes a number of blanks {purpose}, not {number}"))
        }),
        other => Err(takes(&format!("an integer {purpose}"), other)),
    }
}

fn takes(what: &str, given: &Value) -> Failure {
    Failure::Wrong(format!("takes {what}, not {}", given.described()))
}
