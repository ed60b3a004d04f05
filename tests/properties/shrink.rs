//! Makes a failing prompt small, so that a person sees what is wrong with it.

use crate::prompt::{Given, Prompt};

/// The smallest prompt found that still fails.
pub(crate) fn shrink(prompt: &Prompt, fails: &dyn Fn(&Prompt) -> bool) -> Prompt {
    let mut smallest = prompt.clone();
    while let Some(smaller) = steps(&smallest).into_iter().find(|smaller| fails(smaller)) {
        smallest = smaller;
    }
    smallest
}

/// Prompts that are a step smaller, the boldest steps first.
fn steps(prompt: &Prompt) -> Vec<Prompt> {
    let mut steps = Vec::new();
    for index in (1..prompt.files.len()).rev() {
        let mut smaller = prompt.clone();
        smaller.files.remove(index);
        steps.push(smaller);
    }
    for index in 0..prompt.include.len() {
        let mut smaller = prompt.clone();
        smaller.include.remove(index);
        steps.push(smaller);
    }
    if prompt.ancestors {
        steps.push(Prompt { ancestors: false, ..prompt.clone() });
    }
    if prompt.strip_comments {
        steps.push(Prompt { strip_comments: false, ..prompt.clone() });
    }
    for (index, (_, text)) in prompt.files.iter().enumerate() {
        for text in shorter(text) {
            let mut smaller = prompt.clone();
            smaller.files[index].1 = text;
            steps.push(smaller);
        }
    }
    for (index, (name, given)) in prompt.values.iter().enumerate() {
        let mut smaller = prompt.clone();
        if !prompt.holds(&[name]) {
            smaller.values.remove(index);
            steps.push(smaller);
            continue;
        }
        let givens: Vec<Given> = match given {
            Given::Flag(_) => Vec::new(),
            Given::Text(text) => shorter(text).into_iter().map(Given::Text).collect(),
            Given::List(list) => (0..list.len())
                .map(|at| {
                    let kept = list.iter().enumerate().filter(|&(other, _)| other != at);
                    Given::List(kept.map(|(_, item)| item.clone()).collect())
                })
                .collect(),
        };
        for given in givens {
            let mut smaller = prompt.clone();
            smaller.values[index].1 = given;
            steps.push(smaller);
        }
    }
    steps
}

/// Texts without some of the lines, or without some of the characters of a line.
fn shorter(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut found = Vec::new();
    let mut length = lines.len();
    while length > 0 {
        for first in 0..=lines.len() - length {
            let kept = lines[..first].iter().chain(&lines[first + length..]);
            found.push(kept.copied().collect());
        }
        length = if length > 4 { length / 2 } else { length - 1 };
    }
    // Pairs of lines, such as the two markers of a block.
    if lines.len() <= 40 {
        for first in 0..lines.len() {
            for second in first + 2..lines.len() {
                let kept = lines.iter().enumerate().filter(|&(at, _)| at != first && at != second);
                found.push(kept.map(|(_, line)| *line).collect());
            }
        }
    }
    for (at, sign) in text.char_indices() {
        let end = at + sign.len_utf8();
        found.push(format!("{}{}", &text[..at], &text[end..]));
        if !"abx \n".contains(sign) && sign.is_alphanumeric() {
            found.push(format!("{}x{}", &text[..at], &text[end..]));
        }
    }
    found
}
