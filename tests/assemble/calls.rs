//! Which providers are called, what they see, and what becomes of their failures.

use std::sync::{Arc, Mutex};

use mdgraft::assemble::{AssembleError, Assembler, Scope, Text};
use mdgraft::{Engine, MemoryLoader};

use crate::{message, prompt};

type Calls = Arc<Mutex<Vec<&'static str>>>;

fn noted(calls: &Calls, name: &'static str) -> Text<()> {
    let calls = Arc::clone(calls);
    Text::from_fn(move |()| {
        calls.lock().expect("no call panics").push(name);
        name
    })
}

#[test]
fn every_effective_provider_is_called_once_in_order() -> Result<(), AssembleError> {
    let calls = Calls::default();
    let prompts = Assembler::<()>::bare();
    let scope = Scope::new("s");
    let scoped = prompts.within(&scope);
    let variable = |name| {
        let calls = Arc::clone(&calls);
        move |(): &()| {
            calls.lock().expect("no call panics").push(name);
            name
        }
    };
    let tools = Arc::clone(&calls);
    let _kept = [
        prompts.context("c", 0, noted(&calls, "context"))?,
        prompts.section("late", 2, noted(&calls, "late"))?,
        prompts.section("shadowed", 1, noted(&calls, "never"))?,
        prompts.tools(move |()| {
            tools.lock().expect("no call panics").push("tools");
            Vec::new()
        })?,
        scoped.section("shadowed", 1, noted(&calls, "early"))?,
        prompts.variable("v", variable("global value"))?,
        scoped.variable("v", variable("scoped value"))?,
    ];
    scoped.assemble(&())?;
    let made = std::mem::take(&mut *calls.lock().expect("no call panics"));
    // A shadowed variable is called, a shadowed section is not.
    assert_eq!(made, ["global value", "scoped value", "tools", "early", "late", "context"]);

    let _suppressed = scoped.suppress_runtime_context()?;
    scoped.assemble(&())?;
    assert!(!calls.lock().expect("no call panics").contains(&"context"));
    Ok(())
}

#[test]
fn several_complete_sections_are_an_error_before_any_text_is_made() -> Result<(), AssembleError> {
    let calls = Calls::default();
    let prompts = Assembler::<()>::bare();
    let _kept = [
        prompts.complete_section("sec\"ond", 2, noted(&calls, "second"))?,
        prompts.complete_section("first", 1, noted(&calls, "first"))?,
        prompts.section("plain", 0, noted(&calls, "plain"))?,
    ];
    assert_eq!(
        message(prompts.assemble(&())),
        "multiple complete prompt sections are active: \"first\", \"sec\\\"ond\""
    );
    assert!(calls.lock().expect("no call panics").is_empty());
    Ok(())
}

#[test]
fn a_complete_section_is_the_prompt_and_leaves_contexts_alone() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let scope = Scope::new("s");
    let scoped = prompts.within(&scope);
    let _kept = [
        prompts.section("broken", 0, "{{unknown}}")?,
        prompts.context("clock", 0, "noon")?,
        scoped.complete_section("all", 5, "Only this.")?,
    ];
    assert_eq!(prompt(&scoped), "Only this.");
    assert_eq!(scoped.assemble(&())?.render_contexts()?.len(), 1);
    // One that is shadowed by a plain section is not complete.
    let inner = scope.child("inner");
    let _plain = prompts.within(&inner).section("all", 5, "With others.")?;
    let sections = prompts.within(&inner).assemble(&())?.sections;
    assert_eq!(sections.len(), 2);
    Ok(())
}

#[test]
fn a_provider_that_fails_or_panics_is_named() -> Result<(), AssembleError> {
    let fails = |kind: &str, prompts: &Assembler| {
        assert_eq!(message(prompts.assemble(&())), format!("{kind} failed: out of tea"));
    };
    let panics = |kind: &str, prompts: &Assembler| {
        assert_eq!(message(prompts.assemble(&())), format!("{kind} failed: panicked: tea 7"));
    };
    let failing = || Text::from_fn(|()| Err::<String, _>("out of tea"));
    let panicking = || Text::from_fn(|()| -> String { panic!("tea {}", 7) });
    let prompts = Assembler::<()>::bare();
    let registered = prompts.section("a", 0, failing())?;
    fails("prompt section \"a\"", &prompts);
    drop(registered);
    let registered = prompts.context("a", 0, panicking())?;
    panics("prompt context \"a\"", &prompts);
    drop(registered);
    let registered = prompts.variable("a", |()| Err::<Option<String>, _>("out of tea"))?;
    fails("prompt variable \"a\"", &prompts);
    drop(registered);
    let registered = prompts.tools(|()| -> Vec<_> { panic!("tea {}", 7) })?;
    panics("tool provider", &prompts);
    drop(registered);
    assert_eq!(prompt(&prompts), "");
    Ok(())
}

#[test]
fn what_is_registered_while_assembling_is_seen_by_the_next() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let handle = prompts.clone();
    let _kept = [
        prompts.variable("first", move |()| {
            // Registered once; the second time the name is taken.
            if let Ok(registration) = handle.variable("second", |()| "2") {
                registration.detach();
            }
            "1"
        })?,
        prompts.section("a", 0, "{{first}}{{second}}")?,
    ];
    assert!(prompt(&prompts).starts_with("error: unknown prompt variable \"{{second}}\""));
    assert_eq!(prompt(&prompts), "12");
    Ok(())
}

#[test]
fn a_provider_may_assemble_but_not_without_end() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let scope = Scope::new("inner");
    let (inner, itself) = (prompts.within(&scope), prompts.clone());
    let _kept = prompts.section("outer", 0, "outer")?;
    let nested = prompts.variable("nested", move |()| {
        let inner = inner.clone();
        let _shadow = inner.variable("nested", |()| "");
        Some(if inner.scope().is_some() { "fine".to_owned() } else { String::new() })
    })?;
    assert_eq!(prompt(&prompts), "outer");
    drop(nested);

    let other = Assembler::<()>::bare();
    let _part = other.section("part", 0, "a part")?;
    let section = prompts.section(
        "nested",
        1,
        Text::from_fn(move |()| other.assemble(&())?.render_prompt()),
    )?;
    assert_eq!(prompt(&prompts), "outer\n\na part");
    drop(section);

    let endless = prompts.section(
        "nested",
        1,
        Text::from_fn(move |()| itself.assemble(&())?.render_prompt()),
    )?;
    let message = prompt(&prompts);
    assert!(message.contains("assemblies nest more than 8 deep"), "{message}");
    drop(endless);
    assert_eq!(prompt(&prompts), "outer");
    Ok(())
}

#[test]
fn a_provider_gets_what_the_caller_hands_over() -> Result<(), AssembleError> {
    struct Turn {
        count: u32,
    }
    let prompts = Assembler::<Turn>::bare();
    let _kept = [
        prompts.section("a", 0, Text::from_fn(|turn: &Turn| format!("turn {}", turn.count)))?,
        prompts.variable("n", |turn| turn.count.to_string())?,
    ];
    let assembly = prompts.assemble(&Turn { count: 7 })?;
    assert_eq!(assembly.render_prompt()?, "turn 7");
    assert_eq!(assembly.variables.get("n"), Some(Some("7")));
    Ok(())
}

#[test]
fn a_prompt_of_the_engine_is_a_section() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(MemoryLoader::from([
        ("main.md", "# Rules\n\nBe {{tone}}. Write \\{{x}}.\n\n# Examples\n\nNone.\n"),
        ("closed.md", "---\nvars:\n  tone: string\n---\n{{tone}}\n"),
        ("broken.md", "One.\n\n{{ton}}\n"),
    ]));
    let prompts = Assembler::<()>::bare();
    let _kept = [
        prompts.variable("tone", |()| "kind")?,
        prompts.variable("unused", |()| "x")?,
        prompts.section("rules", 0, Text::prompt(engine.load("main.md")?, ["Rules"]))?,
        prompts.section("closed", 1, engine.load("closed.md")?)?,
    ];
    let assembly = prompts.assemble(&())?;
    assert!(assembly.warnings().is_empty(), "{}", assembly.warnings());
    // What comes out of the engine is not read again.
    assert_eq!(assembly.render_prompt()?, "# Rules\n\nBe kind. Write {{x}}.\n\nkind");

    let _broken = prompts.section("broken", 2, engine.load("broken.md")?)?;
    let error = prompts.assemble(&()).expect_err("a name has no value");
    let AssembleError::Prompt { name, diagnostics, .. } = &error else { panic!("{error}") };
    assert_eq!(name, "broken");
    let place = diagnostics.iter().next().map(|one| one.place.position().to_string());
    assert_eq!(place.as_deref(), Some("3:3"));
    assert!(
        error
            .to_string()
            .starts_with("prompt section \"broken\" does not render:\nbroken.md:3:3: ")
    );
    Ok(())
}

#[test]
fn an_assembly_is_detached() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let _kept = [prompts.section("a", 0, "a")?, prompts.variable("v", |()| "v")?];
    let mut first = prompts.assemble(&())?;
    first.sections[0].text_mut().push_str(" more");
    first.sections[0].rename("b");
    first.variables.insert("v", None);
    let second = prompts.assemble(&())?;
    assert_eq!(second.sections[0].name(), "a");
    assert_eq!(second.render_prompt()?, "a");
    assert_eq!(second.variables.get("v"), Some(Some("v")));
    Ok(())
}

#[test]
fn empty_sections_are_left_out_and_blank_ones_stay() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let _kept = [
        prompts.section("a", 0, "")?,
        prompts.section("b", 1, "b")?,
        prompts.section("c", 2, "{{nothing}}")?,
        prompts.section("d", 3, " ")?,
        prompts.variable("nothing", |()| "")?,
        prompts.section("e", 4, Text::from("{{x}}").verbatim())?,
    ];
    assert_eq!(prompt(&prompts), "b\n\n \n\n{{x}}");
    Ok(())
}
