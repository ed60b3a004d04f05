use super::*;
use crate::diag::{Finding, codes};
use crate::parse::names::Names;

/// The syntax tree with every operation in brackets, and each path, call and literal as written.
fn shape(text: &str, expr: &Expr) -> String {
    let list = |parts: &[Expr]| {
        let parts: Vec<String> = parts.iter().map(|part| shape(text, part)).collect();
        parts.join(" ")
    };
    let call = |call: &Call| {
        let name = &text[call.name_span.range()];
        if call.args.is_empty() { name.to_owned() } else { format!("{name}:{}", list(&call.args)) }
    };
    match &expr.kind {
        ExprKind::Literal(value) => value.to_json(None),
        ExprKind::Path(path) => {
            assert_eq!(path.name_span.start, expr.span.start);
            text[expr.span.range()].to_owned()
        }
        ExprKind::List(parts) => format!("[{}]", list(parts)),
        ExprKind::Call(inner) => format!("({})", call(inner)),
        ExprKind::Pipe { head, calls } => {
            let calls: Vec<String> = calls.iter().map(call).collect();
            format!("({} | {})", shape(text, head), calls.join(" | "))
        }
        ExprKind::Not(inner) => format!("(not {})", shape(text, inner)),
        ExprKind::Compare { op, left, right } => {
            format!("({} {op:?} {})", shape(text, left), shape(text, right))
        }
        ExprKind::All(parts) => format!("(and {})", list(parts)),
        ExprKind::Any(parts) => format!("(or {})", list(parts)),
    }
}

fn parsed(text: &str) -> Result<String, Finding> {
    let mut names = Names::default();
    let expr = parse_expression(text, 0, &mut names)?;
    assert_eq!(&text[expr.span.range()], text[expr.span.range()].trim());
    Ok(shape(text, &expr))
}

#[test]
fn expressions_bind_as_the_grammar_says() {
    for (text, expected) in [
        ("x", "x"),
        (" x.a-B_2.0\n", "x.a-B_2.0"),
        ("a or b and c", "(or a (and b c))"),
        ("a || b && c || d", "(or a (and b c) d)"),
        ("(a or b) and c", "(and (or a b) c)"),
        ("not a == 1 and b", "(and (not (a Equal 1)) b)"),
        ("!a.b != !0", "invalid"),
        ("!!a", "(not (not a))"),
        ("not not a", "(not (not a))"),
        ("a!=b", "(a NotEqual b)"),
        ("a not in b", "(a NotIn b)"),
        ("a not\n in b", "(a NotIn b)"),
        ("a in [1,-2.5, 'x']", r#"(a In [1 -2.5 "x"])"#),
        ("[]", "[]"),
        ("a<b", "(a Less b)"),
        ("a>=b", "(a GreaterOrEqual b)"),
        ("a < b < c", "invalid"),
        ("a == b not in c", "invalid"),
        ("(a < b) == true", "((a Less b) Equal true)"),
        ("x|f", "(x | f)"),
        ("x | f(1, y) | g == 1", "((x | f:1 y | g) Equal 1)"),
        ("x||f", "(or x f)"),
        ("f(x)", "(f:x)"),
        ("f()", "(f)"),
        ("f( a , b )", "(f:a b)"),
        ("f (x)", "invalid"),
        ("f(x,)", "invalid"),
        ("[1,]", "invalid"),
        ("not(a)", "(not a)"),
        ("android", "android"),
        ("nullx == null", "(nullx Equal null)"),
        ("loop.index > 1", "(loop.index Greater 1)"),
        ("in", "invalid"),
        ("with", "invalid"),
        ("and", "invalid"),
        ("x.in.not", "x.in.not"),
        ("not in x", "invalid"),
        ("and(x)", "invalid"),
        ("x|not", "invalid"),
        ("x.", "invalid"),
        ("x .a", "invalid"),
        ("A", "invalid"),
        ("aB", "invalid"),
        ("_a", "invalid"),
        ("é", "invalid"),
        ("", "invalid"),
        (" ", "invalid"),
        ("a b", "invalid"),
        ("a not b", "invalid"),
        ("a = b", "invalid"),
        ("a & b", "invalid"),
        ("a | | b", "invalid"),
        ("(a", "invalid"),
        ("a)", "invalid"),
        ("()", "invalid"),
        ("a >> b", "invalid"),
        ("a == not b", "invalid"),
        (r#""a\n\t\\\"\'" "#, r#""a\n\t\\\"'""#),
        (r#"'"' == "'""#, r#"("\"" Equal "'")"#),
        ("\"}} --> |\"", "\"}} --> |\""),
        (r#""\x""#, "invalid"),
        ("\"é\\", "invalid"),
        ("'a", "invalid"),
        ("'a\n'", "invalid"),
        ("-0.50", "-0.5"),
        ("007", "7"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "invalid"),
        ("1.", "invalid"),
        (".5", "invalid"),
        ("1e5", "invalid"),
        ("1_000", "invalid"),
        ("1.5.2", "invalid"),
        ("--1", "invalid"),
        ("- 1", "invalid"),
        ("x -1", "invalid"),
    ] {
        match parsed(text) {
            Ok(tree) => assert_eq!(tree, expected, "{text}"),
            Err(finding) => {
                assert_eq!(expected, "invalid", "{text}: {}", finding.message);
                assert_eq!(finding.code, codes::INVALID_EXPRESSION);
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said_at_the_beginning() {
    for (text, message, help) in [
        (" x ==", "expected a value, found the end", ""),
        ("  x + 1 > 2", "expected an operator or the end, found `+ 1 > 2`", "arithmetic"),
        ("x = 1", "expected an operator or the end, found `= 1`", "`==`"),
        ("x and\n y z", "expected an operator or the end, found `z`", ""),
        ("x == “a”", "expected a value, found `“a”`", "straight"),
        ("x and True", "expected a value, found `True`", "`true`"),
        ("f(x", "expected `,` or `)`, found the end", ""),
        ("x == \"a", "the text that begins with `\"a` is not closed", "quote"),
        ("a < b < c", "a comparison cannot be compared: `< c`", "`and`"),
    ] {
        let mut names = Names::default();
        let finding = parse_expression(text, 100, &mut names).expect_err(text);
        assert_eq!(finding.message, message);
        assert!(finding.help.unwrap_or_default().contains(help), "{text}");
        let start = text.len() - text.trim_start().len();
        let end = text.trim_end().len();
        assert_eq!(finding.span, Span::at(100 + start, 100 + end), "{text}");
        assert_eq!(names.iter().len(), 0);
    }
    let finding = parse_expression("x = 1", 100, &mut Names::default()).expect_err("one sign");
    assert_eq!(finding.edit, Some((Span::at(102, 103), "==".to_owned())));
}

#[test]
fn length_and_nesting_have_limits() {
    let code = |text: &str| {
        let found = parse_expression(text, 0, &mut Names::default());
        found.map(|_| ()).map_err(|finding| (finding.code, finding.span.start))
    };
    let brackets = |depth: usize| format!("{}x{}", "(".repeat(depth), ")".repeat(depth));
    let text = |length: usize| format!(" \"{}\" ", "a".repeat(length - 2));
    for (allowed, over) in [
        (brackets(64), brackets(65)),
        (text(4096), text(4097)),
        (format!("{}x", "!".repeat(64)), format!("{}x", "!".repeat(65))),
        (format!("{}x", "not ".repeat(64)), format!("{}x", "not ".repeat(65))),
        (
            format!("{}x{}", "f([".repeat(32), "])".repeat(32)),
            format!("{}x{}", "f([".repeat(33), "])".repeat(33)),
        ),
    ] {
        let start = over.len() - over.trim_start().len();
        assert_eq!(code(&allowed), Ok(()), "{allowed}");
        let start = u32::try_from(start).unwrap_or_default();
        assert_eq!(code(&over), Err((codes::LIMIT_EXCEEDED, start)), "{over}");
    }
    assert_eq!(code(&"(".repeat(4000)), Err((codes::LIMIT_EXCEEDED, 0)));
}

#[test]
fn a_reference_is_exact() {
    for (text, expected) in [
        ("{{x}}", Some("{{x}}")),
        ("{{x.A-b.0}} y", Some("{{x.A-b.0}}")),
        ("{{x}}}", Some("{{x}}")),
        ("{{x|f|g( \"}}\" , [a or b] )}}", Some("{{x|f|g( \"}}\" , [a or b] )}}")),
        ("{{x|f()}}", Some("{{x|f()}}")),
        ("{{x|default(\"`\")}}", Some("{{x|default(\"`\")}}")),
        ("{{loop.index}}", Some("{{loop.index}}")),
        ("{{ x}}", None),
        ("{{x }}", None),
        ("{{x |f}}", None),
        ("{{x| f}}", None),
        ("{{x|f (1)}}", None),
        ("{{x|f(1\n)}}", None),
        ("{{x|f(\"\n\")}}", None),
        ("{{x||f}}", None),
        ("{{X}}", None),
        ("{{x.}}", None),
        ("{{}}", None),
        ("{{{x}}}", None),
        ("{{a b}}", None),
        ("{{1}}", None),
        ("{{f(x)}}", None),
        ("{{x}", None),
        ("{{x", None),
        ("{{", None),
        ("{x}}", None),
        ("{{x|f(a > 1)}}", Some("{{x|f(a > 1)}}")),
    ] {
        let mut names = Names::default();
        let found = match scan_reference(text, 0, &mut names) {
            Scan::Reference(reference) => Some(&text[reference.span.range()]),
            Scan::Nothing => None,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(found, expected);
        assert_eq!(names.iter().len() > 0, expected.is_some(), "{text}");
    }
    let scan = |text: &str| scan_reference(text, 2, &mut Names::default());
    assert_eq!(scan("a {{null}}"), Scan::Reserved(Span::at(4, 8)));
    assert_eq!(scan("a {{null}"), Scan::Nothing);
    let deep = format!("é{{{{x|f({}", "(".repeat(64));
    assert_eq!(scan(&deep), Scan::Nothing);
    for over in [format!("{deep}}}}}"), format!("é{{{{x|f(\"{}\")}}}}", "a".repeat(4100))] {
        match scan(&over) {
            Scan::Over(finding) => {
                assert_eq!(finding.code, codes::LIMIT_EXCEEDED);
                assert_eq!(finding.span, Span::at(4, over.len() - 2));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn with_ends_at_its_end_mark() {
    for (text, mark, expected) in [
        ("a=\"1 >> 0\">>", ">>", Ok("a=\"1 >> 0\" |")),
        (" a = x|f > 1 , b=[ 1 ] >> rest", ">>", Ok("a=((x | f) Greater 1) b=[1] |")),
        ("a=x>>", ">>", Ok("a=x |")),
        ("a=\"}}\"}}", "}}", Ok("a=\"}}\" |")),
        ("", ">>", Err("shape 0: expected `name=` behind `with`, found the end")),
        ("A=1>>", ">>", Err("shape 0: expected `name=` behind `with`, found `A=1>>`")),
        ("a>>", ">>", Err("shape 1: expected `=` behind `a`, found `>>`")),
        ("a==1>>", ">>", Err("shape 1: expected `=` behind `a`, found `==1>>`")),
        ("loop=1>>", ">>", Err("shape 0: `loop` is no name of a variable")),
        ("a=1,a=2>>", ">>", Err("shape 4: `a` is given twice")),
        ("a=1,>>", ">>", Err("shape 4: expected `name=` behind `with`, found `>>`")),
        ("a=>>", ">>", Err("expr 2: expected a value, found `>>`")),
        ("a=x + 1>>", ">>", Err("expr 2: expected an operator, `,` or `>>`, found `+ 1>>`")),
        ("a=x", ">>", Err("expr 2: expected an operator, `,` or `>>`, found the end")),
        ("a=x\n>>", ">>", Err("expr 2: expected an operator, `,` or `>>`, found the end")),
    ] {
        let mut names = Names::default();
        match (parse_with(text, 0, mark, &mut names), expected) {
            (Ok((with, end)), Ok(expected)) => {
                let one = |(_, span, expr): &(Symbol, Span, Expr)| {
                    format!("{}={}", &text[span.range()], shape(text, expr))
                };
                let shown: Vec<String> = with.iter().map(one).collect();
                assert_eq!(format!("{} |", shown.join(" ")), expected);
                assert!(text[end..].starts_with(mark), "{text}");
            }
            (Err(BrokenWith::Shape(span, message)), Err(expected)) => {
                assert_eq!(format!("shape {}: {message}", span.start), expected);
            }
            (Err(BrokenWith::Expression(finding)), Err(expected)) => {
                let shown = format!("expr {}: {}", finding.span.start, finding.message);
                assert_eq!(shown, expected);
            }
            (got, expected) => panic!("{text}: {got:?}, not {expected:?}"),
        }
    }
}

#[test]
fn a_loop_has_one_name_or_two() {
    for (text, expected) in [
        ("x in xs", Ok("x in xs")),
        (" k , v in m|f\n", Ok("k v in (m | f)")),
        ("x in [1, 2]", Ok("x in [1 2]")),
        ("x in a in b", Ok("x in (a In b)")),
        ("in in xs", Err("expected a name, found `in in xs`")),
        ("a, b, c in xs", Err("expected `in`, found `, c in xs`")),
        ("a, a in xs", Err("the name `a` stands twice")),
        ("x of xs", Err("expected `in`, found `of xs`")),
        ("x in", Err("expected a value, found the end")),
        ("x in xs ys", Err("expected an operator or the end, found `ys`")),
        ("", Err("expected a name, found the end")),
    ] {
        let mut names = Names::default();
        match (parse_for(text, 0, &mut names), expected) {
            (Ok(header), Ok(expected)) => {
                let bound: Vec<&str> =
                    header.names.iter().map(|(_, span)| &text[span.range()]).collect();
                let shown = format!("{} in {}", bound.join(" "), shape(text, &header.expr));
                assert_eq!(shown, expected);
            }
            (Err(finding), Err(expected)) => assert_eq!(finding.message, expected),
            (got, expected) => panic!("{text}: {got:?}, not {expected:?}"),
        }
    }
}

#[test]
fn calls_are_checked_without_values() {
    let functions = crate::functions::Functions::builtin();
    for (text, expected) in [
        ("x|upper|join(\",\") == len(y)", ""),
        ("x|uper and nope(1)", "unknown-function 2, unknown-function 11"),
        ("upper(x, join(y))", "wrong-argument 0, wrong-argument 9"),
        ("x|json(1, 2)", "wrong-argument 2"),
        ("x|defined and defined(x.y)", ""),
        (
            "defined(upper(x)) or x|trim|defined or defined(1)",
            "wrong-argument 0, wrong-argument 28, wrong-argument 39",
        ),
        ("default(x) or x|default", "wrong-argument 0, wrong-argument 16"),
        ("[[f(x)]]", "unknown-function 2"),
    ] {
        let expr = parse_expression(text, 0, &mut Names::default()).expect(text);
        let found: Vec<String> = check_calls(&expr, text, &functions)
            .iter()
            .map(|finding| format!("{} {}", finding.code, finding.span.start))
            .collect();
        assert_eq!(found.join(", "), expected, "{text}");
    }
    for (text, expected) in [
        ("x|quote", Some("quote")),
        ("x|fence(\"a\")|indent(2)", Some("fence")),
        ("x|default(quote(y))", None),
        ("x", None),
    ] {
        let expr = parse_expression(text, 0, &mut Names::default()).expect(text);
        let call = block_call(&expr, text, &functions);
        assert_eq!(call.map(|call| &text[call.name_span.range()]), expected);
    }
}

/// Any sequence of pieces is read without a panic, in time, and leaves no name behind if it is
/// no expression.
#[test]
fn any_text_is_read_to_a_result() {
    const PIECES: [&str; 28] = [
        "x", "a.b", "1", "-2.5", "\"t\"", "'", "(", ")", "[", "]", ",", "|", "||", "&&", "and ",
        " or ", "not ", "!", "==", "<", ">", ">>", " in ", "}}", "{{", "\n", "é", "\\",
    ];
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap_or_default()
    };
    for _ in 0..20_000 {
        let text: String = (0..next() % 12).map(|_| PIECES[next() % PIECES.len()]).collect();
        let mut names = Names::default();
        match parse_expression(&text, 7, &mut names) {
            Ok(expr) => assert!(expr.span.range().end <= 7 + text.len()),
            Err(_) => assert_eq!(names.iter().len(), 0, "{text}"),
        }
        let braced = format!("{{{{x|f({text}");
        let _ = scan_reference(&braced, 0, &mut names);
        let _ = parse_with(&text, 0, ">>", &mut names);
        let _ = parse_for(&text, 0, &mut names);
    }
}
