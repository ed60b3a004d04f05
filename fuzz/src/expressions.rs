//! Target `expressions`: any text as a condition and as a reference.

use mdgraft::fuzzing::{self, Read};
use mdgraft::{Diagnostics, Engine, LoadOptions, MemoryLoader, Value, Vars, render, vars};

use crate::cases::Case;
use crate::diagnostics;
use crate::parse::in_bounds;

/// Reading never fails, and says where; what reads as an expression is accepted where one stands
/// in a prompt, by loading and by `check`, and evaluation is total; what does not read is refused
/// by both.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let text = &*text;
    condition(text);
    let reference = format!("{{{{{text}}}}}");
    if let Some(read) = fuzzing::reference(&reference) {
        spans(&reference, &read);
        let is_line = !text.contains(['\r', '\0']);
        if is_line && read.code.is_none() && read.spans[0].range() == (0..reference.len()) {
            accepted(&reference, &["malformed-reference", "limit-exceeded"]);
        }
    }
}

fn condition(text: &str) {
    let read = fuzzing::expression(text);
    spans(text, &read);
    // Line ends are blanks in both; a comment ends at the first `-->`.
    if text.contains(['\r', '\0', '\u{feff}']) || format!("{text} ").contains("-->") {
        return;
    }
    let prompt = format!("<!-- if: {text} -->\nyes\n<!-- endif -->\n");
    let refusals = ["invalid-expression", "unbalanced-directive"];
    if read.code.is_none() {
        accepted(&prompt, &refusals);
    } else if text.trim_matches([' ', '\t', '\n']).is_empty() {
        // No condition at all: the marker itself is in question.
    } else {
        let told = loaded(&prompt);
        assert!(told.has_errors(), "read: {:?}, yet accepted: {prompt:?}", read.code);
    }
}

/// Every part is inside the whole.
fn spans(text: &str, read: &Read) {
    for span in &read.spans {
        in_bounds(text, *span);
        let whole = read.spans[0];
        let inside = whole.start <= span.start && span.end <= whole.end;
        assert!(inside || read.code.is_some(), "part outside the whole: {span:?} of {text:?}");
    }
}

fn engine() -> Engine {
    Engine::new(MemoryLoader::default())
}

fn loaded(prompt: &str) -> Diagnostics {
    match engine().load_source("main.md", prompt.as_bytes(), &LoadOptions::default()) {
        Ok(tree) => tree.warnings().clone(),
        Err(told) => told,
    }
}

fn accepted(prompt: &str, refusals: &[&str]) {
    let case = Case { files: vec![("main.md".into(), prompt.into())], ..Case::default() };
    let refused = |told: &Diagnostics| told.iter().any(|one| refusals.contains(&one.code.as_str()));
    let checked = case.engine().check(&["main.md"], &case.check_options());
    diagnostics::check(&checked, &case);
    assert!(!refused(&checked), "read, yet refused by check: {checked}\n{prompt:?}");
    let tree = match engine().load_source("main.md", prompt.as_bytes(), &LoadOptions::default()) {
        Ok(tree) => tree,
        Err(told) => {
            diagnostics::check(&told, &case);
            assert!(!refused(&told), "read, yet refused: {told}\n{prompt:?}");
            return;
        }
    };
    for vars in [values(), Vars::new()] {
        match render(&tree, &vars, ()) {
            Ok(rendered) => diagnostics::check(rendered.warnings(), &case),
            Err(told) => {
                diagnostics::check(&told, &case);
                let over = told.iter().all(|one| one.code.as_str() == "limit-exceeded");
                assert!(over || !refused(&told), "loaded, yet refused: {told}\n{prompt:?}");
            }
        }
    }
}

fn values() -> Vars {
    let mut vars = vars! {
        a: "text\n# H", b: "", x: "a", y: "é", n: 3, i: i64::MIN, f: 1.5, g: -0.0, t: true, u: false, z: Value::Null,
        l: ["a", "b"], m: vars! { k: "v", n: 1, l: [1, 2] }, e: Vec::<Value>::new(), name: "Ada",
    };
    vars.insert(
        "o",
        Value::from([Value::from(1), Value::from("a"), Value::Null, Value::from([1.5])]),
    );
    vars
}
