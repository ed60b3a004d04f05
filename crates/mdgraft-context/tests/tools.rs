//! What the four tools answer, the texts that a model is given, and the objects.
#![allow(clippy::disallowed_methods, reason = "the test lays out folders")]

mod common;

use std::fs;

use common::Project;
use mdgraft::{Engine, MemoryLoader, render};
use mdgraft_context::{
    ContextError, ContextFolder, EntryKind, GrepRequest, ListRequest, ReadRequest, SearchRequest,
    init,
};

/// A folder with these files; a text may be `BYTES:n` for so many.
fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, ContextFolder) {
    let root = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let text = match text.strip_prefix("BYTES:") {
            Some(count) => "x".repeat(count.parse().expect("a number")),
            None => (*text).to_owned(),
        };
        fs::write(path, text).expect("a file");
    }
    let folder = ContextFolder::open(root.path()).expect("a folder");
    (root, folder)
}

fn list(folder: &ContextFolder, path: &str) -> String {
    let request = ListRequest { path: path.to_owned(), ..Default::default() };
    folder.list(&request).map_or_else(|error| error.to_string(), |listing| listing.to_text())
}

fn read(folder: &ContextFolder, path: &str, lines: (Option<usize>, Option<usize>)) -> String {
    let request = ReadRequest { path: path.to_owned(), first_line: lines.0, last_line: lines.1 };
    folder.read(&request).map_or_else(|error| error.to_string(), |content| content.to_text())
}

fn search(folder: &ContextFolder, pattern: &str) -> String {
    let request = SearchRequest { pattern: pattern.to_owned(), ..Default::default() };
    folder.search(&request).map_or_else(|error| error.to_string(), |found| found.to_text())
}

fn grep(folder: &ContextFolder, request: &GrepRequest) -> String {
    folder.grep(request).map_or_else(|error| error.to_string(), |found| found.to_text())
}

fn pattern(pattern: &str) -> GrepRequest {
    GrepRequest { pattern: pattern.to_owned(), ..Default::default() }
}

#[test]
fn a_list_is_grouped_and_counted() {
    let (root, folder) = folder(&[
        ("b.md", "BYTES:1229"),
        ("a.md", "x"),
        ("one/x.md", ""),
        ("one/.env", "SECRET"),
        ("one/y.bak", ""),
        ("two/x.md", ""),
        ("two/y.md", ""),
        (".mdgraftignore", "*.bak\n"),
        ("gone.bak", ""),
        (".git/x", ""),
    ]);
    assert_eq!(
        list(&folder, "/"),
        "Files (3)\n- .mdgraftignore (6 B)\n- a.md (1 B)\n- b.md (1.2 KB)\n\n\
         Directories (2)\n- one (1 items)\n- two (2 items)\n\nSkipped: 1 hidden, 1 ignored."
    );
    assert_eq!(list(&folder, "/two"), "Files (2)\n- x.md (0 B)\n- y.md (0 B)");
    assert_eq!(list(&folder, "/a.md"), "`/a.md` is a file, not a folder");
    fs::create_dir(root.path().join("empty")).expect("a folder");
    assert_eq!(list(&folder, "/empty"), "Directory is empty.");
    let few = folder.list(&ListRequest { path: String::new(), max_entries: 1 }).expect("a list");
    assert!(few.to_text().contains("\n\n...(5 more)\n\n"), "{}", few.to_text());
    assert!(few.to_json().contains("\"truncated\":true"));
    let two = folder.list(&ListRequest::default()).expect("a list");
    assert!(two.entries.iter().any(|one| one.kind == EntryKind::Folder { items: Some(2) }));
}

#[test]
fn a_file_is_read_with_the_numbers_of_its_lines() {
    let (_root, folder) = folder(&[
        ("three.md", "a\nb\nc\n"),
        ("open.md", "a\nb"),
        ("empty.md", ""),
        ("long.md", "BYTES:32006"),
        ("wide.md", &"é".repeat(32_001)),
        ("binary.md", "a\0b"),
        ("large.md", "BYTES:10485761"),
    ]);
    assert_eq!(read(&folder, "/three.md", (None, None)), "1:a\n2:b\n3:c\n4:");
    assert_eq!(read(&folder, "/open.md", (None, None)), "1:a\n2:b");
    assert_eq!(read(&folder, "/empty.md", (None, None)), "File is empty.");
    assert!(read(&folder, "/long.md", (None, None)).ends_with("x...(6 B left)"));
    assert!(read(&folder, "/wide.md", (None, None)).ends_with("é...(2 B left)"));
    assert_eq!(
        read(&folder, "/binary.md", (None, None)),
        "`/binary.md` is a binary file, not a text file"
    );
    assert_eq!(
        read(&folder, "/large.md", (None, None)),
        "`/large.md` has 10485761 bytes, more than the 10485760 that are read; use grep"
    );
    assert_eq!(read(&folder, "/", (None, None)), "`/` is a folder, not a text file");
    let three = |first, last| read(&folder, "/three.md", (first, last));
    assert_eq!(three(Some(2), Some(2)), "2:b\n\nLines 2-2 of 4.");
    assert_eq!(three(Some(2), None), "2:b\n3:c\n4:\n\nLines 2-4 of 4.");
    assert_eq!(three(None, Some(99)), "1:a\n2:b\n3:c\n4:");
    assert_eq!(three(Some(0), None), "lines are counted from 1");
    assert_eq!(three(Some(5), None), "line 5 is asked for, and the file has 4");
    assert_eq!(three(Some(3), Some(2)), "the last line 2 stands before the first line 3");
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let (root, folder) = folder(&[]);
    fs::write(root.path().join("x.md"), b"a\xffb\n").expect("a file");
    assert_eq!(
        read(&folder, "/x.md", (None, None)),
        "1:a\u{fffd}b\n2:\n\nBytes that are no UTF-8 are shown as U+FFFD."
    );
    assert_eq!(grep(&folder, &pattern("a")), "Match (1)\n\n```/x.md (1)\n1:a\u{fffd}b\n```");
}

#[test]
fn a_search_matches_at_any_depth() {
    let (_root, folder) = folder(&[
        ("databases/x.md", "BYTES:2048"),
        ("deep/databases/x.md", ""),
        ("deep/y.md", ""),
        (".hidden/x.md", ""),
        ("[x].md", ""),
    ]);
    let both = "Matches (2):\n- /databases/x.md (2.0 KB)\n- /deep/databases/x.md (0 B)\n\n\
                Skipped: 1 hidden.";
    for pattern in ["x.md", "**/x.md", "databases/x.md", "databases/*", "d*/x.md", "{x,z}.md"] {
        assert_eq!(search(&folder, pattern), both, "{pattern}");
    }
    assert!(search(&folder, "[[]x].md").starts_with("Matches (1):\n- /[x].md"));
    assert_eq!(search(&folder, "nope"), "No matches.\n\nSkipped: 1 hidden.");
    for bad in ["/databases/*", "../x", "a..b", "C:\\x", "~/x"] {
        let answer = search(&folder, bad);
        assert!(answer.contains("access denied") && answer.contains("not allowed"), "{answer}");
    }
    for bad in ["", "[z-a]", "{a"] {
        assert!(search(&folder, bad).starts_with("the pattern `"), "{bad}");
    }
    assert!(search(&folder, &"{a,".repeat(5000)).contains("too long"));
}

#[test]
fn a_long_search_says_where_there_is_more() {
    let files: Vec<String> = (0..300).map(|at| format!("d{:02}/f{at:03}.md", at / 15)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|path| (path.as_str(), "")).collect();
    let (_root, folder) = folder(&files);
    let text = search(&folder, "*.md");
    assert!(text.starts_with("Matches (300):\n- /d00/f000.md (0 B)\n"), "{text}");
    assert!(text.contains("\n- /d06/f099.md (0 B)\n...(200 more)\n\nMore matches in:\n- /d06\n"));
    assert!(text.ends_with("\n- /d15\n...(4 more)"), "{text}");
}

#[test]
fn lines_are_found_by_file() {
    let (_root, folder) = folder(&[
        ("a.md", "one\ntwo two\r\nthree\n"),
        ("b/a.md", "TWO\n```\ntwo\n"),
        ("b/c.sql", "two\n"),
        ("bin.md", "two\0"),
        (".hidden.md", "two\n"),
    ]);
    assert_eq!(
        grep(&folder, &GrepRequest { glob: Some("*.md".to_owned()), ..pattern("two$") }),
        "Matches (2)\n\n```/a.md (1)\n2:two two\n```\n\n```/b/a.md (1)\n3:two\n```\n\n\
         Skipped: 1 hidden, 1 binary."
    );
    let request = GrepRequest {
        case_insensitive: true,
        context_lines: 1,
        path: "/b/a.md".to_owned(),
        ..pattern("two")
    };
    let found = folder.grep(&request).expect("a search");
    assert_eq!(found.to_text(), "Matches (2)\n\n````/b/a.md (2)\n1:TWO\n2-```\n3:two\n````");
    assert!(found.to_json().starts_with(
        "{\"matches\":[{\"context_after\":[{\"line_content\":\"```\",\"line_number\":2}],\
         \"line_content\":\"TWO\",\"line_number\":1,\"path\":\"/b/a.md\"}"
    ));
    assert_eq!(
        grep(&folder, &GrepRequest { path: "/b".to_owned(), ..pattern("zero") }),
        "No matches found."
    );
    assert!(grep(&folder, &pattern("-two")).starts_with("No matches found."), "a pattern is data");
    for bad in ["(", "a\\", "[z-a]", "a{999999999}", "", "a\\nb"] {
        let answer = grep(&folder, &pattern(bad));
        assert!(answer.starts_with("the pattern `") && !answer.contains('\n'), "{answer}");
    }
    assert_eq!(
        grep(&folder, &GrepRequest { path: "/no".to_owned(), ..pattern("x") }),
        "`/no` does not exist"
    );
}

#[test]
fn matches_beyond_the_limit_are_counted_in_a_fixed_order() {
    let files: Vec<String> = (0..40).map(|at| format!("f{at:02}.md")).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|path| (path.as_str(), "x\nx\nx\n")).collect();
    let (_root, folder) = folder(&files);
    let request = GrepRequest { max_results: 100, ..pattern("x") };
    let first = folder.grep(&request).expect("a search");
    assert_eq!((first.matches.len(), first.total, first.is_truncated()), (100, 120, true));
    assert_eq!((first.matches[99].path.as_str(), first.matches[99].line), ("/f33.md", 1));
    for _ in 0..20 {
        assert_eq!(folder.grep(&request).expect("a search"), first);
    }
    let text = first.to_text();
    assert!(text.starts_with("Matches (120)\n\n```/f00.md (3)\n1:x\n"), "{text}");
    assert!(text.contains("\n\nMore matches in:\n- /f16.md\n- /f17.md\n"), "{text}");
    assert!(
        text.ends_with("\n...(8 more)\n\nOnly the first 100 of 120 matches are known."),
        "{text}"
    );
}

#[test]
fn long_lines_are_cut_between_characters() {
    let (_root, folder) =
        folder(&[("x.md", &format!("{}needle{}\n", "é".repeat(5000), "ü".repeat(5000)))]);
    let found = folder.grep(&pattern("needle")).expect("a search");
    assert_eq!(found.matches[0].text.chars().count(), 510 + 3 + 510);
    let line = found.to_text();
    let line = line.lines().nth(3).expect("a line");
    assert_eq!(line, format!("1:{}...{}", "é".repeat(30), "ü".repeat(30)));
}

#[test]
fn objects_are_known_from_folders_alone() {
    let at = |rest: &str| format!("databases/{rest}/columns.md");
    let files = [
        at("type=sqlite/database=shop/schema=main/table=orders"),
        at("type=sqlite/database=shop/schema=main/table=a%2Fb"),
        at("type=sqlite/database=shop/schema=main/table=x.y"),
        at("type=sqlite/database=shop/schema=main/table=100%"),
        at("type=sqlite/database=shop/schema=main/table=long%/more=er"),
        at("type=sqlite/database=shop/schema=main/table="),
        at("type=sqlite/database=shop/schema=main/orders"),
        at("type=duckdb/database=shop/schema=main/table=orders"),
        at("type=sqlite/database=shop/schema=main/table=secret"),
        "databases/type=sqlite/database=file".to_owned(),
    ];
    let mut files: Vec<(&str, &str)> = files.iter().map(|path| (path.as_str(), "# T\n")).collect();
    files.push((".mdgraftignore", "table=secret/\n"));
    let (root, folder) = folder(&files);
    let names = |folder: &ContextFolder| {
        let objects = folder.objects().expect("objects");
        objects.iter().map(mdgraft_context::Object::fqdn).collect::<Vec<_>>()
    };
    assert_eq!(
        names(&folder),
        [
            "shop.main.orders",
            "shop.main.100%",
            "shop.main.a/b",
            "shop.main.longer",
            "shop.main.orders",
            "shop.main.\"x.y\"",
        ]
    );
    let error = folder.object("shop.main.orders").expect_err("two kinds have it").to_string();
    assert!(error.contains("`duckdb.shop.main.orders` or `sqlite.shop.main.orders`"), "{error}");
    assert_eq!(folder.columns("sqlite.shop.main.orders").expect("columns").text, "# T\n");
    assert_eq!(
        folder.object("shop.main.longer").expect("a table").path,
        "/databases/type=sqlite/database=shop/schema=main/table=long%/more=er"
    );
    assert!(matches!(folder.object("shop.main.nope"), Err(ContextError::NotFound { .. })));
    let complete = |begun: &str| {
        let found = folder.complete(begun, 3).expect("objects");
        found.iter().map(|object| object.table.clone()).collect::<Vec<_>>()
    };
    assert_eq!(complete("ORD"), ["orders", "orders"]);
    assert_eq!(complete("shop.main.l"), ["longer"]);
    assert_eq!(complete("b"), ["a/b"]);
    // What is new or gone shows at once, though the answer is kept.
    let main = root.path().join("databases/type=sqlite/database=shop/schema=main");
    fs::create_dir(main.join("table=new")).expect("a folder");
    assert!(names(&folder).contains(&"shop.main.new".to_owned()));
    fs::remove_dir(main.join("table=new")).expect("a folder");
    assert_eq!(names(&folder).len(), 6);
    fs::write(root.path().join(".mdgraftignore"), "").expect("a file");
    assert_eq!(names(&folder).len(), 7);
}

#[test]
fn a_context_folder_is_a_root_of_the_engine() {
    let (root, folder) = folder(&[
        ("databases/columns.md", "# orders\n\n- id\n"),
        (".env", "SECRET\n"),
        ("hidden/x.md", "SECRET\n"),
        (".mdgraftignore", "hidden/\n"),
    ]);
    fs::write(root.path().join("databases/two.md"), "two\n").expect("a file");
    let prompts = MemoryLoader::from([
        ("main.md", "# Agent\n\n<<> @context/databases/columns.md>>\n"),
        ("all.md", "<<> @context/databases/*.md>>\n"),
        ("env.md", "<<> @context/.env>>\n"),
        ("hidden.md", "<<> @context/hidden/x.md>>\n"),
        ("missing.md", "<<> @context/nope.md | optional>>\n"),
        ("up.md", "<<> @context/../x.md>>\n"),
    ]);
    let engine = Engine::new(prompts).with_root("context", folder);
    let text = |entry: &str| {
        let tree = engine.load(entry).map_err(|diagnostics| diagnostics.to_string())?;
        let rendered = render(&tree, &mdgraft::Vars::default(), ());
        rendered.map(mdgraft::Rendered::into_text).map_err(|diagnostics| diagnostics.to_string())
    };
    assert_eq!(text("main.md").expect("a prompt"), "# Agent\n\n## orders\n\n- id\n");
    assert_eq!(text("all.md").expect("a prompt"), "# orders\n\n- id\n\ntwo\n");
    assert_eq!(text("missing.md").expect("a prompt"), "");
    for entry in ["env.md", "hidden.md", "up.md"] {
        let message = text(entry).expect_err("it is refused");
        assert!(!message.contains("SECRET"), "{message}");
    }
}

#[test]
fn calls_of_a_model_are_answered() {
    let (_root, folder) = folder(&[("a.md", "one\ntwo\n")]);
    let call = |tool: &str, arguments: &str| {
        folder.call(tool, arguments).unwrap_or_else(|error| error.to_string())
    };
    assert_eq!(call("list", "{}"), "File (1)\n- a.md (8 B)");
    assert_eq!(call("search", "{\"pattern\": \"*.md\"}"), "Matches (1):\n- /a.md (8 B)");
    assert_eq!(
        call("grep", "{\"pattern\": \"t\", \"path\": null}"),
        "Match (1)\n\n```/a.md (1)\n2:two\n```"
    );
    assert_eq!(
        call("read", "{\"file_path\": \"/a.md\", \"last_line\": 1}"),
        "1:one\n\nLines 1-1 of 3."
    );
    assert_eq!(call("write", "{}"), "there is no tool `write`; there are list, search, grep, read");
    assert!(
        call("read", "{\"path\": 1}")
            .starts_with("the arguments of `read` do not fit: unknown field")
    );
    assert!(call("read", "no json").starts_with("the arguments of `read` do not fit"));
    for tool in mdgraft_context::tool_schemas() {
        let properties = tool.parameters["properties"].as_object().expect("properties");
        for name in tool.parameters["required"].as_array().expect("a list") {
            assert!(properties.contains_key(name.as_str().expect("a name")));
        }
    }
}

#[test]
fn the_prompt_explains_the_folder_and_can_be_replaced() {
    let project = Project::new("");
    let open = || ContextFolder::open(project.folder()).expect("a folder");
    let text = open().prompt().expect("a prompt");
    assert!(text.starts_with("## Context folder\n") && !text.contains("###"), "{text}");
    project.write("databases/type=sqlite/database=shop/schema=main/table=a/columns.md", "");
    project.write("RULES.md", "Amounts are in cents.\n");
    let text = open().prompt().expect("a prompt");
    assert!(
        text.contains("1 tables:\n\n- shop (sqlite): 1\n\n### Rules\n\nAmounts are in cents.\n"),
        "{text}"
    );
    project.write("agent/prompts/context.md", "There are {{tables}}.\n\n<<> /RULES.md>>\n");
    assert_eq!(open().prompt().expect("a prompt"), "There are 1.\n\nAmounts are in cents.\n");
    project.write("agent/prompts/context.md", "{{tabels}}\n");
    let message = open().prompt().expect_err("a mistake").to_string();
    assert!(message.contains("context.md:1:3") && message.contains("tabels"), "{message}");
}

#[test]
fn init_overwrites_nothing_and_leaves_nothing_behind() {
    let root = tempfile::tempdir().expect("a folder");
    let new = root.path().join("a/b");
    let made = init(&new).expect("a context folder");
    assert!(made.iter().all(|one| one.is_new));
    assert!(new.join("RULES.md").is_file() && new.join("databases").is_dir());
    fs::write(new.join("RULES.md"), "mine\n").expect("a file");
    fs::write(new.join(".mdgraftignore"), "mine\n").expect("a file");
    fs::remove_dir(new.join("docs")).expect("a folder");
    let made = init(&new).expect("a context folder");
    let made: Vec<&str> =
        made.iter().filter(|one| one.is_new).map(|one| one.path.as_str()).collect();
    assert_eq!(made, ["docs/"]);
    assert_eq!(fs::read(new.join("RULES.md")).expect("a file"), b"mine\n");
    // Something is in the way.
    let blocked = root.path().join("blocked");
    fs::create_dir_all(&blocked).expect("a folder");
    fs::write(blocked.join("tests"), "a file\n").expect("a file");
    assert!(init(&blocked).is_err());
    let left: Vec<_> = fs::read_dir(&blocked).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(init(&blocked.join("tests/x")).is_err());
}

#[test]
fn the_settings_of_init_are_right() {
    let text = include_str!("../templates/init/mdgraft-context.toml");
    assert!(mdgraft_context::Settings::read(text).is_ok());
    // Uncommented, they read as well.
    let lines = text.lines().skip(6).filter_map(|line| line.strip_prefix("# "));
    let lines: Vec<&str> =
        lines.filter(|line| line.contains(" = ") || line.starts_with('[')).collect();
    let settings = mdgraft_context::Settings::read(&lines.join("\n")).expect("settings");
    assert_eq!((settings.databases.len(), settings.repositories.len()), (1, 2));
}
