//! Repositories: folders of this machine, and git.
#![allow(clippy::disallowed_methods, reason = "the test makes repositories and looks at files")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{Project, snapshot};

fn files(project: &Project, name: &str) -> Vec<String> {
    snapshot(&project.folder().join("repos").join(name)).into_keys().collect()
}

fn lay_out(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}

#[test]
fn a_local_repository_is_copied_where_it_differs() {
    let project = Project::new(
        "[[repositories]]\nname = \"models\"\npath = \"../models\"\n\
         include = [\"*.sql\", \"docs/**\"]\nexclude = [\"docs/drafts/**\"]\n",
    );
    let models = project.root().join("models");
    lay_out(
        &models,
        &[
            ("a.sql", "select 1\n"),
            ("deep/b.sql", "select 2\n"),
            ("docs/x.md", "x\n"),
            ("docs/drafts/y.md", "y\n"),
            ("README.md", "no\n"),
            (".env", "SECRET\n"),
            (".git/config.sql", "SECRET\n"),
            ("docs/.env.local", "SECRET\n"),
        ],
    );
    let report = project.sync();
    assert_eq!(report.troubles, []);
    assert_eq!(files(&project, "models"), ["a.sql", "deep/b.sql", "docs/x.md"]);
    fs::write(project.folder().join("repos/models/mine.md"), "mine\n").expect("a file");
    fs::write(models.join("a.sql"), "select 3\n").expect("a file");
    fs::remove_file(models.join("deep/b.sql")).expect("a file");
    let report = project.sync();
    let counts = report.repositories[0].counts;
    assert_eq!((counts.written, counts.unchanged, counts.removed), (1, 1, 1));
    assert_eq!(files(&project, "models"), ["a.sql", "docs/x.md", "mine.md"]);
    // One that is gone keeps its copy.
    fs::rename(&models, project.root().join("away")).expect("a folder");
    assert!(project.sync().has_failed());
    assert_eq!(files(&project, "models"), ["a.sql", "docs/x.md", "mine.md"]);
    // One that is not configured any more goes, but for what is the user's.
    project.settings("");
    project.sync();
    assert_eq!(files(&project, "models"), ["mine.md"]);
}

#[test]
fn a_repository_around_the_context_folder_is_not_copied_into_itself() {
    let project = Project::new("[[repositories]]\nname = \"all\"\npath = \"..\"\n");
    lay_out(project.root(), &[("a.md", "a\n")]);
    for _ in 0..2 {
        assert_eq!(project.sync().troubles, []);
        assert_eq!(files(&project, "all"), ["a.md"]);
    }
    project.settings("[[repositories]]\nname = \"all\"\npath = \".\"\n");
    assert!(project.sync().troubles[0].reason.contains("is the context folder itself"));
}

#[cfg(unix)]
#[test]
fn links_of_a_repository_are_not_followed() {
    let project = Project::new("[[repositories]]\nname = \"models\"\npath = \"../models\"\n");
    lay_out(project.root(), &[("secret.md", "SECRET\n"), ("models/a.md", "a\n")]);
    std::os::unix::fs::symlink("../secret.md", project.root().join("models/b.md")).expect("a link");
    std::os::unix::fs::symlink("..", project.root().join("models/up")).expect("a link");
    assert_eq!(project.sync().troubles, []);
    assert_eq!(files(&project, "models"), ["a.md"]);
}

/// A repository to fetch from; none where there is no git.
struct Origin(std::path::PathBuf);

impl Origin {
    fn new(root: &Path) -> Option<Self> {
        let origin = Self(root.join("origin"));
        fs::create_dir(&origin.0).expect("a folder");
        origin.git(&["init", "--quiet", "--initial-branch=main"]).then_some(origin)
    }

    fn git(&self, arguments: &[&str]) -> bool {
        let status = Command::new("git")
            .arg("-C")
            .arg(&self.0)
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdout(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    }

    fn commit(&self, files: &[(&str, &str)]) {
        lay_out(&self.0, files);
        assert!(self.git(&["add", "--all"]) && self.git(&["commit", "--quiet", "-m", "x"]));
    }
}

fn settings(more: &str) -> String {
    format!("[[repositories]]\nname = \"hand.book\"\nurl = \"REPLACED\"\n{more}")
}

fn with_url(project: &Project, text: &str) {
    let url = format!("file://{}", project.root().join("origin").display());
    project.settings(&text.replace("REPLACED", &url));
}

#[test]
fn a_git_repository_is_switched_by_commit() {
    let project = Project::new("");
    let Some(origin) = Origin::new(project.root()) else { return };
    with_url(&project, &settings(""));
    assert!(project.sync().has_failed(), "there is no commit yet");
    origin.commit(&[("a.md", "one\n"), ("deep/b.md", "b\n"), (".env", "SECRET\n")]);
    let report = project.sync();
    assert_eq!(report.troubles, []);
    assert_eq!(files(&project, "hand.book"), ["a.md", "deep/b.md"]);
    assert!(!project.folder().join("repos/hand.book/.git").exists());
    let first = report.repositories[0].commit.clone();
    // Nothing new: nothing is fetched, nothing is written.
    let report = project.sync();
    assert_eq!((report.counts.written, report.counts.unchanged), (0, 2));
    assert_eq!(report.repositories[0].commit, first);
    origin.commit(&[("a.md", "two\n"), ("c.md", "c\n")]);
    assert!(origin.git(&["rm", "--quiet", "-r", "deep"]));
    origin.commit(&[]);
    let report = project.sync();
    assert_eq!(report.troubles, []);
    assert_eq!(files(&project, "hand.book"), ["a.md", "c.md"]);
    assert_ne!(report.repositories[0].commit, first);
    // A branch that is not there, or an origin that is gone, keeps the copy.
    with_url(&project, &settings("branch = \"nope\"\n"));
    assert!(project.sync().has_failed());
    fs::rename(&origin.0, project.root().join("away")).expect("a folder");
    with_url(&project, &settings(""));
    assert!(project.sync().has_failed());
    assert_eq!(files(&project, "hand.book"), ["a.md", "c.md"]);
}

#[test]
fn a_git_repository_never_replaces_what_is_not_its_own() {
    let project = Project::new("");
    let Some(origin) = Origin::new(project.root()) else { return };
    origin.commit(&[("a.md", "one\n")]);
    with_url(&project, &settings(""));
    assert_eq!(project.sync().troubles, []);
    fs::write(project.folder().join("repos/hand.book/mine.md"), "mine\n").expect("a file");
    origin.commit(&[("a.md", "two\n")]);
    let report = project.sync();
    assert!(
        report.troubles[0].reason.contains("`/repos/hand.book/mine.md` was not written by sync")
    );
    assert_eq!(files(&project, "hand.book"), ["a.md", "mine.md"]);
    fs::remove_file(project.folder().join("repos/hand.book/mine.md")).expect("a file");
    assert_eq!(project.sync().troubles, []);
    assert_eq!(fs::read(project.folder().join("repos/hand.book/a.md")).expect("a file"), b"two\n");
}

#[cfg(unix)]
#[test]
fn nothing_of_a_git_repository_runs_or_leads_out() {
    let project = Project::new("");
    let Some(origin) = Origin::new(project.root()) else { return };
    let touched = project.root().join("touched");
    let filter = format!("[filter \"x\"]\n\tsmudge = touch {}\n", touched.display());
    origin.commit(&[
        ("a.md", "a\n"),
        (".gitattributes", "*.md filter=x\n"),
        (".gitconfig", &filter),
    ]);
    std::os::unix::fs::symlink("/etc/passwd", origin.0.join("b.md")).expect("a link");
    origin.commit(&[]);
    let hook = origin.0.join(".git/hooks/post-checkout");
    lay_out(
        &origin.0,
        &[(".git/hooks/post-checkout", &format!("#!/bin/sh\ntouch {}\n", touched.display()))],
    );
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(hook, mode).expect("a hook");
    with_url(&project, &settings("include = [\"*.md\"]\n"));
    assert_eq!(project.sync().troubles, []);
    assert!(!touched.exists());
    assert_eq!(files(&project, "hand.book"), ["a.md", "b.md"]);
    let link = project.folder().join("repos/hand.book/b.md");
    assert!(fs::symlink_metadata(link).expect("a file").is_file(), "a link becomes its text");
}
