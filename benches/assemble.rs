//! What assembling costs beside a bare loop: `cargo bench --bench assemble`.
//!
//! 1,000 sections and 1,000 variables, each from a closure, are assembled and rendered. The loop
//! calls the same closures, fills the same map and pushes the texts, and does nothing else. The
//! figure is how many times as long the assembly takes; it is to stay below 2.
#![expect(clippy::print_stdout, reason = "the figure is printed")]
#![allow(clippy::disallowed_methods, reason = "a figure is measured with a clock")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use mdgraft::assemble::{AssembleError, Assembler, Text, Variables};

const PARTS: u32 = 1_000;
const ROUNDS: usize = 200;

fn section(at: u32) -> String {
    let text = "Answer with what the documents say, and say so when they do not say it";
    format!("Rule {at}: {text}.")
}

fn variable(at: u32) -> String {
    format!("value {at}")
}

fn main() -> Result<(), AssembleError> {
    let prompts = Assembler::<()>::bare();
    let mut kept = Vec::new();
    for at in 0..PARTS {
        // Registered in no order, so that they have to be sorted.
        let order = f64::from(at.wrapping_mul(7919) % PARTS);
        let text = Text::from_fn(move |()| section(at));
        kept.push(prompts.section(format!("section-{at}"), order, text)?);
        kept.push(prompts.variable(format!("v{at}"), move |()| variable(at))?);
    }
    let names: Vec<String> = (0..PARTS).map(|at| format!("v{at}")).collect();
    let sections: Vec<Box<dyn Fn() -> String>> =
        (0..PARTS).map(|at| Box::new(move || section(at)) as Box<dyn Fn() -> String>).collect();
    let variables: Vec<Box<dyn Fn() -> String>> =
        (0..PARTS).map(|at| Box::new(move || variable(at)) as Box<dyn Fn() -> String>).collect();

    let bare = || {
        let mut map = Variables::default();
        for (name, variable) in names.iter().zip(&variables) {
            map.insert(name.as_str(), Some(variable()));
        }
        let mut prompt = String::new();
        for section in &sections {
            if !prompt.is_empty() {
                prompt.push_str("\n\n");
            }
            prompt.push_str(&section());
        }
        black_box((map, prompt));
    };
    let assembled = || {
        let rendered = prompts.assemble(&()).and_then(|assembly| assembly.render_prompt());
        black_box(rendered.is_ok());
    };
    let (bare, assembled) = best(bare, assembled);
    let ratio = assembled.as_secs_f64() / bare.as_secs_f64();
    println!("assemble and render {PARTS} sections and {PARTS} variables: {assembled:.1?}");
    println!("the bare loop: {bare:.1?}");
    println!("ratio: {ratio:.2} (to stay below 2)");
    Ok(())
}

/// The best time of each, measured in turns, so that a busy machine hits both.
fn best(mut one: impl FnMut(), mut other: impl FnMut()) -> (Duration, Duration) {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        best.0 = best.0.min(timed(&mut one));
        best.1 = best.1.min(timed(&mut other));
    }
    best
}

fn timed(run: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}
