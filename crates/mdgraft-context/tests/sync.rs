//! Databases and pages become files; what fails loses nothing.
#![allow(clippy::disallowed_methods, reason = "the test makes databases and looks at files")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use common::{Project, snapshot};
use mdgraft_context::{ContextFolder, Provider, SyncRequest, sync};

const SHOP: &str = "\
[[databases]]
type = \"sqlite\"
name = \"shop\"
path = \"../shop.db\"
";

fn many(count: usize) -> String {
    let table = |at| {
        format!(
            "CREATE TABLE t{at:03} (id INTEGER PRIMARY KEY, name TEXT DEFAULT 'n', total REAL);\
             INSERT INTO t{at:03} (name, total) VALUES ('a', 1), ('b', {at});"
        )
    };
    (0..count).map(table).collect()
}

#[test]
fn a_second_sync_writes_nothing() {
    let project = Project::new(SHOP);
    project.sql(&many(200));
    let report = project.sync();
    assert_eq!(report.troubles, []);
    assert_eq!((report.databases[0].tables, report.counts.written), (200, 600));
    let before = snapshot(&project.folder());
    let times = times(&project.folder());
    let report = project.sync();
    assert_eq!((report.counts.written, report.counts.unchanged), (0, 600));
    assert_eq!(snapshot(&project.folder()), before);
    assert_eq!(self::times(&project.folder()), times, "unchanged files keep their times");
}

#[test]
fn the_same_data_makes_the_same_files() {
    let (one, other) = (Project::new(SHOP), Project::new(SHOP));
    for project in [&one, &other] {
        project.sql(&many(20));
        project.sync();
    }
    assert_eq!(snapshot(&one.folder()), snapshot(&other.folder()));
}

#[test]
fn tables_come_and_go() {
    let project = Project::new(SHOP);
    project.sql(&many(5));
    project.sync();
    project.sql("CREATE TABLE added (x); DROP TABLE t000; ALTER TABLE t001 RENAME TO renamed;");
    let report = project.sync();
    assert_eq!(report.troubles, []);
    assert_eq!((report.counts.written, report.counts.removed), (6, 6));
    let tables = project.tables();
    assert_eq!(tables, ["added", "renamed", "t002", "t003", "t004"]);
    assert!(!project.table("t000").exists(), "an empty folder goes, too");
}

#[test]
fn a_table_that_cannot_be_read_keeps_its_files() {
    let project = Project::new(SHOP);
    project
        .sql("CREATE TABLE base (x); CREATE VIEW seen AS SELECT x FROM base; CREATE TABLE t (y);");
    project.sync();
    let before = snapshot(&project.table("seen"));
    project.sql("PRAGMA legacy_alter_table = ON; DROP TABLE base; INSERT INTO t VALUES (1);");
    let report = project.sync();
    assert_eq!(report.troubles.len(), 1, "{:?}", report.troubles);
    assert_eq!(report.troubles[0].what, "database shop: main.seen");
    assert_eq!(snapshot(&project.table("seen")), before);
    assert!(!project.table("base").exists(), "what was really dropped goes");
    assert!(project.read("t", "preview.md").contains("{\"y\": 1}"), "the rest is done");
}

#[test]
fn a_database_that_cannot_be_opened_keeps_its_files() {
    let project = Project::new(SHOP);
    project.sql(&many(3));
    project.sync();
    let before = snapshot(&project.folder());
    for damage in ["missing", "garbage"] {
        match damage {
            "missing" => fs::rename(project.database(), project.root().join("away")),
            _ => fs::write(project.database(), "no database ".repeat(1000)),
        }
        .expect("a change");
        let report = project.sync();
        assert!(report.has_failed() && !report.has_done(), "{damage}");
        assert_eq!(snapshot(&project.folder()), before, "{damage}");
        assert!(!project.root().join("shop.db-journal").exists());
    }
}

#[test]
fn what_sync_did_not_write_is_not_touched() {
    let project = Project::new(SHOP);
    project.sql("CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x);");
    // The user was there first.
    fs::create_dir_all(project.table("a")).expect("a folder");
    fs::write(project.table("a").join("columns.md"), "mine\n").expect("a file");
    let report = project.sync();
    assert_eq!(report.troubles.len(), 1, "{:?}", report.troubles);
    assert_eq!(report.troubles[0].reason, "a file that sync did not write is there");
    assert_eq!(project.read("a", "columns.md"), "mine\n");
    // A file beside those of sync, one that was changed, and one that was removed.
    fs::write(project.table("b").join("annotations.md"), "note\n").expect("a file");
    fs::write(project.table("c").join("columns.md"), "better\n").expect("a file");
    fs::remove_file(project.table("c").join("preview.md")).expect("a file");
    let report = project.sync();
    let notes: Vec<&str> = report.notes.iter().map(|note| note.reason.as_str()).collect();
    assert_eq!(notes, ["it was changed by hand and is kept"]);
    assert_eq!(project.read("c", "columns.md"), "better\n");
    assert!(project.table("c").join("preview.md").exists(), "what is missing is made again");
    // All tables go, and what is the user's stays.
    project.sql("DROP TABLE a; DROP TABLE b; DROP TABLE c; CREATE TABLE d (x);");
    project.sync();
    assert_eq!(project.read("a", "columns.md"), "mine\n");
    assert_eq!(project.read("b", "annotations.md"), "note\n");
    assert_eq!(project.read("c", "columns.md"), "better\n");
    assert!(!project.table("b").join("columns.md").exists());
}

#[test]
fn a_database_that_is_not_configured_any_more_goes() {
    let project = Project::new(SHOP);
    project.sql("CREATE TABLE a (x);");
    fs::create_dir_all(project.folder().join("databases/type=mine")).expect("a folder");
    fs::write(project.folder().join("databases/type=mine/x.md"), "mine\n").expect("a file");
    project.sync();
    project.settings("");
    let only: Provider = "repos".parse().expect("a provider");
    project.sync_only(&[only]);
    assert!(project.table("a").exists(), "a part of a sync removes nothing of others");
    let report = project.sync();
    assert_eq!(report.counts.removed, 3);
    assert!(!project.folder().join("databases/type=sqlite").exists());
    assert!(project.folder().join("databases/type=mine/x.md").exists());
}

#[test]
fn names_of_all_kinds_become_folders_and_back() {
    let project = Project::new(SHOP);
    let long = "x".repeat(300);
    let names = [
        "a/b", "..", ".", "a\\b", "a\nb", "tab\t", "%41", "é", "日本", "a\"b", " x", "{{x}}", &long,
    ];
    for name in names {
        project.sql(&format!("CREATE TABLE \"{}\" (\"{{{{y}}}}\")", name.replace('"', "\"\"")));
    }
    let report = project.sync();
    assert_eq!(report.troubles, []);
    let mut expected: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    expected.sort_unstable();
    assert_eq!(project.tables(), expected);
    assert!(!project.root().join("columns.md").exists());
    let folder = ContextFolder::open(project.folder()).expect("a folder");
    for object in folder.objects().expect("objects").iter() {
        let columns = folder.columns(&object.fqdn()).expect("columns");
        assert!(columns.text.contains("- {{y}} (any)"), "{}", columns.text);
    }
}

#[test]
fn excluded_columns_and_tables_are_in_no_file() {
    let project = Project::new(&format!(
        "{SHOP}exclude_columns = [\"main.users.secret\", \"PASSWORD\"]\nexclude = [\"main.hidden*\"]\n\
         templates = [\"columns\", \"preview\", \"how_to_use\", \"profiling\", \"description\"]\n\
         [databases.descriptions]\n\"main.users.secret\" = \"S3CRET\"\n"
    ));
    project.sql(
        "CREATE TABLE users (id INTEGER PRIMARY KEY, secret TEXT UNIQUE, password TEXT DEFAULT 'S3CRET',\
           plain TEXT, UNIQUE (plain, secret));\
         CREATE INDEX by_secret ON users (secret);\
         CREATE INDEX by_expression ON users (upper(secret));\
         CREATE TABLE orders (user TEXT REFERENCES users (secret), at TEXT REFERENCES hidden_x (y));\
         CREATE TABLE hidden_x (y PRIMARY KEY);\
         INSERT INTO users VALUES (1, 'S3CRET', 'S3CRET', 'plain');\
         INSERT INTO hidden_x VALUES ('S3CRET');\
         CREATE VIEW through AS SELECT upper(secret) AS u, secret || '!' AS v, plain FROM users;\
         CREATE VIEW around AS SELECT * FROM users;",
    );
    let report = project.sync();
    assert_eq!(report.troubles, []);
    for (path, text) in snapshot(&project.folder().join("databases")) {
        let text = String::from_utf8_lossy(&text).into_owned();
        for word in ["S3CRET", "by_secret", "by_expression", "password", "hidden_x"] {
            let is_name = path.contains("table=around") && word == "password";
            assert!(!text.contains(word) || is_name, "{path}: {word}\n{text}");
        }
        assert!(!path.contains("hidden"), "{path}");
    }
    assert!(project.read("around", "preview.md").contains("\"plain\": \"plain\""));
}

#[test]
fn a_question_that_takes_too_long_ends() {
    let project = Project::new(&format!("{SHOP}timeout_seconds = 1\n"));
    project.sql(
        "CREATE TABLE a (x); CREATE VIEW endless AS WITH RECURSIVE n (i) AS \
         (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n; CREATE TABLE z (x);",
    );
    let report = project.sync();
    let reasons: Vec<&str> = report.troubles.iter().map(|one| one.reason.as_str()).collect();
    assert_eq!(reasons, ["it took longer than 1 s", "it took longer than 1 s"]);
    assert!(project.table("z").join("preview.md").exists(), "the rest is done");
    assert!(project.table("endless").join("columns.md").exists());
    assert!(!project.table("endless").join("preview.md").exists());
}

#[test]
fn the_database_is_never_written_and_secrets_are_never_shown() {
    let project = Project::new(
        "[[databases]]\ntype = \"sqlite\"\nname = \"shop\"\npath = { env = \"SHOP\" }\n",
    );
    project.sql(&many(3));
    let before = fs::read(project.database()).expect("a database");
    let path = project.database().to_string_lossy().into_owned();
    let report = project.sync_with(|name| (name == "SHOP").then(|| path.clone()));
    assert_eq!(report.troubles, []);
    assert_eq!(fs::read(project.database()).expect("a database"), before);
    for (file, text) in snapshot(&project.folder()) {
        assert!(!String::from_utf8_lossy(&text).contains("shop.db"), "{file}");
    }
    let wrong = project.root().join("k3y/missing.db").to_string_lossy().into_owned();
    let report = project.sync_with(|_| Some(wrong.clone()));
    let shown = format!("{report:?}");
    assert!(report.has_failed() && !shown.contains("k3y"), "{shown}");
    let report = project.sync_with(|_| None);
    assert_eq!(report.troubles[0].reason, "the environment variable `SHOP` is not set");
    assert!(project.table("t000").exists());
}

#[test]
fn the_users_templates_come_first() {
    let project = Project::new(SHOP);
    project.sql("CREATE TABLE a (x INTEGER, y)");
    project.write("templates/databases/columns.md", "# {{table}}!\n<<> _foot>>\n");
    project.write("templates/databases/_foot.md", "{{columns|len}} in {{fqdn}}\n");
    project.write("templates/databases/glossary.md", "Rows: {{row_count}}\n");
    let report = project.sync();
    assert_eq!(report.troubles, []);
    assert_eq!(project.read("a", "columns.md"), "# a!\n\n2 in shop.main.a\n");
    assert_eq!(project.read("a", "glossary.md"), "Rows: 0\n");
    assert!(project.table("a").join("how_to_use.md").exists());
    assert!(!project.table("a").join("_foot.md").exists());
    // One that breaks keeps its files; the others are made.
    project.write("templates/databases/glossary.md", "Rows: {{row_cuont}}\n");
    project.sql("INSERT INTO a VALUES (7, 8)");
    let report = project.sync();
    assert_eq!(report.troubles.len(), 1, "{:?}", report.troubles);
    assert!(report.troubles[0].reason.contains("row_cuont"), "{:?}", report.troubles);
    assert_eq!(project.read("a", "glossary.md"), "Rows: 0\n");
    assert!(project.read("a", "preview.md").contains("{\"x\": 7, \"y\": 8}"));
    // One that is not asked for any more goes with its files.
    project.settings(&format!("{SHOP}templates = [\"columns\"]\n"));
    project.sync();
    assert_eq!(snapshot(&project.table("a")).len(), 1);
    project.settings(&format!("{SHOP}templates = [\"colums\"]\n"));
    assert!(project.sync().troubles[0].reason.contains("there is no template `colums`"));
    assert_eq!(snapshot(&project.table("a")).len(), 1);
}

#[test]
fn profiles_are_made_again_when_they_are_old() {
    let project =
        Project::new(&format!("{SHOP}templates = [\"profiling\"]\nprofiling = {{ days = 2 }}\n"));
    project.sql("CREATE TABLE a (x)");
    let day = |days: u64| UNIX_EPOCH + Duration::from_secs(days * 24 * 60 * 60);
    project.sync_at(day(10));
    project.sql("INSERT INTO a VALUES (1)");
    project.sync_at(day(11));
    assert!(project.read("a", "profiling.md").contains("\"max\": null"));
    project.sync_at(day(12));
    assert!(project.read("a", "profiling.md").contains("\"max\": 1"));
}

#[test]
fn pages_of_the_user_are_rendered() {
    let project = Project::new(SHOP);
    project.sql("CREATE TABLE a (x); CREATE TABLE b (x)");
    project.write(
        "templates/docs/tables.md",
        "# Tables\n\n<!-- for: one in objects -->\n- {{one.fqdn}}\n<!-- endfor -->\n\n\
         <<> @context/databases/type=sqlite/database=shop/schema=main/table=a/columns.md>>\n",
    );
    project.write("templates/docs/bad.md", "{{nope}}\n");
    project.write("templates/docs/mine.md", "from the template\n");
    project.write("docs/mine.md", "mine\n");
    let report = project.sync();
    let whats: Vec<&str> = report.troubles.iter().map(|one| one.what.as_str()).collect();
    assert_eq!(whats, ["/templates/docs/bad.md", "/docs/mine.md"]);
    assert_eq!((report.rendered, report.unrendered), (1, 2));
    let text = fs::read_to_string(project.folder().join("docs/tables.md")).expect("a page");
    assert!(text.starts_with("# Tables\n\n- shop.main.a\n- shop.main.b\n\n## a\n"), "{text}");
    assert_eq!(
        fs::read_to_string(project.folder().join("docs/mine.md")).expect("a page"),
        "mine\n"
    );
    // A template that is gone takes its page along, and no other.
    fs::remove_file(project.folder().join("templates/docs/tables.md")).expect("a template");
    project.sync();
    assert!(!project.folder().join("docs/tables.md").exists());
    assert!(project.folder().join("docs/mine.md").exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let project = Project::new(SHOP);
    project.sql("CREATE TABLE a (x)");
    let outside = project.root().join("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::remove_dir(project.folder().join("databases")).expect("a folder");
    std::os::unix::fs::symlink(&outside, project.folder().join("databases")).expect("a link");
    let report = project.sync();
    assert!(report.has_failed());
    assert_eq!(snapshot(&outside).len(), 0);
}

#[test]
fn two_syncs_are_not_at_work_at_once() {
    let project = Project::new(SHOP);
    project.sql("CREATE TABLE a (x)");
    let folder = project.folder();
    let mut inner = None;
    let mut progress = |_: &mdgraft_context::Step| {
        inner = Some(sync(SyncRequest {
            folder: &folder,
            only: &[],
            environment: &|_| None,
            now: UNIX_EPOCH,
            progress: &mut |_| {},
        }));
    };
    let outer = sync(SyncRequest {
        folder: &folder,
        only: &[],
        environment: &|_| None,
        now: UNIX_EPOCH,
        progress: &mut progress,
    });
    assert!(outer.is_ok());
    let message = inner.expect("it was tried").expect_err("it is refused").to_string();
    assert!(message.contains("another sync is at work"), "{message}");
}

/// Run as a program of its own by the next test, and killed by it.
#[test]
fn child_that_syncs() {
    let Some(folder) = std::env::var_os("MDGRAFT_TEST_FOLDER") else { return };
    let synced = sync(SyncRequest {
        folder: Path::new(&folder),
        only: &[],
        environment: &|_| None,
        now: UNIX_EPOCH,
        progress: &mut |_| {},
    });
    assert!(synced.is_ok_and(|report| !report.has_failed()));
}

#[test]
fn a_kill_in_the_middle_loses_nothing() {
    let project = Project::new(SHOP);
    project.sql(&many(60));
    project.sync();
    fs::write(project.table("t000").join("mine.md"), "mine\n").expect("a file");
    let program = std::env::current_exe().expect("this program");
    for round in 0..6 {
        let before = snapshot(&project.folder().join("databases"));
        let update = |at| format!("UPDATE t{at:03} SET name = 'round {round}';");
        project.sql(&(0..60).map(update).collect::<String>());
        project.sql(&format!("CREATE TABLE new{round} (x);"));
        let mut child = std::process::Command::new(&program)
            .args(["--exact", "child_that_syncs"])
            .env("MDGRAFT_TEST_FOLDER", project.folder())
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("a child");
        std::thread::sleep(Duration::from_millis(20 + 15 * round));
        let _ = child.kill();
        let _ = child.wait();
        let after = snapshot(&project.folder().join("databases"));
        for (path, text) in &before {
            let now = after.get(path).unwrap_or_else(|| panic!("{path} is lost"));
            assert!(now == text || now.ends_with(b"\n"), "{path} is cut");
        }
    }
    let report = project.sync();
    assert_eq!(report.troubles, [], "what a killed run wrote is known as ours");
    assert_eq!(project.read("t000", "mine.md"), "mine\n");
    // As if nothing had happened.
    let fresh = Project::new(SHOP);
    fs::copy(project.database(), fresh.database()).expect("a database");
    fresh.sync();
    let mut all = databases(&project);
    all.retain(|path, _| !path.ends_with("mine.md"));
    assert_eq!(all, databases(&fresh));
    let mut left: Vec<String> = all.into_keys().collect();
    left.retain(|path| path.contains(".mdgraft-new"));
    assert!(left.is_empty(), "{left:?}");
}

fn databases(project: &Project) -> BTreeMap<String, Vec<u8>> {
    snapshot(&project.folder().join("databases"))
}

fn times(folder: &Path) -> BTreeMap<String, SystemTime> {
    let time = |path: String| {
        let metadata = fs::metadata(folder.join(&path)).expect("a file");
        (path, metadata.modified().expect("a time"))
    };
    let files = snapshot(folder).into_keys().filter(|path| path.starts_with("databases"));
    files.map(time).collect()
}
