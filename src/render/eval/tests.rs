use super::*;
use crate::parse::expr::{Scan, parse_expression, scan_reference};
use crate::parse::names::Names;
use crate::value::Vars;

/// A scope over variables; names that begin with `given_` are declared inputs.
struct Flat<'t> {
    source: &'t str,
    names: Names,
    vars: Vars,
    functions: Functions,
    round: Option<Round>,
}

impl<'t> Flat<'t> {
    fn new(source: &'t str, vars: &str) -> Self {
        let vars = Value::from_json(vars).and_then(Vars::try_from).expect("variables");
        let functions = Functions::builtin()
            .with("shout", 1..=2, |args| match args {
                [Value::Text(text)] => Ok(format!("{text}!\r\n").into()),
                [Value::Integer(1), _] => Ok(Value::Float(f64::NAN)),
                _ => Err("takes a string".to_owned()),
            })
            .expect("a good name");
        let round = Some(Round { index: 2, length: 2 });
        Self { source, names: Names::default(), vars, functions, round }
    }
}

impl Scope for Flat<'_> {
    fn lookup(&self, name: Symbol) -> Option<Bound<'_>> {
        match &**self.names.name(name) {
            "loop" => self.round.map(Bound::Round),
            name => self.vars.get(name).map(Bound::Value),
        }
    }

    fn function(&self, name: Symbol) -> Option<&Function> {
        self.functions.get(self.names.name(name))
    }

    fn is_declared(&self, name: Symbol) -> bool {
        self.names.name(name).starts_with("given_")
    }

    fn source(&self) -> &str {
        self.source
    }

    fn names(&self) -> Vec<&str> {
        self.vars.iter().map(|(name, _)| name).collect()
    }

    fn functions(&self) -> &Functions {
        &self.functions
    }

    fn suggests(&self) -> bool {
        true
    }
}

fn context<'s, 't>(scope: &'s Flat<'t>) -> Context<'s, Flat<'t>> {
    Context { scope, bytes: 1_000, construct: Span::new(0, 0) }
}

/// `code offset: message | help | edited text`, as far as there is such.
fn told(finding: &Finding, source: &str) -> String {
    let mut parts = vec![format!("{} {}: {}", finding.code, finding.span.start, finding.message)];
    parts.extend(finding.help.clone());
    if let Some((span, new)) = &finding.edit {
        let mut edited = source.to_owned();
        edited.replace_range(span.range(), new);
        parts.push(edited);
    }
    parts.join(" | ")
}

const VARS: &str = r#"{
    "t": "abc", "e": "", "n": 3, "z": 0, "f": 2.5, "one": 1.0, "yes": true, "no": false,
    "nil": null, "xs": ["a", "b"], "none": [], "nested": [["a"], 1], "m": {"name": 1, "0": "zero"},
    "lines": "a\n\n b\n", "false_text": "false", "user": {"name": "Ada", "tags": ["x"]}
}"#;

fn check(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for &(source, expected) in table {
        let mut scope = Flat::new(source, VARS);
        let expr = parse_expression(source, 0, &mut scope.names).expect(source);
        let got = match evaluate(&expr, &context(&scope)) {
            Ok(value) => value.to_json(None),
            Err(finding) => told(&finding, source),
        };
        if got != expected {
            wrong.push(format!("{source}\n  got {got}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_are_found_along_paths() {
    check(&[
        ("t", "\"abc\""),
        ("m.name", "1"),
        ("m.0", "\"zero\""),
        ("xs.1", "\"b\""),
        ("user.tags.0", "\"x\""),
        ("[1, xs, t]", "[1,[\"a\",\"b\"],\"abc\"]"),
        ("loop.index", "2"),
        ("loop.last and not loop.first", "true"),
        ("loop", r#"{"first":false,"index":2,"last":true,"length":2}"#),
    ]);
}

#[test]
fn names_without_value_are_told() {
    check(&[
        ("tt", "unknown-variable 0: unknown variable `tt` | did you mean `t`? | t"),
        (
            "nowhere",
            "unknown-variable 0: unknown variable `nowhere` | give it a value, or stand in with \
             `default`",
        ),
        (
            "given_x",
            "missing-variable 0: the input `given_x` has no value | give it a value, or a default \
             where it is declared",
        ),
        ("m.nme.x", "unknown-variable 2: `m` has no key `nme` | did you mean `name`? | m.name.x"),
        (
            "user.tags.7",
            "unknown-variable 10: `user.tags` has no item 7, since it has 1 | items are counted \
             from 0",
        ),
        ("xs.k", "unknown-variable 3: `xs` is a list and has no key `k`"),
        ("t.x.y", "unknown-variable 2: `t` is a string and has no key `x`"),
        ("nil.x", "unknown-variable 4: `nil` is null and has no key `x`"),
        (
            "loop.idx",
            "unknown-variable 5: `loop` has no key `idx` | stand in for it with `default`, or ask \
             with `defined`",
        ),
        ("loop.index.x", "unknown-variable 11: `loop.index` is an integer and has no key `x`"),
    ]);
}

#[test]
fn conditions_are_booleans_lists_maps_and_null() {
    check(&[
        ("yes and not no", "true"),
        ("xs or nope", "true"),
        ("none or nil", "false"),
        ("no and nope", "false"),
        ("!m", "false"),
        (
            "yes and t",
            "not-a-condition 8: `t` is a string, and a condition is true or false | write `t != \
             \"\"` | yes and t != \"\"",
        ),
        (
            "not (n)",
            "not-a-condition 5: `n` is an integer, and a condition is true or false | write `n > \
             0` | not (n > 0)",
        ),
        (
            "no or len( xs )",
            "not-a-condition 6: `len( xs )` is an integer, and a condition is true or false | \
             write `len( xs ) > 0` | no or len( xs ) > 0",
        ),
    ]);
}

#[test]
fn comparisons_convert_nothing() {
    check(&[
        ("n == 3.0 and one == 1", "true"),
        ("t == \"abc\" and t != e", "true"),
        ("nil == null and t != null and null == nil", "true"),
        ("xs == [\"a\", \"b\"] and [1] == [1.0] and [1] != [\"1\"]", "true"),
        ("\"10\" < \"9\" and \"Z\" < \"a\" and \"é\" > \"z\"", "true"),
        ("n >= 3 and f <= 2.5 and -1 < z", "true"),
        ("\"b\" in xs and \"b\" in t and \"name\" in m and \"c\" not in xs", "true"),
        ("1 in [\"1\"] or [\"a\"] in nested", "true"),
        ("nil in [null]", "true"),
        ("\"\" in t", "true"),
        (
            "yes and n == \"3\"",
            "type-mismatch 8: `n == \"3\"`: an integer is compared with a string | did you mean \
             `3`? | yes and n == 3",
        ),
        (
            "t != 1",
            "type-mismatch 0: `t != 1`: a string is compared with an integer | did you mean \
             `\"1\"`? | t != \"1\"",
        ),
        (
            "true == false_text",
            "type-mismatch 0: `true == false_text`: a boolean is compared with a string | did you \
             mean `\"true\"`? | \"true\" == false_text",
        ),
        ("xs == t", "type-mismatch 0: `xs == t`: a list is compared with a string"),
        (
            "(n) < null",
            "type-mismatch 0: `(n) < null`: two numbers or two strings have an order, and here \
             are an integer and null",
        ),
        (
            "yes < no",
            "type-mismatch 0: `yes < no`: two numbers or two strings have an order, and here are \
             a boolean and a boolean",
        ),
        (
            "1 in t",
            "type-mismatch 0: `1 in t`: a string holds strings, and this is an integer | did you \
             mean `\"1\"`? | \"1\" in t",
        ),
        (
            "t in n",
            "type-mismatch 0: `t in n`: `in` asks a list, a string or a map, and this is an \
             integer",
        ),
        (
            "0 in m",
            "type-mismatch 0: `0 in m`: the keys of a map are strings, and this is an integer",
        ),
    ]);
}

#[test]
fn default_and_defined_ask_names_without_value() {
    check(&[
        ("x|default(1)", "1"),
        ("nil|default(1)", "1"),
        ("e|default(1)", "\"\""),
        ("m.k.l|default(xs)|join(\"-\")", "\"a-b\""),
        ("default(xs.9, t)", "\"abc\""),
        ("t|default(nope)", "\"abc\""),
        ("given_x|default(2)", "2"),
        ("x|default(y|default(3))", "3"),
        (
            "x|trim|default(1)",
            "unknown-variable 0: unknown variable `x` | did you mean `xs`? | xs|trim|default(1)",
        ),
        ("defined(m.name) and defined(nil) == false and !defined(x) and e|defined", "true"),
        (
            "defined(\"x\")",
            "wrong-argument 0: `defined` takes a name, with or without keys, and nothing else | \
             write it like `defined(user.name)`",
        ),
        (
            "t|trim|defined",
            "wrong-argument 7: `defined` takes a name, with or without keys, and nothing else | \
             write it like `defined(user.name)`",
        ),
    ]);
}

#[test]
fn functions_make_values() {
    check(&[
        ("t|uper", "unknown-function 2: unknown function `uper` | did you mean `upper`? | t|upper"),
        (
            "xs|join",
            "wrong-argument 3: `join` takes 1 argument in brackets, and here are 0 | write it \
             like `list|join(\", \")`",
        ),
        (
            "join(xs)",
            "wrong-argument 0: `join` takes 2 arguments in brackets, and here are 1 | write it \
             like `list|join(\", \")`",
        ),
        ("t|shout", "\"abc!\\n\""),
        ("n|shout", "wrong-argument 2: `shout` takes a string"),
        ("shout(1, 2)", "wrong-argument 0: `shout` gave no value: NaN is no finite number"),
        ("\"ß\"|upper", "\"SS\""),
        ("\" É \"|trim|lower", "\"é\""),
        ("n|upper", "wrong-argument 2: `upper` takes a string, not an integer"),
        ("user|json", r#""{\"name\":\"Ada\",\"tags\":[\"x\"]}""#),
        ("none|json(2)", "\"[]\""),
        ("[1]|json(1)", "\"[\\n 1\\n]\""),
        (
            "[1]|json(-1)",
            "wrong-argument 4: `json` takes a number of blanks as its indentation, not -1",
        ),
        ("[1]|json(999999999999)", "limit-exceeded 0: `json` makes more than the output may hold"),
        ("nil|json", "\"null\""),
        ("[1, 2.0, true]|join(\"\")", "\"12.0true\""),
        (
            "nested|join(\", \")",
            "wrong-argument 7: `join` takes items that can be printed, and item 0 is a list",
        ),
        ("xs|join(1)", "wrong-argument 3: `join` takes a string as its separator, not an integer"),
        ("t|join(\",\")", "wrong-argument 2: `join` takes a list, not a string"),
        ("lines|indent(2)", "\"a\\n\\n   b\\n\""),
        (
            "lines|indent(900000000)",
            "limit-exceeded 0: `indent` makes more than the output may hold",
        ),
        ("t|indent(900000000)", "\"abc\""),
        ("lines|quote", "\"> a\\n>\\n>  b\""),
        ("e|quote", "\">\""),
        ("lines|fence", "\"```\\na\\n\\n b\\n```\""),
        ("e|fence(\"md\")", "\"```md\\n```\""),
        ("\"a ```` b\"|fence(\"\")", "\"`````\\na ```` b\\n`````\""),
        (
            "t|fence(\"a`b\")",
            "wrong-argument 2: `fence` takes a language that stands on one line, without a \
             backtick",
        ),
        ("\"<&'>\"|xml", "\"&lt;&amp;&apos;&gt;\""),
        ("n|xml", "\"3\""),
        ("\"é\"|len", "1"),
        ("m|len", "2"),
        ("n|len", "wrong-argument 2: `len` takes a string, a list or a map, not an integer"),
        ("xs|first|upper", "\"A\""),
        ("last(xs)", "\"b\""),
        ("none|first", "wrong-argument 5: `first` takes a list with items, and this one is empty"),
        (
            "[t|json(9), lines|indent(600), lines|indent(500)]",
            "limit-exceeded 0: `indent` makes more than the output may hold",
        ),
        (
            "lines|indent(600) != (lines|indent(700))",
            "limit-exceeded 0: `indent` makes more than the output may hold",
        ),
        ("lines|indent(800) == e or lines|indent(900) != e", "true"),
        ("m|keys", "[\"0\",\"name\"]"),
        ("xs|contains(\"a\") and t|contains(\"bc\") and m|contains(\"name\")", "true"),
        ("[1.0]|contains(1)", "true"),
        (
            "t|contains(1)",
            "wrong-argument 2: `contains` takes a string as the part of a string, not an integer",
        ),
        ("t|starts_with(\"ab\") and t|ends_with(\"bc\") and !(t|ends_with(\"b\"))", "true"),
        ("\"a\\n# b\"|plain", "\"a\\n\\\\# b\""),
    ]);
}

#[test]
fn references_print_what_can_be_printed() {
    for (source, expected) in [
        ("{{t}}", "abc"),
        ("{{n}}", "3"),
        ("{{one}}", "1.0"),
        ("{{yes}}", "true"),
        ("{{xs|join(\", \")}}", "a, b"),
        ("{{m.name|json}}", "1"),
        (
            "{{xs}}",
            "not-printable 2: `xs` is a list, which cannot be printed | write `{{xs|join(\", \
             \")}}` or `{{xs|json}}` | {{xs|join(\", \")}}",
        ),
        (
            "{{nested}}",
            "not-printable 2: `nested` is a list, which cannot be printed | write \
             `{{nested|json}}` | {{nested|json}}",
        ),
        (
            "{{m|keys|default(\"x\")}}",
            "not-printable 2: `m|keys|default(\"x\")` is a list, which cannot be printed | write \
             `{{m|keys|default(\"x\")|join(\", \")}}` or `{{m|keys|default(\"x\")|json}}` | \
             {{m|keys|default(\"x\")|join(\", \")}}",
        ),
        (
            "{{user}}",
            "not-printable 2: `user` is a map, which cannot be printed | write `{{user|json}}` | \
             {{user|json}}",
        ),
        (
            "{{nil}}",
            "not-printable 2: `nil` is null, which cannot be printed | give a value, or write \
             `{{nil|default(\"…\")}}`",
        ),
    ] {
        let mut scope = Flat::new(source, VARS);
        let Scan::Reference(reference) = scan_reference(source, 0, &mut scope.names) else {
            panic!("{source} is no reference");
        };
        let got = match print(&reference.expr, &context(&scope), false) {
            Ok(text) => text.to_string(),
            Err(finding) => told(&finding, source),
        };
        assert_eq!(got, expected, "{source}");
    }
}

#[test]
fn only_the_last_call_knows_what_stands_before_it() {
    for (source, expected) in [
        ("{{x|plain}}", "# a"),
        ("{{x|plain|trim}}", "\\# a"),
        ("{{y|default(plain(x))}}", "\\# a"),
    ] {
        let mut scope = Flat::new(source, r##"{"x": "# a"}"##);
        let Scan::Reference(reference) = scan_reference(source, 0, &mut scope.names) else {
            panic!("{source} is no reference");
        };
        let printed = print(&reference.expr, &context(&scope), true);
        assert_eq!(printed.as_deref().ok(), Some(expected), "{source}");
    }
}

#[test]
fn a_loop_runs_over_lists_and_maps() {
    for (source, names, expected) in [
        ("xs", 1, "list"),
        ("[1]", 1, "list"),
        ("m", 2, "map"),
        (
            "m",
            1,
            "not-iterable 0: `m` is a map, and a map is walked with two names | write `for: key, \
             value in …`",
        ),
        (
            "xs",
            2,
            "not-iterable 0: `xs` is a list, and a list is walked with one name | write `for: \
             item in …`",
        ),
        (
            "t|trim",
            1,
            "not-iterable 0: `t|trim` is a string, and a loop runs over a list or a map | give a \
             list, or ask with `if` before",
        ),
    ] {
        let mut scope = Flat::new(source, VARS);
        let expr = parse_expression(source, 0, &mut scope.names).expect(source);
        let got = match items(&expr, names, &context(&scope)) {
            Ok(Items::List(_)) => "list".to_owned(),
            Ok(Items::Map(_)) => "map".to_owned(),
            Err(finding) => told(&finding, source),
        };
        assert_eq!(got, expected);
    }
}

#[test]
fn lists_of_lists_stay_bounded() {
    let mut value = Value::from("x");
    let source = "[v]";
    for round in 0..200 {
        let mut scope = Flat::new(source, "{}");
        scope.vars.insert("v", value);
        let expr = parse_expression(source, 0, &mut scope.names).expect(source);
        match evaluate(&expr, &context(&scope)) {
            Ok(list) => value = list.into_owned(),
            Err(finding) => {
                assert_eq!((round, finding.code), (128, codes::LIMIT_EXCEEDED));
                return;
            }
        }
    }
    panic!("no limit was reached");
}
