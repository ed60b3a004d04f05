//! Registering and disposing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mdgraft::assemble::{
    AssembleError, AssembleOptions, Assembler, BuiltIn, PERSONA_ORDER, PERSONA_SECTION, Scope,
};

use crate::{message, prompt};

#[test]
fn the_built_in_sections_are_ordinary_registrations() -> Result<(), AssembleError> {
    let identity = "You are an AI agent powered by DeepSeek Harness.";
    let prompts = Assembler::<()>::new(AssembleOptions::default())?;
    assert_eq!(prompt(&prompts), identity);
    assert_eq!(
        message(prompts.section(PERSONA_SECTION, PERSONA_ORDER, "x")),
        "prompt section \"deployment:persona\" is already registered (for a per-agent override, \
         register through that agent's `agent.ctx` instead)"
    );
    let scope = Scope::new("preset");
    let preset = prompts.within(&scope);
    preset.section(PERSONA_SECTION, PERSONA_ORDER, "Be dry.")?.detach();
    assert_eq!(prompt(&preset), format!("{identity}\n\nBe dry."));
    prompts.clear()?;
    assert_eq!(prompt(&prompts), identity);

    let own = AssembleOptions {
        identity: Some(BuiltIn::new("who", 5, "I am it.")),
        runtime_context: false,
        ..AssembleOptions::bare()
    };
    let prompts = Assembler::<()>::new(own)?;
    prompts.context("clock", 0, "noon")?.detach();
    assert_eq!(prompt(&prompts), "I am it.");
    assert!(prompts.assemble(&())?.contexts.is_empty());
    Ok(())
}

#[test]
fn an_order_is_finite_and_checked_before_the_name() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let _kept = prompts.section("a", 0, "a")?;
    for order in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(
            message(prompts.section("a", order, "b")),
            "prompt section \"a\" order must be a finite number"
        );
        assert_eq!(
            message(prompts.context("a", order, "b")),
            "prompt context \"a\" order must be a finite number"
        );
    }
    assert!(prompts.context("a", f64::MAX, "b").is_ok());
    Ok(())
}

#[test]
fn a_name_stands_once_in_a_layer() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let scope = Scope::new("s");
    let scoped = prompts.within(&scope);
    let _kept = [
        prompts.section("x", 0, "")?,
        prompts.context("x", 0, "")?,
        prompts.variable("x", |()| "")?,
        scoped.section("x", 0, "")?,
        scoped.context("x", 0, "")?,
        scoped.variable("x", |()| "")?,
    ];
    let global = |kind: &str, what: &str| {
        format!(
            "prompt {kind} \"x\" is already registered (for a per-agent {what}, register through \
             that agent's `agent.ctx` instead)"
        )
    };
    let inner = |kind: &str| format!("prompt {kind} \"x\" is already registered in this scope");
    assert_eq!(message(prompts.section("x", 0, "")), global("section", "override"));
    assert_eq!(message(prompts.context("x", 0, "")), global("context", "override"));
    assert_eq!(message(prompts.variable("x", |()| "")), global("variable", "value"));
    assert_eq!(message(scoped.section("x", 0, "")), inner("section"));
    assert_eq!(message(scoped.context("x", 0, "")), inner("context"));
    assert_eq!(message(scoped.variable("x", |()| "")), inner("variable"));
    Ok(())
}

#[test]
fn a_variable_has_a_plain_name() {
    let prompts = Assembler::<()>::bare();
    for name in ["", "Model", "1a", "_a", "a-b", "a b", "é", "a\n"] {
        assert_eq!(
            message(prompts.variable(name, |()| "")),
            format!("invalid prompt variable name \"{name}\" (must match /^[a-z][a-z0-9_]*$/)")
        );
    }
    for name in ["a", "a1_", "not", "loop"] {
        assert!(prompts.variable(name, |()| "").is_ok(), "{name}");
    }
}

#[test]
fn disposing_is_idempotent_and_touches_nothing_newer() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let old = prompts.section("a", 0, "old")?;
    old.dispose()?;
    let new = prompts.section("a", 0, "new")?;
    old.dispose()?;
    drop(old);
    assert_eq!(prompt(&prompts), "new");
    drop(new);
    assert_eq!(prompt(&prompts), "");

    let kept = prompts.section("a", 0, "kept")?;
    drop(prompts);
    kept.dispose()
}

#[test]
fn suppressors_and_tool_providers_are_anonymous() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let _context = prompts.context("clock", 0, "noon")?;
    let first = prompts.suppress_runtime_context()?;
    let second = prompts.suppress_runtime_context()?;
    first.dispose()?;
    assert!(prompts.assemble(&())?.contexts.is_empty());
    second.dispose()?;
    assert_eq!(prompts.assemble(&())?.contexts.len(), 1);
    Ok(())
}

#[test]
fn each_change_is_told_once() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let scope = Scope::new("s");
    let count = Arc::new(AtomicUsize::new(0));
    let told = Arc::clone(&count);
    let listener = prompts.on_change(move || {
        told.fetch_add(1, Ordering::Relaxed);
    });
    let seen = || count.swap(0, Ordering::Relaxed);
    let section = prompts.section("a", 0, "a")?;
    assert_eq!(seen(), 1);
    assert!(prompts.section("a", 0, "a").is_err());
    assert_eq!(seen(), 0);
    section.dispose()?;
    section.dispose()?;
    drop(section);
    assert_eq!(seen(), 1);
    prompts.within(&scope).variable("v", |()| "")?.detach();
    assert_eq!(seen(), 1);
    drop(scope);
    assert_eq!(seen(), 1, "with its last handle a scope disposes what is registered in it");
    let _more = [prompts.suppress_runtime_context()?, prompts.tools(|()| Vec::new())?];
    assert_eq!(seen(), 2);
    prompts.clear()?;
    assert_eq!(seen(), 2);
    listener.dispose()?;
    let _last = prompts.section("a", 0, "a")?;
    assert_eq!(seen(), 0);
    Ok(())
}

#[test]
fn a_change_listener_that_fails_undoes_the_registration() -> Result<(), AssembleError> {
    for panics in [false, true] {
        let prompts = Assembler::<()>::bare();
        let count = Arc::new(AtomicUsize::new(0));
        let refuses = Arc::new(AtomicBool::new(true));
        let (told, fails) = (Arc::clone(&count), Arc::clone(&refuses));
        prompts
            .on_change(move || {
                told.fetch_add(1, Ordering::Relaxed);
                let fails = fails.load(Ordering::Relaxed);
                assert!(!(fails && panics), "not now");
                if fails { Err("not now") } else { Ok(()) }
            })
            .detach();
        let what = if panics { "panicked: not now" } else { "not now" };
        assert_eq!(
            message(prompts.section("a", 0, "a")),
            format!("a prompt listener failed: {what}")
        );
        assert_eq!(count.load(Ordering::Relaxed), 2, "once for each way");
        refuses.store(false, Ordering::Relaxed);
        assert_eq!(prompt(&prompts), "");
        let section = prompts.section("a", 0, "a")?;
        refuses.store(true, Ordering::Relaxed);
        assert!(section.dispose().is_err());
        assert_eq!(prompt(&prompts), "", "it is gone all the same");
    }
    Ok(())
}
