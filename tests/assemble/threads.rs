//! Many threads on one registry.

use std::thread;

use mdgraft::assemble::{AssembleError, Assembler, Scope, Text};

fn shared<T: Send + Sync>(_: &T) {}

#[test]
fn eight_threads_register_dispose_and_assemble() -> Result<(), AssembleError> {
    const ROUNDS: usize = 300;
    let prompts = Assembler::<usize>::bare();
    let scope = Scope::new("shared");
    shared(&prompts);
    shared(&scope);
    let _kept = [
        prompts.section("first", -1, "{{base}}")?,
        prompts.variable("base", |_| "base")?,
        prompts.on_change(|| ()),
        prompts.on_assemble(|assembly, _, next| next.run(assembly))?,
        prompts.guard()?,
    ];
    let work = |number: usize| -> Result<(), AssembleError> {
        let own = scope.child(format!("own {number}"));
        let (scoped, inner) = (prompts.within(&scope), prompts.within(&own));
        for round in 0..ROUNDS {
            let (name, order) =
                (format!("n{number}"), f64::from(u32::try_from(number).unwrap_or(0)));
            // The variable lives longer than the section that names it, for every assembly.
            let variable = scoped.variable(name.as_str(), move |_| round.to_string())?;
            let text = Text::from_fn(move |turn: &usize| format!("{{{{n{number}}}}} of {turn}"));
            let section = scoped.section(name.as_str(), order, text)?;
            inner.section(name.as_str(), order, "mine")?.detach();
            let prompt = inner.assemble(&number)?.render_prompt()?;
            assert!(prompt.starts_with("base"), "{prompt}");
            assert_eq!(prompt.matches("mine").count(), 1, "{prompt}");
            if round % 2 == 0 {
                section.dispose()?;
            }
            drop(section);
            variable.dispose()?;
            inner.clear()?;
            let seen = prompts.assemble(&number)?.render_prompt()?;
            assert_eq!(seen, "base", "nothing of a scope is global");
        }
        Ok(())
    };
    let work = &work;
    thread::scope(|threads| {
        let running: Vec<_> = (0..8).map(|number| threads.spawn(move || work(number))).collect();
        for thread in running {
            thread.join().expect("no thread panics")?;
        }
        Ok::<_, AssembleError>(())
    })?;
    assert_eq!(prompts.within(&scope).assemble(&0)?.sections.len(), 1);
    Ok(())
}

#[test]
fn threads_close_no_cycle_of_scopes() {
    for _ in 0..200 {
        let scopes: Vec<Scope> = (0..4).map(|at| Scope::new(at.to_string())).collect();
        thread::scope(|threads| {
            for at in 0..4 {
                let (one, other) = (scopes[at].clone(), scopes[(at + 1) % 4].clone());
                threads.spawn(move || one.bind(&other).is_ok());
            }
        });
        // Each walk ends, and exactly one of the four links was refused.
        let longest = scopes.iter().map(|scope| scope.chain().len()).max();
        assert_eq!(longest, Some(4));
    }
}
