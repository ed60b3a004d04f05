//! Scopes: chains, what they see, and what they own.

use mdgraft::assemble::{AssembleError, Assembler, Scope, ScopeError};

use crate::prompt;

#[test]
fn a_scope_has_one_parent_and_no_cycle() -> Result<(), ScopeError> {
    let [a, b, c] = ["a", "b", "c"].map(Scope::new);
    assert_eq!(a.bind(&a).err(), Some(ScopeError::Cycle));
    let binding = a.bind(&b)?;
    assert_eq!(
        a.bind(&c).map_err(|error| error.to_string()).err().as_deref(),
        Some(
            "dsh-scope: scope key is already bound to a parent; re-linking requires the binding \
             returned by the original bind"
        )
    );
    b.bind(&c)?;
    assert_eq!(
        c.bind(&a).map_err(|error| error.to_string()).err().as_deref(),
        Some("dsh-scope: scope parent link would form a cycle")
    );
    assert_eq!(a.chain(), [a.clone(), b.clone(), c.clone()]);
    assert_eq!(binding.rebind(&a), Err(ScopeError::Cycle));
    binding.rebind(&c)?;
    assert_eq!(a.chain(), [a.clone(), c.clone()]);
    assert!(b.child("d").bind(&a).is_err());
    Ok(())
}

#[test]
fn a_chain_may_be_long() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let mut scope = Scope::new("0");
    prompts.within(&scope).section("top", 0, "seen")?.detach();
    for depth in 1..100_000 {
        scope = scope.child(depth.to_string());
    }
    assert_eq!(prompt(&prompts.within(&scope)), "seen");
    drop(scope);
    Ok(())
}

#[test]
fn views_inherit_downward() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let team = Scope::new("team");
    let (agent, sibling) = (team.child("agent"), team.child("sibling"));
    prompts.section("a", 0, "global")?.detach();
    prompts.within(&team).section("a", 0, "team")?.detach();
    prompts.within(&agent).section("b", 1, "agent")?.detach();
    assert_eq!(prompt(&prompts), "global");
    assert_eq!(prompt(&prompts.within(&team)), "team");
    assert_eq!(prompt(&prompts.within(&agent)), "team\n\nagent");
    assert_eq!(prompt(&prompts.within(&sibling)), "team");
    assert_eq!(prompt(&prompts.within(&Scope::new("team"))), "global", "a name is no identity");
    Ok(())
}

#[test]
fn a_shadowing_section_brings_its_own_order_and_keeps_the_place_among_ties()
-> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let scope = Scope::new("s");
    let scoped = prompts.within(&scope);
    for name in ["a", "b", "c"] {
        prompts.section(name, 0, name)?.detach();
    }
    let tie = scoped.section("a", 0, "A")?;
    assert_eq!(prompt(&scoped), "A\n\nb\n\nc");
    drop(tie);
    scoped.section("a", 1, "A")?.detach();
    assert_eq!(prompt(&scoped), "b\n\nc\n\nA");
    Ok(())
}

#[test]
fn a_scoped_variable_without_value_hides_the_global_one() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let scope = Scope::new("s");
    prompts.section("a", 0, "{{v}}")?.detach();
    prompts.variable("v", |()| "global")?.detach();
    prompts.within(&scope).variable("v", |()| None)?.detach();
    assert_eq!(prompt(&prompts), "global");
    assert_eq!(
        prompt(&prompts.within(&scope)),
        "error: prompt variable \"{{v}}\" has no value for this assembly (section \"a\")"
    );
    Ok(())
}

#[test]
fn what_is_detached_goes_with_its_scope() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let scope = Scope::new("s");
    let dropped = std::sync::Arc::new(());
    let held = std::sync::Arc::clone(&dropped);
    let scoped = prompts.within(&scope);
    scoped
        .variable("v", move |()| {
            let _ = &held;
            "x"
        })?
        .detach();
    drop(scoped);
    assert_eq!(std::sync::Arc::strong_count(&dropped), 2);
    drop(scope);
    assert_eq!(std::sync::Arc::strong_count(&dropped), 1);
    Ok(())
}
