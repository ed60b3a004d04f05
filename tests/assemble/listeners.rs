//! Listeners that change assemblies last.

use std::sync::{Arc, Mutex};

use mdgraft::assemble::{
    AssembleError, Assembler, Assembly, BoxError, ListenOptions, Next, Part, Scope,
};

use crate::{message, prompt};

type Heard = Arc<Mutex<Vec<&'static str>>>;

fn hears(
    heard: &Heard,
    name: &'static str,
) -> impl Fn(Assembly, &(), Next<'_, ()>) -> Result<Assembly, BoxError> + Send + Sync + 'static {
    let heard = Arc::clone(heard);
    move |assembly, (), next| {
        heard.lock().expect("no listener panics").push(name);
        next.run(assembly)
    }
}

fn taken(heard: &Heard) -> Vec<&'static str> {
    std::mem::take(&mut *heard.lock().expect("no listener panics"))
}

#[test]
fn they_run_in_order_and_each_calls_the_next() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let _kept = [
        prompts.section("a", 0, "a")?,
        prompts.on_assemble(|mut assembly, (), next| {
            assembly.sections[0].text_mut().push('1');
            let mut assembly = next.run(assembly)?;
            assembly.sections[0].text_mut().push('4');
            Ok::<_, BoxError>(assembly)
        })?,
        prompts.on_assemble(|mut assembly, (), next| {
            assembly.sections[0].text_mut().push('2');
            next.run(assembly)
        })?,
        prompts.on_assemble_with(
            ListenOptions { prepend: true, ..ListenOptions::default() },
            |assembly, (), next| {
                let mut assembly = next.run(assembly)?;
                assembly.sections[0].text_mut().push('5');
                assembly.variables.insert("added", Some("x".to_owned()));
                assembly.sections.push(Part::new("z", "{{added}}"));
                Ok::<_, BoxError>(assembly)
            },
        )?,
        prompts.on_assemble(|mut assembly, (), _| {
            assembly.sections[0].text_mut().push('3');
            assembly
        })?,
        prompts.on_assemble(|_, (), _| -> Assembly { panic!("the one before calls nobody") })?,
    ];
    assert_eq!(prompt(&prompts), "a12345\n\nx");
    Ok(())
}

#[test]
fn a_complete_section_and_a_suppressor_have_the_last_word() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let _kept = [
        prompts.section("a", 0, "a")?,
        prompts.complete_section("all", 1, "{{added}}")?,
        prompts.suppress_runtime_context()?,
        prompts.on_assemble(|mut assembly, (), _| {
            assembly.sections = vec![Part::new("mine", "mine")];
            assembly.contexts = vec![Part::new("mine", "mine")];
            assembly.variables.insert("added", Some("x".to_owned()));
            assembly
        })?,
    ];
    let assembly = prompts.assemble(&())?;
    assert_eq!(assembly.render_prompt()?, "x");
    assert_eq!(assembly.sections.len(), 1);
    assert!(assembly.contexts.is_empty());
    Ok(())
}

#[test]
fn they_hear_their_scope_and_what_is_below() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let team = Scope::new("team");
    let (agent, sibling) = (team.child("agent"), team.child("sibling"));
    let heard = Heard::default();
    let everywhere = ListenOptions { global: true, ..ListenOptions::default() };
    let _kept = [
        prompts.on_assemble(hears(&heard, "untagged"))?,
        prompts.within(&team).on_assemble(hears(&heard, "team"))?,
        prompts.within(&agent).on_assemble(hears(&heard, "agent"))?,
        prompts.within(&sibling).on_assemble_with(everywhere, hears(&heard, "global"))?,
    ];
    prompts.assemble(&())?;
    assert_eq!(taken(&heard), ["untagged", "global"]);
    prompts.within(&team).assemble(&())?;
    assert_eq!(taken(&heard), ["untagged", "team", "global"]);
    prompts.within(&agent).assemble(&())?;
    assert_eq!(taken(&heard), ["untagged", "team", "agent", "global"]);
    prompts.within(&sibling).assemble(&())?;
    assert_eq!(taken(&heard), ["untagged", "team", "global"]);
    let name = |scope: Option<&Scope>| scope.is_some_and(|scope| scope.name() == "agent");
    prompts.within(&agent).with_filter(name).assemble(&())?;
    assert_eq!(taken(&heard), ["agent", "global"]);
    Ok(())
}

#[test]
fn a_listener_goes_with_its_scope() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let heard = Heard::default();
    let held = Arc::strong_count(&heard);
    let scope = Scope::new("s");
    prompts.within(&scope).on_assemble(hears(&heard, "s"))?.detach();
    drop(scope);
    assert_eq!(Arc::strong_count(&heard), held);
    Ok(())
}

#[test]
fn one_that_fails_is_an_error() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let fails = prompts.on_assemble(|_, (), _| Err::<Assembly, _>("no"))?;
    assert_eq!(message(prompts.assemble(&())), "a prompt listener failed: no");
    drop(fails);
    let _panics = prompts.on_assemble(|_, (), _| -> Assembly { panic!("no") })?;
    assert_eq!(message(prompts.assemble(&())), "a prompt listener failed: panicked: no");
    Ok(())
}

#[test]
fn there_are_not_too_many() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let mut kept = Vec::new();
    for _ in 0..256 {
        kept.push(prompts.on_assemble(|assembly, (), next| next.run(assembly))?);
    }
    assert_eq!(
        message(prompts.on_assemble(|assembly, (), _| assembly)),
        "more than 256 assembly listeners are registered"
    );
    assert_eq!(prompt(&prompts), "");
    Ok(())
}

#[test]
fn the_guard_checks_what_listeners_made() -> Result<(), AssembleError> {
    type Change = fn(&mut Assembly);
    let cases: [(Change, &str); 7] = [
        (|_| {}, "fine"),
        (|it| it.sections.push(Part::new("", "x")), "assembled section names must be non-empty"),
        (|it| it.sections.push(Part::new("a", "x")), "assembled section name \"a\" is duplicated"),
        (|it| it.contexts.push(Part::new("", "x")), "assembled context names must be non-empty"),
        (
            |it| it.contexts.extend([Part::new("c", ""), Part::new("c", "")]),
            "assembled context name \"c\" is duplicated",
        ),
        (
            |it| it.tools.push(mdgraft::assemble::Tool::new("", "", mdgraft::Value::Null)),
            "assembled tool names must be non-empty",
        ),
        (|it| it.variables.insert("Bad", None), "assembled variable name \"Bad\" is invalid"),
    ];
    for (change, expected) in cases {
        let prompts = Assembler::<()>::bare();
        let _kept = [
            prompts.section("a", 0, "a")?,
            prompts.on_assemble(move |mut assembly, (), next| {
                change(&mut assembly);
                next.run(assembly)
            })?,
        ];
        assert!(prompts.assemble(&()).is_ok(), "nobody checks");
        let _guard = prompts.guard()?;
        assert_eq!(message(prompts.assemble(&())), expected);
    }
    Ok(())
}
