//! A long random walk: after every change, engines that have seen all that came before give what a
//! fresh one gives.

#![expect(clippy::disallowed_methods, reason = "the walk changes the files that are read")]
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use mdgraft::{DirLoader, Engine, Freshness, Limits, LoadError, Vars, render};
use tempfile::TempDir;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const STEPS: usize = 10_000;

const PATHS: [&str; 9] =
    ["main.md", "a.md", "b.md", "p.md", "p.markdown", "r/x.md", "r/y.md", "link.md", "folder"];

/// Lines of files, several of one length. What they lead to may be there or not, may be a circle
/// or a link to nothing.
const LINES: [&str; 16] = [
    "text one",
    "text two",
    "text six",
    "# Title A",
    "# Title B",
    "## Below",
    "<!-- if: true -->\nyes\n<!-- endif -->",
    "<<> a.md>>",
    "<<> b.md>>",
    "<<> p>>",
    "<<> p | optional>>",
    "<<> r/*.md | optional>>",
    "<<> link.md>>",
    "<<> link.md | raw>>",
    "<<> folder/x.md | optional>>",
    "<<> folder/*.md | optional>>",
];

const STARTS: [&str; 3] =
    ["---\nextends: b.md\n---", "---\nvars:\n  x: string\n---", "---\nname: n\n---"];

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }

    fn text(&mut self) -> String {
        let mut lines = Vec::new();
        if self.roll(6) == 0 {
            lines.push(self.pick(&STARTS));
        }
        for _ in 0..=self.roll(3) {
            lines.push(self.pick(&LINES));
        }
        lines.join("\n\n") + "\n"
    }
}

struct Walk<'w> {
    root: &'w Path,
    dice: Dice,
    /// Texts that were there, to come back.
    before: Vec<String>,
}

impl Walk<'_> {
    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Changes something, and says which paths that concerns: where a link stands, what it leads
    /// to is written.
    fn step(&mut self) -> std::io::Result<Vec<String>> {
        let path = self.dice.pick(&PATHS);
        let mut told = vec![path.to_owned()];
        let real = fs::canonicalize(self.at(path)).ok();
        let real = real.as_deref().and_then(|real| real.strip_prefix(self.root).ok());
        told.extend(real.map(|real| real.to_string_lossy().into_owned()));
        told.extend(self.change(path)?.map(str::to_owned));
        Ok(told)
    }

    /// Changes something at a path; gives another path that this concerns.
    fn change(&mut self, path: &str) -> std::io::Result<Option<&'static str>> {
        let place = self.at(path);
        match self.dice.roll(12) {
            0 => self.remove(path)?,
            1 => {
                let to = self.dice.pick(&PATHS);
                if to != path && fs::symlink_metadata(&place).is_ok() {
                    self.remove(to)?;
                    fs::rename(&place, self.at(to))?;
                }
                return Ok(Some(to));
            }
            2 => {
                let to = self.dice.pick(&["a.md", "b.md", "r/x.md", "r", "link.md", "nothing.md"]);
                self.remove(path)?;
                let up = "../".repeat(path.matches('/').count());
                symlink(format!("{up}{to}"), &place)?;
            }
            3 if !self.before.is_empty() => {
                let text = self.before[self.dice.roll(self.before.len())].clone();
                self.write(path, &text)?;
            }
            4 => {
                // The clock jumps, and the content does not change.
                self.touch(&place)?;
            }
            5 => {
                // The content changes, and size and time stay.
                if let Ok(text) = fs::read_to_string(&place) {
                    let modified = fs::metadata(&place)?.modified()?;
                    let text = text.replace("one", "ten").replace("two", "one");
                    fs::write(&place, text)?;
                    File::options().append(true).open(&place)?.set_modified(modified)?;
                }
            }
            6 => {
                // As editors save: another file takes the name.
                if place.is_file() {
                    let text = self.dice.text();
                    fs::write(self.at("new"), text)?;
                    fs::rename(self.at("new"), &place)?;
                }
            }
            _ => {
                let text = self.dice.text();
                self.write(path, &text)?;
            }
        }
        Ok(None)
    }

    fn write(&mut self, path: &str, text: &str) -> std::io::Result<()> {
        let place = self.at(path);
        if let Ok(before) = fs::read_to_string(&place) {
            if self.before.len() < 50 {
                self.before.push(before);
            } else {
                let at = self.dice.roll(50);
                self.before[at] = before;
            }
        } else {
            self.remove(path)?;
        }
        fs::write(place, text)
    }

    fn remove(&self, path: &str) -> std::io::Result<()> {
        let place = self.at(path);
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(place),
            Ok(_) => fs::remove_file(place),
            Err(_) => Ok(()),
        }
    }

    fn touch(&mut self, place: &Path) -> std::io::Result<()> {
        let Ok(file) = File::options().append(true).open(place) else { return Ok(()) };
        let hours = Duration::from_secs(3600 * self.dice.roll(10) as u64);
        let now = SystemTime::now();
        file.set_modified(if self.dice.roll(2) == 0 { now - hours } else { now + hours })
    }
}

fn report(engine: &Engine) -> String {
    match engine.load("main.md") {
        Err(diagnostics) => diagnostics.to_string(),
        Ok(tree) => match render(&tree, &Vars::new(), ()) {
            Err(diagnostics) => diagnostics.to_string(),
            Ok(prompt) => format!("{}{}", prompt.text(), prompt.warnings()),
        },
    }
}

#[test]
fn warm_equals_cold_after_every_step() -> Outcome {
    let folder = TempDir::new()?;
    let root = folder.path().canonicalize()?;
    fs::create_dir(root.join("r"))?;
    fs::write(root.join("main.md"), "<<> a.md | optional>>\n")?;
    let open = || -> Result<Engine, LoadError> { Ok(Engine::new(DirLoader::open(&root)?)) };
    // They share what depends on content alone, and know of the files each for itself.
    let base = open()?;
    let kinds = [Freshness::Content, Freshness::Facts, Freshness::Events, Freshness::Trust];
    let warm = kinds.map(|kind| base.clone().with_limits(Limits::default()).with_freshness(kind));
    let (mut rendered, mut hits) = (0, 0);
    let mut walk = Walk { root: &root, dice: Dice(0x9e37_79b9_7f4a_7c15), before: Vec::new() };
    for step in 0..STEPS {
        let mut told = walk.step()?;
        if !walk.at("r").is_dir() {
            fs::create_dir(walk.at("r"))?;
            told.push("r".to_owned());
        }
        for path in told {
            for engine in &warm {
                engine.changed(&path);
            }
        }
        let expected = report(&open()?);
        rendered += usize::from(!expected.contains("error[") && !expected.is_empty());
        for (kind, engine) in warm.iter().enumerate() {
            assert_eq!(report(engine), expected, "step {step}, engine {kind}");
        }
        if step % 7 == 0 {
            let before = warm[1].stats().parses;
            assert_eq!(report(&warm[1]), expected, "step {step} again");
            hits += usize::from(warm[1].stats().parses == before);
        }
    }
    assert!(rendered > STEPS / 10, "only {rendered} steps had an output");
    assert_eq!(hits, STEPS.div_ceil(7));
    let stats = warm[1].stats();
    assert!(stats.parses < 2 * STEPS as u64, "{stats:?}");
    Ok(())
}
