//! What holds for every prompt, tried on random ones and on the texts of all fixtures.
//!
//! `PROPERTIES=100000 cargo test --release --test properties` tries more of them, and
//! `PROPERTIES_SEED=7` others. A prompt that breaks a property is made small and printed as the
//! blocks of a page.
#![expect(clippy::print_stdout, reason = "the numbers are the point")]
#![allow(clippy::disallowed_methods, reason = "the test reads its settings and the fixtures")]
#![allow(clippy::pedantic, clippy::format_push_string, reason = "a harness of many small checks")]

mod checks;
mod documents;
mod expected;
#[path = "../oracle/mod.rs"]
mod oracle;
mod prompt;
mod random;
mod shrink;

use std::collections::BTreeMap;
use std::env;

use checks::{Broken, Reached};
use prompt::Prompt;
use random::Random;

#[test]
fn random_prompts_keep_the_promises() {
    let number =
        |name: &str, usual| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (count, seed) = (number("PROPERTIES", 400_u64), number("PROPERTIES_SEED", 1));
    let mut rendered = 0;
    let mut failures: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for at in 0..count {
        let mut random = Random::new(seed.wrapping_mul(1 << 32).wrapping_add(at));
        let mut prompt = documents::prompt(&mut random);
        let paths = checks::paths(&prompt);
        documents::filter(&mut random, &mut prompt, &paths);
        match checks::check(&prompt) {
            Ok(Reached::Rendered) => rendered += 1,
            Ok(Reached::Refused) => {}
            Err(Broken { property, .. }) => {
                let found = failures.entry(property).or_default();
                if found.len() < 12 {
                    found.push(report(&prompt, property));
                }
            }
        }
    }
    println!("{count} random prompts, {rendered} of them rendered");
    let reports: Vec<String> = failures.into_values().flatten().collect();
    assert!(reports.is_empty(), "\n{}", reports.join("\n"));
}

/// A prompt that breaks a property, as small as it gets.
fn report(prompt: &Prompt, property: &str) -> String {
    let fails =
        |prompt: &Prompt| checks::check(prompt).is_err_and(|broken| broken.property == property);
    let small = shrink::shrink(prompt, &fails);
    let seen = checks::check(&small).err().map(|broken| broken.seen).unwrap_or_default();
    format!("## {property}\n\n{seen}\n\n{small}")
}
