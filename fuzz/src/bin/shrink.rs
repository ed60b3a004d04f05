//! `shrink TARGET FILE`: prints the case of an artifact, and a smaller one that fails alike.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

// Brings the counters that instrumented code refers to.
use libfuzzer_sys as _;
use mdgraft_fuzz::cases::Case;
use mdgraft_fuzz::generate::Shape;
use mdgraft_fuzz::{expressions, merge, pages, parse, render};

static LAST: Mutex<String> = Mutex::new(String::new());

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, path] = &arguments[..] else { panic!("shrink TARGET FILE") };
    let check: fn(&[u8]) = match target.as_str() {
        "parse" => parse::check,
        "render" => render::check,
        "expressions" => expressions::check,
        "merge" => merge::check,
        "pages" => pages::check,
        _ => panic!("no target `{target}`"),
    };
    let data = std::fs::read(path).expect("the artifact can be read");
    let mut data = match target.as_str() {
        "render" => Case::of(&data, Shape::Includes).to_bytes(),
        "merge" => Case::of(&data, Shape::Extends).to_bytes(),
        _ => data,
    };
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        *LAST.lock().expect("one thread") = format!("{place}\n{info}");
    }));
    let Some(first) = failure(check, &data) else {
        println!("does not fail:\n{}", String::from_utf8_lossy(&data));
        return;
    };
    let place = first.lines().next().map(ToOwned::to_owned);
    let fails = |data: &[u8]| {
        failure(check, data).is_some_and(|now| now.lines().next() == place.as_deref())
    };
    let mut size = data.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        let mut cut = false;
        while at < data.len() {
            let end = (at + size).min(data.len());
            let smaller = [&data[..at], &data[end..]].concat();
            if fails(&smaller) {
                data = smaller;
                cut = true;
            } else {
                at += size;
            }
        }
        if !(cut && size == 1) {
            size /= 2;
        }
    }
    println!("{}", failure(check, &data).unwrap_or_default());
    println!("--- smallest:\n{}", String::from_utf8_lossy(&data));
    println!("--- as bytes: {:?}", String::from_utf8_lossy(&data));
}

/// What a check panics with, its place on the first line.
fn failure(check: fn(&[u8]), data: &[u8]) -> Option<String> {
    let ended = catch_unwind(AssertUnwindSafe(|| check(data)));
    ended.is_err().then(|| LAST.lock().expect("one thread").clone())
}
