//! The runtime context over a conversation.

use mdgraft::assemble::{AssembleError, Assembler, Assembly, LogMessage, Part, RuntimeContext};

const NONE: &str =
    "Current runtime context: none. Earlier runtime-context snapshots no longer apply.";
const HEADING: &str =
    "Current runtime context. This snapshot supersedes earlier runtime-context snapshots.";

fn assembly(texts: &[&str]) -> Result<Assembly, AssembleError> {
    let mut assembly = Assembler::<()>::bare().assemble(&())?;
    let parts = texts.iter().zip(0..).map(|(text, at)| Part::new(format!("c{at}"), *text));
    assembly.contexts = parts.collect();
    Ok(assembly)
}

#[test]
fn a_message_is_due_when_the_context_changes() -> Result<(), AssembleError> {
    let mut context = RuntimeContext::new("s");
    let mut next = |texts: &[&str]| -> Result<Option<String>, AssembleError> {
        Ok(context.next(&assembly(texts)?)?.map(|message| message.text))
    };
    assert_eq!(next(&[])?, None);
    assert_eq!(next(&[""])?, None, "empty parts are no context");
    let text = format!("{HEADING}\n\na\n\nb");
    assert_eq!(next(&["a", "", "b"])?, Some(text.clone()));
    assert_eq!(next(&["a", "b"])?, None);
    assert_eq!(next(&["b"])?, Some(format!("{HEADING}\n\nb")));
    assert_eq!(next(&[])?.as_deref(), Some(NONE));
    assert_eq!(next(&[])?, None, "said once");
    assert_eq!(next(&["a", "b"])?, Some(text));
    Ok(())
}

#[test]
fn after_a_compaction_it_is_said_again() -> Result<(), AssembleError> {
    let mut context = RuntimeContext::new("s");
    context.compacted();
    assert_eq!(context.next(&assembly(&[])?)?, None, "nothing was ever said");
    let said = context.next(&assembly(&["a"])?)?;
    context.compacted();
    assert_eq!(context.retained(), None);
    assert_eq!(context.next(&assembly(&["a"])?)?, said);
    assert!(context.next(&assembly(&[])?)?.is_some());
    context.compacted();
    let none = context.next(&assembly(&[])?)?.expect("the marker too");
    assert_eq!((none.text.as_str(), none.parts), (NONE, None));
    Ok(())
}

#[test]
fn a_log_gives_the_state_back() -> Result<(), AssembleError> {
    let message =
        |source: &'static str, text, visible| LogMessage { source: Some(source), text, visible };
    let plain = LogMessage { source: None, text: "hello", visible: true };
    let log = [
        message("s", "one", true),
        message("other", "two", true),
        plain,
        message("s", "three", true),
        message("s", "four", false),
        plain,
    ];
    assert_eq!(RuntimeContext::from_log("s", &log).retained(), Some("three"));
    assert_eq!(RuntimeContext::from_log("x", &log), RuntimeContext::new("x"));
    let mut lost = RuntimeContext::from_log("s", &log[4..]);
    assert_eq!(lost.retained(), None);
    assert!(lost.next(&assembly(&[])?)?.is_some(), "something was said once");

    let mut live = RuntimeContext::new("s");
    let said = live.next(&assembly(&["a"])?)?.expect("the first");
    let log = [LogMessage { source: Some(&said.source), text: &said.text, visible: true }];
    assert_eq!(RuntimeContext::from_log("s", &log), live);
    Ok(())
}

#[test]
fn a_context_that_does_not_render_changes_nothing() -> Result<(), AssembleError> {
    let mut context = RuntimeContext::new("s");
    context.next(&assembly(&["a"])?)?;
    let before = context.clone();
    let error = context.next(&assembly(&["{{x}}"])?).expect_err("no such variable");
    assert!(error.to_string().contains("in context \"c0\""), "{error}");
    assert_eq!(context, before);
    Ok(())
}
