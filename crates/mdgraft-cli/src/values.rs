//! The values of variables: `-v` and `--vars`, over those of the configuration.

use std::fs;
use std::path::Path;

use mdgraft::{InputType, PromptTree, Value, Vars};

use crate::args::ValueArgs;
use crate::config::Config;
use crate::problem::{Problem, shown};

/// The variables of a render. A later file wins over an earlier one, and `-v` over all files.
pub(crate) fn vars(args: &ValueArgs, config: &Config, tree: &PromptTree) -> Result<Vars, Problem> {
    let mut pairs: Vec<(String, Value)> = Vec::new();
    let configured = config.vars.iter();
    pairs.extend(configured.map(|(name, value)| (name.to_owned(), value.clone())));
    for file in &args.vars {
        pairs.extend(from_file(file)?);
    }
    for given in &args.var {
        pairs.push(from_text(given, tree)?);
    }
    Ok(pairs.into_iter().collect())
}

fn from_file(file: &Path) -> Result<Vec<(String, Value)>, Problem> {
    let text = fs::read_to_string(file).map_err(|error| Problem::of(file, &error))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let extension = file.extension().and_then(|extension| extension.to_str());
    let value = match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("json") => Value::from_json(text),
        Some("toml") => Value::from_toml(text),
        Some("yaml" | "yml") => Value::from_yaml(text),
        _ => {
            let message = format!("`{}` is no file of values", shown(file));
            return Err(Problem::new(message).help("its name ends with .json, .yaml or .toml"));
        }
    };
    let problem = |message: String| Problem::new(format!("`{}`: {message}", shown(file)));
    match value.map_err(|error| problem(error.to_string()))? {
        Value::Map(map) => {
            Ok(map.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
        }
        // An empty YAML file.
        Value::Null => Ok(Vec::new()),
        other => Err(problem(format!("the values are a map, not a {}", other.type_name()))),
    }
}

/// Reads `NAME=TEXT` or `NAME:=JSON`.
fn from_text(given: &str, tree: &PromptTree) -> Result<(String, Value), Problem> {
    let Some((name, text)) = given.split_once('=') else {
        let problem = Problem::new(format!("`{given}` gives no value"));
        return Err(problem.help("write `-v name=text` or `-v name:=json`"));
    };
    let (name, json) = match name.strip_suffix(':') {
        Some(name) => (name, true),
        None => (name, false),
    };
    if name.is_empty() {
        return Err(Problem::new(format!("`{given}` gives a value to no name")));
    }
    let value = if json { Value::from_json(text).ok() } else { typed(text, kind(name, tree)) };
    let value = value.ok_or_else(|| {
        let kind = if json { "JSON" } else { kind(name, tree).as_str() };
        let problem = Problem::new(format!("`{text}` is no {kind}, as `{name}` wants it"));
        if json { problem.help(format!("write a text as `-v {name}=…`")) } else { problem }
    })?;
    Ok((name.to_owned(), value))
}

/// The declared type of an input; what is not declared is a text.
fn kind(name: &str, tree: &PromptTree) -> InputType {
    let declared = tree.inputs().find(|input| &*input.name == name);
    declared.map_or(InputType::String, |input| input.kind)
}

fn typed(text: &str, kind: InputType) -> Option<Value> {
    match kind {
        InputType::String | InputType::Any => Some(Value::Text(text.into())),
        InputType::Integer => text.parse().ok().map(Value::Integer),
        InputType::Number => {
            let float = || text.parse::<f64>().ok().filter(|number| number.is_finite());
            text.parse().map(Value::Integer).ok().or_else(|| float().map(Value::Float))
        }
        InputType::Boolean => text.parse().ok().map(Value::Boolean),
        InputType::List => {
            Value::from_json(text).ok().filter(|value| matches!(value, Value::List(_)))
        }
        InputType::Map => {
            Value::from_json(text).ok().filter(|value| matches!(value, Value::Map(_)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_value_of_the_declared_type() {
        assert_eq!(typed("3", InputType::String), Some(Value::Text("3".into())));
        assert_eq!(typed("3", InputType::Any), Some(Value::Text("3".into())));
        assert_eq!(typed("-3", InputType::Integer), Some(Value::Integer(-3)));
        assert_eq!(typed("3", InputType::Number), Some(Value::Integer(3)));
        assert_eq!(typed("1.5", InputType::Number), Some(Value::Float(1.5)));
        assert_eq!(typed("true", InputType::Boolean), Some(Value::Boolean(true)));
        assert!(matches!(typed("[1]", InputType::List), Some(Value::List(_))));
        for (text, kind) in [
            ("3.5", InputType::Integer),
            ("inf", InputType::Number),
            ("yes", InputType::Boolean),
            ("{}", InputType::List),
            ("[1]", InputType::Map),
        ] {
            assert_eq!(typed(text, kind), None, "{text}");
        }
    }
}
