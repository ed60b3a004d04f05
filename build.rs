//! Gives the library a name for its own sources, by which a pack that another build of the same
//! version has made is told apart.
#![expect(clippy::disallowed_methods, reason = "a build script reads the sources")]

use std::fs;
use std::path::{Path, PathBuf};

/// What documents depend on.
const PLACES: [&str; 10] = [
    "src/text.rs",
    "src/text",
    "src/diag/codes.rs",
    "src/value.rs",
    "src/value",
    "src/functions",
    "src/parse.rs",
    "src/parse",
    "src/pack.rs",
    "src/pack",
];

fn main() {
    let mut files = Vec::new();
    for place in PLACES {
        println!("cargo::rerun-if-changed={place}");
        collect(Path::new(place), &mut files);
    }
    files.sort();
    // FNV-1a, twice, from two beginnings: enough to tell builds apart, without a dependency.
    let mut sums = [0xcbf2_9ce4_8422_2325_u64, 0x9e37_79b9_7f4a_7c15];
    for file in files {
        let bytes = fs::read(&file).unwrap_or_default();
        // Line ends may differ from one checkout to another.
        for byte in bytes.into_iter().filter(|byte| *byte != b'\r') {
            for sum in &mut sums {
                *sum = (*sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    println!("cargo::rustc-env=MDGRAFT_SOURCES={:016x}{:016x}", sums[0], sums[1]);
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_file() {
        files.push(place.to_owned());
    }
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        collect(&entry.path(), files);
    }
}
