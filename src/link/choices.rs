//! Paths with references to enum inputs: which values may stand there (language §5).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::discover::Node;
use super::graph::{FileId, Site};
use crate::parse::front_matter::Input;
use crate::parse::include::IncludePath;
use crate::parse::names::Symbol;
use crate::value::Value;

/// A declaration: a file and the place in its list of inputs.
type Declaration = (FileId, usize);

/// The names that are declared for each file, with the declarations that can be meant.
pub(super) struct Scopes(Vec<BTreeMap<Arc<str>, BTreeSet<Declaration>>>);

/// The names of a path's references and the values that each may have.
pub(super) type Choices = Vec<(Arc<str>, Vec<Value>)>;

/// For each file what it declares, what its bases declare, and what the files that include it
/// declare; nearer ones hide farther ones, and a child hides its base. A file that is included
/// from several places sees what any of them declares.
pub(super) fn scopes(nodes: &[Node]) -> Scopes {
    let own: Vec<_> = nodes.iter().map(|node| declared(nodes, node)).collect();
    let mut scopes: Vec<BTreeMap<Arc<str>, BTreeSet<Declaration>>> =
        vec![BTreeMap::new(); nodes.len()];
    let Some(first) = own.first() else { return Scopes(scopes) };
    scopes[0] = first.iter().map(|(name, &at)| (Arc::clone(name), BTreeSet::from([at]))).collect();
    let mut queue = VecDeque::from([FileId(0)]);
    let mut queued = vec![false; nodes.len()];
    let mut seen = vec![false; nodes.len()];
    while let Some(file) = queue.pop_front() {
        queued[file.index()] = false;
        let scope = scopes[file.index()].clone();
        for edge in nodes[file.index()].edges(file) {
            let to = edge.to.index();
            let is_base = edge.site == Site::Base;
            let mut grown = !std::mem::replace(&mut seen[to], true);
            let mut add = |name: &Arc<str>, declaration: Declaration| {
                grown |= scopes[to].entry(Arc::clone(name)).or_default().insert(declaration);
            };
            for (name, declarations) in &scope {
                if is_base || !own[to].contains_key(name) {
                    for &declaration in declarations {
                        add(name, declaration);
                    }
                }
            }
            if !is_base {
                for (name, &declaration) in &own[to] {
                    add(name, declaration);
                }
            }
            if grown && !std::mem::replace(&mut queued[to], true) {
                queue.push_back(edge.to);
            }
        }
    }
    Scopes(scopes)
}

/// What a file declares itself or by its bases, the nearest declaration of each name.
fn declared(nodes: &[Node], node: &Node) -> BTreeMap<Arc<str>, Declaration> {
    let mut names = BTreeMap::new();
    let mut met = BTreeSet::new();
    let mut at = Some(node.id);
    while let Some(file) = at.filter(|&file| met.insert(file)) {
        let node = &nodes[file.index()];
        for (index, input) in node.document.front.inputs.iter().enumerate() {
            names.entry(Arc::clone(&input.name)).or_insert((file, index));
        }
        at = node.base();
    }
    names
}

/// The values that the references of a path may have, or what is wrong with one of them.
pub(super) fn choices(
    nodes: &[Node],
    scopes: &Scopes,
    holder: FileId,
    path: &IncludePath,
) -> Result<Choices, String> {
    let mut choices: Choices = Vec::new();
    for (span, symbol) in &path.references {
        let document = &nodes[holder.index()].document;
        let Some(symbol) = symbol else {
            let written = document.source.text().get(span.range()).unwrap_or_default();
            return Err(format!("`{written}` in a path is more than the plain name of an input"));
        };
        let name = document.names.name(*symbol);
        if choices.iter().any(|(known, _)| known == name) {
            continue;
        }
        let declarations = scopes.0[holder.index()].get(name).ok_or_else(|| {
            format!("`{name}` in a path is not declared here, in a base, or where this is included")
        })?;
        let mut values: Vec<Value> = Vec::new();
        for &(file, index) in declarations {
            let input = &nodes[file.index()].document.front.inputs[index];
            for value in listed(input)? {
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
        }
        choices.push((Arc::clone(name), values));
    }
    Ok(choices)
}

fn listed(input: &Input) -> Result<&[Value], String> {
    let Some(values) = &input.choices else {
        return Err(format!(
            "`{}` in a path has no `enum`, so its values are not known",
            input.name
        ));
    };
    match values.iter().find(|value| printed(value).is_none()) {
        Some(value) => {
            let kind = value.type_name();
            Err(format!("`{}` in a path has an `enum` with a {kind}, which is no text", input.name))
        }
        None => Ok(values),
    }
}

/// A value as it stands in a path.
pub(super) fn printed(value: &Value) -> Option<String> {
    match value {
        Value::Boolean(value) => Some(value.to_string()),
        Value::Integer(value) => Some(value.to_string()),
        Value::Float(value) => Some(format!("{value:?}")),
        Value::Text(value) => Some(value.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

/// Every way to choose one value for each name, in the order of the values; the last name changes
/// fastest.
pub(super) fn combinations(choices: &Choices) -> impl Iterator<Item = Vec<Value>> {
    let none = choices.iter().any(|(_, values)| values.is_empty());
    let mut next = (!none).then(|| vec![0; choices.len()]);
    std::iter::from_fn(move || {
        let row = next.take()?;
        next = following(row.clone(), choices);
        let values = row.iter().zip(choices).map(|(&at, (_, values))| values[at].clone());
        Some(values.collect())
    })
}

fn following(mut row: Vec<usize>, choices: &Choices) -> Option<Vec<usize>> {
    for index in (0..row.len()).rev() {
        row[index] += 1;
        if row[index] < choices[index].1.len() {
            return Some(row);
        }
        row[index] = 0;
    }
    None
}

/// The path with texts in the place of its references.
pub(super) fn fill(path: &IncludePath, text_of: impl Fn(Option<Symbol>) -> String) -> String {
    let mut filled = String::new();
    let mut done = 0;
    for &(span, symbol) in &path.references {
        let from = span.start.saturating_sub(path.span.start) as usize;
        filled.push_str(path.text.get(done..from).unwrap_or_default());
        filled.push_str(&text_of(symbol));
        done = span.end.saturating_sub(path.span.start) as usize;
    }
    filled.push_str(path.text.get(done..).unwrap_or_default());
    filled
}
