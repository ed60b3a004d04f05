//! Origins, differences, prefixes, sizes, and their JSON.

use mdgraft::assemble::{
    AssembleError, Assembler, RuntimeContext, Scope, Tool, diff, stable_prefix,
};
use mdgraft::{Value, vars};

#[test]
fn origins_name_layer_place_and_what_is_shadowed() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let team = Scope::new("team");
    let agent = team.child("agent");
    let line = line!() + 2;
    let _kept = [
        prompts.section("a", 0, "a")?,
        prompts.within(&team).section("a", 0, "b")?,
        prompts.within(&agent).section("a", 0, "c")?,
        prompts.variable("v", |()| "x")?,
        prompts.within(&agent).variable("v", |()| "y")?,
        prompts.tools(|()| vec![Tool::new("t", "", Value::Null)])?,
        prompts.on_assemble(|mut assembly, (), next| {
            assembly.sections[0].set_text("edited");
            assembly.sections.push(mdgraft::assemble::Part::new("mine", ""));
            next.run(assembly)
        })?,
    ];
    let assembly = prompts.within(&agent).assemble(&())?;
    let place = |more: u32| format!("tests/assemble/forms.rs:{}", line + more);
    let shown: Vec<String> = assembly
        .origins()
        .iter()
        .map(|origin| {
            let registered = |one: &mdgraft::assemble::Registered| {
                let source = one.source.to_string();
                let source = source.rsplit_once(':').map_or("", |(place, _)| place).to_owned();
                format!("{} {source}", one.layer.as_deref().unwrap_or("global"))
            };
            let own = origin.registered.as_ref().map_or("added".to_owned(), registered);
            let shadowed: Vec<String> = origin.shadowed.iter().map(registered).collect();
            let edited = if origin.edited { " edited" } else { "" };
            format!("{} {}{edited}: {own} over {}", origin.kind, origin.name, shadowed.join(", "))
        })
        .collect();
    assert_eq!(
        shown,
        [
            format!(
                "section a edited: agent {} over team {}, global {}",
                place(2),
                place(1),
                place(0)
            ),
            "section mine: added over ".to_owned(),
            format!("tool t: global {} over ", place(5)),
            format!("variable v: agent {} over global {}", place(4), place(3)),
        ]
    );
    let json = assembly.origins_json();
    assert!(json.starts_with(r#"{"version":1,"origins":[{"kind":"section","name":"a","edited":true,"registered":{"layer":"agent","source":"tests/assemble/forms.rs:"#), "{json}");
    Ok(())
}

#[test]
fn a_difference_is_told_part_by_part() -> Result<(), AssembleError> {
    let names = |names: &str| -> Result<_, AssembleError> {
        let mut assembly = Assembler::<()>::bare().assemble(&())?;
        for name in names.split_whitespace() {
            let (name, text) = name.split_once('=').unwrap_or((name, ""));
            assembly.sections.push(mdgraft::assemble::Part::new(name, text));
        }
        Ok(assembly)
    };
    for (first, second, changes) in [
        ("", "", ""),
        ("a b c", "a b c", ""),
        ("a b c", "b c a", "moved a"),
        ("a b c", "c a b", "moved c"),
        ("a=1 b", "a=2 b", "changed a"),
        ("a b", "b=1 c", "removed a, changed b, added c"),
        ("a a b", "a b", "removed a"),
        ("a b", "b=1 a", "changed b, moved b"),
    ] {
        let diff = diff(&names(first)?, &names(second)?);
        let told = diff.to_string().replace(" section", "").trim_end().replace('\n', ", ");
        // Which of two that change places has moved is a matter of taste.
        let told =
            if told == "changed b, moved a" { "changed b, moved b".to_owned() } else { told };
        assert_eq!(told, changes, "{first} to {second}");
        assert_eq!(diff.is_empty(), changes.is_empty());
    }
    let mut first = names("a")?;
    let mut second = names("a")?;
    first.variables.insert("x", None);
    first.variables.insert("y", Some("1".to_owned()));
    second.variables.insert("y", Some("2".to_owned()));
    second.variables.insert("x", None);
    second.tools.push(Tool::new("t", "", Value::Null));
    assert_eq!(
        diff(&first, &second).to_json(),
        r#"{"version":1,"changes":[{"change":"added","kind":"tool","name":"t"},{"change":"changed","kind":"variable","name":"y"}]}"#
    );
    Ok(())
}

#[test]
fn what_spoils_a_prefix_is_named() -> Result<(), AssembleError> {
    let assembly = |texts: &[(&str, &str)], value: &str| -> Result<_, AssembleError> {
        let mut assembly = Assembler::<()>::bare().assemble(&())?;
        assembly.variables.insert("v", Some(value.to_owned()));
        let parts = texts.iter().map(|(name, text)| mdgraft::assemble::Part::new(*name, *text));
        assembly.sections = parts.collect();
        Ok(assembly)
    };
    let spoiler = |one: &[(&str, &str)], two: &[(&str, &str)]| -> Result<_, AssembleError> {
        let prefix = stable_prefix(&assembly(one, "1é")?, &assembly(two, "1è")?)?;
        let spoiler = prefix.spoiler.map(|it| (it.section, it.variable, it.stable_behind));
        Ok((prefix.bytes, spoiler))
    };
    let (a, v, z) = (("a", "same"), ("v", "x{{v}}"), ("z", "end"));
    let variable = Some(("v".to_owned(), Some("v".to_owned()), 3));
    assert_eq!(spoiler(&[a, z], &[a, z])?, (9, None));
    assert_eq!(spoiler(&[a, v, z], &[a, v, z])?, (8, variable), "no half of a character");
    assert_eq!(spoiler(&[a, z, v], &[a, z, v])?, (13, None), "nothing stable stands behind");
    let section = |name: &str| Some((name.to_owned(), None, 3));
    assert_eq!(spoiler(&[a, z], &[("a", "some"), z])?, (1, section("a")));
    assert_eq!(spoiler(&[a, z], &[("new", "some"), a, z])?.1.map(|it| it.2), Some(7));
    assert_eq!(spoiler(&[a, z], &[a])?, (4, None), "all of the second is the beginning");
    let prefix = stable_prefix(&assembly(&[v, z], "1")?, &assembly(&[v, z], "2")?)?;
    assert_eq!(
        prefix.to_json(),
        r#"{"version":1,"bytes":1,"total":7,"tools_changed":false,"spoiler":{"section":"v","variable":"v","stable_behind":3}}"#
    );
    Ok(())
}

#[test]
fn an_assembly_has_a_json_form_and_sizes() -> Result<(), Box<dyn std::error::Error>> {
    let prompts = Assembler::<()>::bare();
    let schema = || Value::from(vars! { kind: "object", most: 1.0 });
    let _kept = [
        prompts.section("a", 0, "{{v}}\u{1b}")?,
        prompts.context("c", 0, "now")?,
        prompts.variable("v", |()| "é")?,
        prompts.variable("w", |()| None)?,
        prompts.tools(move |()| vec![Tool::new("t", "T.", schema())])?,
    ];
    let assembly = prompts.assemble(&())?;
    assert_eq!(
        assembly.to_json(),
        concat!(
            r#"{"version":1,"sections":[{"name":"a","text":"{{v}}\u001b","verbatim":false}],"#,
            r#""contexts":[{"name":"c","text":"now","verbatim":false}],"#,
            r#""tools":[{"name":"t","description":"T.","parameters":{"kind":"object","most":1.0}}],"#,
            r#""variables":[{"name":"v","value":"é"},{"name":"w","value":null}]}"#
        )
    );
    assert_eq!(
        assembly.sizes_json()?,
        concat!(
            r#"{"version":1,"sizes":[{"kind":"section","name":"a","bytes":3,"characters":2},"#,
            r#"{"kind":"context","name":"c","bytes":3,"characters":3},"#,
            r#"{"kind":"tool","name":"t","bytes":73,"characters":73},"#,
            r#"{"kind":"variable","name":"v","bytes":2,"characters":1},"#,
            r#"{"kind":"variable","name":"w","bytes":0,"characters":0}]}"#
        )
    );
    let message = RuntimeContext::new("me").next(&assembly)?.ok_or("nothing is new")?;
    assert_eq!(
        message.to_json(),
        concat!(
            r#"{"version":1,"role":"user","source":"me","content":"Current runtime context. This "#,
            r#"snapshot supersedes earlier runtime-context snapshots.\n\nnow","#,
            r#""parts":[{"name":"c","text":"now"}]}"#
        )
    );
    Ok(())
}
