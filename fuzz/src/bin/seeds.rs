//! `seeds`: writes what the fuzzer begins with into `corpus/TARGET/`: the pages of `fixtures/` and
//! `../shared/cases`, their files, and the prompts of `../shared/corpus` where it is there.

use std::fs;
use std::path::{Path, PathBuf};

// Brings the counters that instrumented code refers to.
use libfuzzer_sys as _;
use mdgraft_fuzz::cases::Case;

fn main() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("..");
    let mut seeds = Seeds { folder: here.join("corpus"), written: 0 };
    for folder in ["fixtures", "../shared/cases"] {
        for path in files(&root.join(folder)) {
            let Ok(page) = fs::read_to_string(&path) else { continue };
            seeds.write("pages", page.as_bytes());
            for case in cases(&page) {
                seeds.case(&case);
            }
        }
    }
    for path in files(&root.join("../shared/corpus")) {
        let Ok(bytes) = fs::read(&path) else { continue };
        if bytes.len() <= 4096 {
            seeds.write("parse", &bytes);
        }
    }
    println!("{} seeds", seeds.written);
}

struct Seeds {
    folder: PathBuf,
    written: usize,
}

impl Seeds {
    fn case(&mut self, case: &Case) {
        let text = case.to_bytes();
        self.write(if case.mentions("extends:") { "merge" } else { "render" }, &text);
        for (_, bytes) in &case.files {
            self.write("parse", bytes);
            let text = String::from_utf8_lossy(bytes);
            for (open, close) in [("{{", "}}"), ("if:", "-->"), (" in ", "-->")] {
                for part in text.split(open).skip(1) {
                    if let Some((expression, _)) = part.split_once(close) {
                        self.write("expressions", expression.trim().as_bytes());
                    }
                }
            }
        }
    }

    fn write(&mut self, target: &str, bytes: &[u8]) {
        let folder = self.folder.join(target);
        let name = format!("seed-{:016x}", hash(bytes));
        fs::create_dir_all(&folder).expect("the folder can be made");
        fs::write(folder.join(name), bytes).expect("the seed can be written");
        self.written += 1;
    }
}

/// FNV-1a: names need no more.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The Markdown files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "md" || extension == "txt")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The files that the tests of a page give, test by test; what a group gives stays. Roughly:
/// a page that is read in another way than the harness would is a seed all the same.
fn cases(page: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = Case::default();
    let mut name = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('#') && !case.files.is_empty() {
            cases.push(std::mem::take(&mut case));
        }
        if let Some(path) = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:")) {
            name = Some(path.to_owned());
            continue;
        }
        let marks = line.len() - line.trim_start_matches(['`', '~']).len();
        if marks < 3 {
            continue;
        }
        let (fence, info) = line.split_at(marks);
        let block: Vec<&str> = lines.by_ref().take_while(|line| line.trim_end() != fence).collect();
        let text = block.join("\n") + "\n";
        let role = info.split_whitespace().nth(1);
        match role {
            Some("vars") if info.starts_with("json") || info.starts_with("toml") => {
                let value = match info.starts_with("json") {
                    true => mdgraft::Value::from_json(&text),
                    false => mdgraft::Value::from_toml(&text),
                };
                if let Some(vars) = value.ok().and_then(|value| mdgraft::Vars::try_from(value).ok())
                {
                    case.vars = vars;
                }
            }
            Some("config") => {}
            None | Some("no-eol") => {
                let path = name.take().unwrap_or_else(|| "main.md".to_owned());
                let at = if path == "main.md" { 0 } else { case.files.len() };
                case.files.insert(at, (path, text.into_bytes()));
            }
            _ => {}
        }
        name = None;
    }
    cases.push(case);
    cases
}
