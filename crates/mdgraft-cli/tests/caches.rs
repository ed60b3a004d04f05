//! Packs and watching where processes are killed, disks are full, and files change under them.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const PROGRAM: &str = env!("CARGO_BIN_EXE_mdgraft");

fn run(folder: &Path, arguments: &[&str]) -> std::io::Result<Output> {
    Command::new(PROGRAM).args(arguments).current_dir(folder).stdin(Stdio::null()).output()
}

fn prompts(count: usize) -> std::io::Result<TempDir> {
    let dir = TempDir::new()?;
    for number in 0..count {
        let text = format!("# Title {number}\n\n{}\n", "Some text of a prompt. ".repeat(40));
        fs::write(dir.path().join(format!("{number}.md")), text)?;
    }
    Ok(dir)
}

#[test]
fn a_process_that_is_killed_leaves_the_old_pack_or_the_new_one() -> Outcome {
    let dir = prompts(60)?;
    let verified = || -> std::io::Result<bool> {
        Ok(run(dir.path(), &["warm", "--verify"])?.status.success())
    };
    let mut finished = 0;
    for round in 0..24 {
        // Another text each time, so that there is something to write.
        fs::write(dir.path().join("0.md"), format!("Round {round}.\n"))?;
        let mut child = Command::new(PROGRAM)
            .arg("warm")
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        thread::sleep(Duration::from_millis(round * 4));
        child.kill()?;
        finished += usize::from(child.wait()?.success());
        let pack = dir.path().join(".mdgraft/prompts.pack");
        if pack.exists() {
            assert!(mdgraft::Engine::verify_pack(&pack).is_ok(), "{round}");
        }
        let shown = run(dir.path(), &["render", "0.md"])?;
        assert_eq!(String::from_utf8_lossy(&shown.stdout), format!("Round {round}.\n"));
        assert!(shown.stderr.is_empty(), "{}", String::from_utf8_lossy(&shown.stderr));
    }
    assert!(finished < 24, "none was killed in time");
    // What the killed ones left behind is used again.
    assert!(run(dir.path(), &["warm"])?.status.success());
    assert!(verified()?);
    let left = fs::read_dir(dir.path().join(".mdgraft"))?.count();
    assert!(left <= 6, "{left}");
    Ok(())
}

#[test]
fn a_full_disk_leaves_the_old_pack() -> Outcome {
    let dir = prompts(60)?;
    assert!(run(dir.path(), &["warm"])?.status.success());
    let before = fs::read(dir.path().join(".mdgraft/prompts.pack"))?;
    fs::write(dir.path().join("0.md"), "Changed.\n")?;
    // A limit of the size of files stands for a disk that is full.
    let script = format!("trap '' XFSZ; ulimit -f 8; exec {PROGRAM} warm");
    let full = Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output()?;
    assert_eq!(full.status.code(), Some(2), "{}", String::from_utf8_lossy(&full.stderr));
    assert!(String::from_utf8_lossy(&full.stderr).contains("the pack cannot be used"));
    assert_eq!(fs::read(dir.path().join(".mdgraft/prompts.pack"))?, before);
    let shown = run(dir.path(), &["render", "0.md"])?;
    assert_eq!(String::from_utf8_lossy(&shown.stdout), "Changed.\n");
    let left = fs::read_dir(dir.path().join(".mdgraft"))?.count();
    assert_eq!(left, 4, "the pack, its facts and the two files that say what it is");
    Ok(())
}

#[test]
fn two_processes_warm_one_folder_at_once() -> Outcome {
    let dir = prompts(40)?;
    for _ in 0..5 {
        let children: Vec<Child> = (0..3)
            .map(|_| {
                Command::new(PROGRAM)
                    .arg("warm")
                    .current_dir(dir.path())
                    .stdout(Stdio::null())
                    .spawn()
            })
            .collect::<std::io::Result<_>>()?;
        for mut child in children {
            assert!(child.wait()?.success());
        }
        assert!(run(dir.path(), &["warm", "--verify"])?.status.success());
    }
    Ok(())
}

/// The lines that a process prints, as they come.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Waits until a line holds a text.
fn expect(lines: &Receiver<String>, part: &str) {
    let mut seen = Vec::new();
    loop {
        match lines.recv_timeout(Duration::from_secs(30)) {
            Ok(line) if line.contains(part) => return,
            Ok(line) => seen.push(line),
            Err(error) => panic!("no `{part}` in {seen:?}: {error}"),
        }
    }
}

#[test]
fn a_watched_prompt_is_shown_again_and_errors_do_not_end_it() -> Outcome {
    let dir = TempDir::new()?;
    let at = |name: &str| dir.path().join(name);
    fs::write(at("main.md"), "First.\n\n<<> part.md | optional>>\n")?;
    let mut child = Command::new(PROGRAM)
        .args(["watch", "main.md"])
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let out = lines(child.stdout.take().ok_or("no output")?);
    let told = lines(child.stderr.take().ok_or("no notices")?);
    expect(&out, "First.");
    fs::write(at("part.md"), "It has come.\n")?;
    expect(&told, "changed: part.md");
    expect(&out, "It has come.");
    fs::write(at("main.md"), "<<> nothing.md>>\n")?;
    expect(&told, "include-not-found");
    fs::write(at("new"), "Saved by another name.\n")?;
    fs::rename(at("new"), at("main.md"))?;
    expect(&out, "Saved by another name.");
    assert!(child.try_wait()?.is_none());
    child.kill()?;
    child.wait()?;
    Ok(())
}
