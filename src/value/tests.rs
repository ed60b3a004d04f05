use std::collections::BTreeMap;

use serde::Serialize;

use super::*;

fn json(text: &str) -> Value {
    Value::from_json(text).expect("valid JSON")
}

#[test]
fn json_is_read_exactly() {
    for (text, expected) in [
        (" null ", Ok("null")),
        ("-0", Ok("0")),
        ("9223372036854775807", Ok("9223372036854775807")),
        ("-9223372036854775808", Ok("-9223372036854775808")),
        ("9223372036854775808", Err("line 1, column 1: 9223372036854775808 does not fit")),
        ("1e2", Ok("100.0")),
        ("[1.50]", Ok("[1.5]")),
        ("[\n 1e999]", Err("line 2, column 2: 1e999 is no finite number")),
        (r#""\u00e9\ud83c\udfaf\n\/""#, Ok("\"é🎯\\n/\"")),
        (r#""\ud83c""#, Err("line 1, column 2: `\\u` and four digits")),
        (r#""\x""#, Err("line 1, column 2: there is no such escape")),
        ("\"a\r\nb\"", Err("line 1, column 3: a control character")),
        (r#""a\r\nb\rc""#, Ok(r#""a\nb\nc""#)),
        (r#"{"b":1,"a":{}}"#, Ok(r#"{"a":{},"b":1}"#)),
        (r#"{"a":1,"a":2}"#, Err("line 1, column 8: the key `a` is given twice")),
        ("[1,]", Err("line 1, column 4: expected a value, found `]`")),
        ("[1", Err("line 1, column 3: expected `,` or `]`, found the end")),
        ("[01]", Err("line 1, column 3: expected `,` or `]`, found `1`")),
        ("1 2", Err("line 1, column 3: expected the end, found `2`")),
        ("nul", Err("line 1, column 1: expected a value, found `n`")),
        ("é", Err("line 1, column 1: expected a value, found `é`")),
        ("\"é", Err("line 1, column 3: expected `\"`, found the end")),
        ("", Err("line 1, column 1: expected a value, found the end")),
    ] {
        match (Value::from_json(text), expected) {
            (Ok(value), Ok(expected)) => assert_eq!(value.to_json(None), expected, "{text}"),
            (Err(error), Err(expected)) => {
                let error = error.to_string();
                assert!(error.starts_with(expected), "{text}: {error}");
            }
            (got, expected) => panic!("{text}: {got:?}, not {expected:?}"),
        }
    }
}

#[test]
fn depth_is_bounded_in_every_format() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(Value::from_json(&nested(128)).is_ok());
    assert!(Value::from_json(&nested(129)).is_err());
    assert!(Value::from_json(&nested(1_000_000)).is_err());
    assert!(Value::from_yaml(&nested(128)).is_ok());
    assert!(Value::from_yaml(&nested(129)).is_err());
    let dotted = |depth: usize| format!("{}=1", vec!["a"; depth].join("."));
    let twice = format!("{} = {{ {} }}", vec!["b"; 70].join("."), dotted(70));
    assert!(Value::from_toml(&dotted(70)).is_ok());
    assert!(Value::from_toml(&twice).is_err());
    let mut deep = Value::Null;
    for _ in 0..128 {
        deep = Value::from(vec![deep]);
    }
    assert!(settle(deep.clone()).is_ok());
    assert!(settle(Value::from(vec![deep])).is_err());
}

#[test]
fn yaml_follows_the_core_schema() {
    for (text, expected) in [
        ("no", r#""no""#),
        ("on: off", r#"{"on":"off"}"#),
        ("true", "true"),
        ("yes", r#""yes""#),
        ("012", "12"),
        ("0o14", "12"),
        ("0x1F", "31"),
        ("+1", "1"),
        ("1_000", r#""1_000""#),
        ("1.", "1.0"),
        (".5", "0.5"),
        ("1e3", "1000.0"),
        ("1e", r#""1e""#),
        (".", r#"".""#),
        ("12:30", r#""12:30""#),
        ("2024-01-01", r#""2024-01-01""#),
        ("~", "null"),
        ("", "null"),
        ("a:", r#"{"a":null}"#),
        ("1.10: x", r#"{"1.10":"x"}"#),
        ("'1'", r#""1""#),
        ("!!str 1", r#""1""#),
        ("! 1", r#""1""#),
        ("!!int '1'", "1"),
        ("!!float 1", "1.0"),
        ("!mine 1", "1"),
        ("[&a [1, 2], *a]", "[[1,2],[1,2]]"),
        ("|\n a\n b\n", r#""a\nb\n""#),
        ("a: 1 # note\n", r#"{"a":1}"#),
    ] {
        match Value::from_yaml(text) {
            Ok(value) => assert_eq!(value.to_json(None), expected, "{text}"),
            Err(error) => panic!("{text}: {error}"),
        }
    }
    for (text, expected) in [
        ("a: 1\na: 2", "line 2, column 1: the key `a` is given twice"),
        ("a: .inf", "line 1, column 4: inf is no finite number"),
        ("- 9223372036854775808", "line 1, column 3: 9223372036854775808 does not fit into 64"),
        ("[a]: 1", "line 1, column 1: a key of a map must be"),
        ("a\n---\nb", "line 2, column 1: a second document"),
        ("!!int x", "line 1, column 7: this is no `!!int`"),
        ("a: [", "line 1, column"),
        ("a: &a [*a]", "line 1, column 8: an alias"),
    ] {
        let error = Value::from_yaml(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let multiplied = (1..10).fold("a0: &a0 [x, x]\n".to_owned(), |text, level| {
        let before = vec![format!("*a{}", level - 1); 10].join(", ");
        format!("{text}a{level}: &a{level} [{before}]\n")
    });
    assert!(Value::from_yaml(&multiplied).is_err());
}

#[test]
fn toml_is_read_with_its_dates() {
    for (text, expected) in [
        ("a = 1\nb.c = 2.0", Ok(r#"{"a":1,"b":{"c":2.0}}"#)),
        ("a = 2024-02-29T10:00:00Z", Ok(r#"{"a":"2024-02-29T10:00:00Z"}"#)),
        ("a = 0xff\nb = 1_000", Ok(r#"{"a":255,"b":1000}"#)),
        ("a = \"x\\r\\ny\"", Ok(r#"{"a":"x\ny"}"#)),
        ("a = 1\na = 2", Err("line 2, column 1: duplicate key")),
        ("a = 1\nb = nan", Err("line 2, column 5: nan is no finite number")),
        ("a = 9223372036854775808", Err("line 1, column 5: 9223372036854775808 does not fit")),
        ("a = ", Err("line 1, column")),
    ] {
        match (Value::from_toml(text), expected) {
            (Ok(value), Ok(expected)) => assert_eq!(value.to_json(None), expected, "{text}"),
            (Err(error), Err(expected)) => {
                let error = error.to_string();
                assert!(error.starts_with(expected), "{text}: {error}");
            }
            (got, expected) => panic!("{text}: {got:?}, not {expected:?}"),
        }
    }
}

#[derive(Serialize)]
enum Shape {
    Unit,
    One(u8),
    Two(u8, f32),
    Named { side: i64 },
}

#[derive(Serialize)]
struct Everything {
    text: &'static str,
    none: Option<u8>,
    shapes: Vec<Shape>,
    letters: BTreeMap<char, bool>,
    numbers: BTreeMap<i8, Option<bool>>,
}

#[test]
fn anything_serialize_becomes_a_value() {
    let given = Everything {
        text: "a\r\nb",
        none: None,
        shapes: vec![Shape::Unit, Shape::One(1), Shape::Two(2, 0.1), Shape::Named { side: -3 }],
        letters: BTreeMap::from([('x', true)]),
        numbers: BTreeMap::from([(-1, None)]),
    };
    let expected = concat!(
        r#"{"letters":{"x":true},"none":null,"numbers":{"-1":null},"#,
        r#""shapes":["Unit",{"One":1},{"Two":[2,0.1]},{"Named":{"side":-3}}],"text":"a\nb"}"#
    );
    let value = Value::from_serialize(&given).map(|value| value.to_json(None));
    assert_eq!(value.as_deref(), Ok(expected));
    let vars = Vars::from_serialize(&given).map(|vars| Value::from(vars).to_json(None));
    assert_eq!(vars.as_deref(), Ok(expected));
    let moment: ::toml::Value =
        ::toml::from_str::<::toml::Table>("at = 2024-01-01").expect("TOML").into();
    let vars = Vars::from_serialize(&moment).expect("a map");
    assert_eq!(vars.get("at"), Some(&"2024-01-01".into()));
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let refused = |given: Result<Value, ValueError>| given.expect_err("refused").to_string();
    let users = BTreeMap::from([("users", vec![BTreeMap::from([("age", u64::MAX)])])]);
    assert_eq!(
        refused(Value::from_serialize(&users)),
        "`users.0.age`: 18446744073709551615 does not fit into 64 bits"
    );
    assert_eq!(refused(Value::from_serialize(&[1.0, f64::NAN])), "`1`: NaN is no finite number");
    assert_eq!(
        refused(Value::from_serialize(&BTreeMap::from([((1, 2), 3)]))),
        "a key of a map must be a text, a number or a boolean"
    );
    let error = Vars::from_serialize(&[1]).expect_err("a list is refused").to_string();
    assert_eq!(error, "variables are given as a map, not as a list");
    let error = Vars::try_from(Value::from(1)).expect_err("refused").to_string();
    assert_eq!(error, "variables are given as a map, not as an integer");
}

#[test]
fn variables_are_sorted_and_the_last_value_of_a_name_stays() {
    let mut vars: Vars = [("b", 1), ("a", 2), ("b", 3)].into_iter().collect();
    vars.extend([("a", Value::from("x"))]);
    vars.insert("nan", Value::Float(f64::NAN));
    vars.insert("made", Value::Text("a\rb".into()));
    let listed: Vec<String> =
        vars.iter().map(|(name, value)| format!("{name}={}", value.to_json(None))).collect();
    assert_eq!(listed, ["a=\"x\"", "b=3", "made=\"a\\nb\"", "nan=null"]);
    let macro_made = crate::vars! { type: "t", list: vec!["a"], none: None::<i32>, };
    assert_eq!(Value::from(macro_made).to_json(None), r#"{"list":["a"],"none":null,"type":"t"}"#);
}

#[test]
fn floats_always_have_a_point() {
    for (number, expected) in [
        (1.0, "1.0"),
        (-0.5, "-0.5"),
        (1e20, "100000000000000000000.0"),
        (1e-7, "0.0000001"),
        (-0.0, "-0.0"),
    ] {
        assert_eq!(format_float(number), expected);
    }
}

#[test]
fn numbers_are_compared_exactly() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    for (left, right, expected) in [
        (1, 1.0, Equal),
        (1, 1.5, Less),
        (-1, -1.5, Greater),
        (0, -0.0, Equal),
        (9_007_199_254_740_993, 9_007_199_254_740_992.0, Greater),
        (i64::MAX, 9_223_372_036_854_775_808.0, Less),
        (i64::MIN, -9_223_372_036_854_775_808.0, Equal),
        (i64::MIN, -1e300, Greater),
    ] {
        let (left, right) = (Value::Integer(left), Value::Float(right));
        assert_eq!(compare_numbers(&left, &right), Some(expected), "{left:?} {right:?}");
        assert_eq!(compare_numbers(&right, &left), Some(expected.reverse()));
    }
    assert!(equal(&json("[1, {\"a\": 2.0}]"), &json("[1.0, {\"a\": 2}]")));
    assert!(!equal(&json("[1]"), &json("[\"1\"]")));
}

#[test]
fn parts_that_repeat_cost_their_memory_only() {
    let doubled = |mut value: Value| {
        for _ in 0..100 {
            value = Value::from(vec![value.clone(), value]);
        }
        value
    };
    let (left, right) = (doubled("x".into()), doubled("x".into()));
    assert!(equal(&left, &right));
    assert!(settle(left).is_ok());
    assert!(settle(doubled("a\rb".into())).is_ok());
    let mut sink = Sink::new(1_000);
    assert_eq!(write_json(&right, 0, &mut sink), Err(Full));
}

#[test]
fn indented_json_keeps_empty_parts_together() {
    let value = json(r#"{"a":[],"b":{},"c":[1,{"d":null}]}"#);
    let expected = "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": null\n    }\n  ]\n}";
    assert_eq!(value.to_json(Some(2)), expected);
    assert_eq!(json(&value.to_json(Some(3))), value);
    let text = Value::from("\u{1}\u{8}\"\\\u{7f}é\t");
    assert_eq!(text.to_json(None), "\"\\u0001\\b\\\"\\\\\u{7f}é\\t\"");
}
