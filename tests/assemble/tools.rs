//! Tools: which are known, and how they are ordered.

use mdgraft::Value;
use mdgraft::assemble::{AssembleError, AssembleOptions, Assembler, Tool, Tools};

use crate::message;

fn with_order(order: &[&str]) -> Result<Assembler, AssembleError> {
    let tool_order = Some(order.iter().map(|&name| name.to_owned()).collect());
    Assembler::new(AssembleOptions { tool_order, ..AssembleOptions::bare() })
}

fn tools(names: &'static [&str]) -> impl Fn(&()) -> Vec<Tool> + Send + Sync {
    move |()| {
        let numbered = names.iter().zip(0..);
        numbered.map(|(name, number)| Tool::new(*name, number.to_string(), Value::Null)).collect()
    }
}

fn names(prompts: &Assembler) -> Result<Vec<String>, AssembleError> {
    Ok(prompts.assemble(&())?.tools.into_iter().map(|tool| tool.name).collect())
}

#[test]
fn an_order_is_checked_when_it_is_given() {
    assert_eq!(message(with_order(&["a", "b", "a"])), "toolOrder lists \"a\" more than once");
    assert_eq!(
        message(with_order(&["<unlisted-tools>", "<unlisted-tools>"])),
        "toolOrder lists \"<unlisted-tools>\" more than once"
    );
    let no_rest = "toolOrder must contain the \"<unlisted-tools>\" rest entry (where unlisted \
                   tools are inserted)";
    assert_eq!(message(with_order(&["a"])), no_rest);
    assert_eq!(message(with_order(&[])), no_rest);
}

#[test]
fn without_an_order_they_stand_by_name() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let _kept = [
        prompts.tools(tools(&["b", "a", "\u{ff61}", "\u{1f3af}"]))?,
        prompts.tools(tools(&["x", "a"]))?,
    ];
    // By code units of UTF-16, in which what lies above the basic plane comes before U+FF61.
    assert_eq!(names(&prompts)?, ["a", "a", "b", "x", "\u{1f3af}", "\u{ff61}"]);
    let assembly = prompts.assemble(&())?;
    assert_eq!((&*assembly.tools[0].description, &*assembly.tools[1].description), ("1", "1"));
    Ok(())
}

#[test]
fn an_order_puts_the_rest_at_its_entry() -> Result<(), AssembleError> {
    let prompts = with_order(&["z", "<unlisted-tools>", "a", "hidden"])?;
    let _kept = [
        prompts.tools(tools(&["c", "a", "b"]))?,
        prompts.tools(|()| Tools {
            schemas: vec![Tool::new("z", "", Value::Null), Tool::new("a", "2", Value::Null)],
            known: Some(vec!["z".to_owned(), "hidden".to_owned()]),
        })?,
    ];
    assert_eq!(names(&prompts)?, ["z", "b", "c", "a", "a"]);
    Ok(())
}

#[test]
fn an_order_names_known_tools_only() -> Result<(), AssembleError> {
    let prompts = with_order(&["q", "<unlisted-tools>"])?;
    assert_eq!(
        message(prompts.assemble(&())),
        "toolOrder lists unregistered tool \"q\"; known tools: (none)"
    );
    let prompts = with_order(&["q", "b", "<unlisted-tools>", "p"])?;
    let _kept = prompts.tools(tools(&["b", "a"]))?;
    assert_eq!(
        message(prompts.assemble(&())),
        "toolOrder lists unregistered tools \"q\", \"p\"; known tools: a, b"
    );
    Ok(())
}

#[test]
fn no_tool_is_called_as_the_rest_entry() -> Result<(), AssembleError> {
    let reserved = "tool provider returned reserved tool name \"<unlisted-tools>\" (reserved for \
                    toolOrder's rest entry)";
    for prompts in [Assembler::bare(), with_order(&["q", "<unlisted-tools>"])?] {
        let _kept = prompts.tools(tools(&["<unlisted-tools>"]))?;
        assert_eq!(message(prompts.assemble(&())), reserved);
    }
    Ok(())
}

#[test]
fn endless_parameters_are_refused() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let _kept = prompts.tools(|()| {
        let nested = (0..200).fold(Value::Null, |inner, _| Value::from(vec![inner]));
        vec![Tool::new("deep", "", nested)]
    })?;
    let message = message(prompts.assemble(&()));
    assert!(message.starts_with("tool provider failed: the parameters of `deep`: "), "{message}");
    Ok(())
}
