//! What a page says of itself: its tests, its mistakes, its updates.

use std::path::Path;

use mdgraft_pages::{Failure, Outcome, Page, RunOptions, Update, run, update};

fn page(text: &str) -> Page {
    Page::parse("page.md", text).unwrap_or_else(|error| panic!("{error}"))
}

fn names(text: &str) -> Vec<String> {
    page(text).tests().iter().map(|test| test.name().to_owned()).collect()
}

fn faults(text: &str) -> String {
    match Page::parse("page.md", text) {
        Ok(page) => format!("{} tests", page.tests().len()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn headings_with_an_expectation_are_tests() {
    let text = "\
# Page with `code` and *marks*

Prose.

## Only prose

## Group

```md
a
```

### One

```text output
a
```

### Two

#### Deep

```text output
```

Other
-----

```text errors
a-b main.md:1:1
```
";
    let expected = [
        "Page with code and marks / Group / One",
        "Page with code and marks / Group / Two / Deep",
        "Page with code and marks / Other",
    ];
    assert_eq!(names(text), expected);
    assert_eq!(page(text).tests()[2].line(), 26);
}

#[test]
fn only_fences_at_the_top_level_count() {
    let text = "\
# A

- ```text nonsense
  ```

> ```text nonsense
> ```

    ```text nonsense

`````md
```text nonsense
```
`````

~~~text output
~~~
";
    assert_eq!(names(text), ["A"]);
    assert_eq!(names(&text.replace('\n', "\r\n")), ["A"]);
}

#[test]
fn mistakes_name_page_line_and_what_is_known() {
    let cases = [
        (
            "# A\n\n```text ouput\n```\n",
            "page.md:3: unknown role or option `ouput` (did you mean `output`?)",
        ),
        (
            "# A\n\n```md\nx\n```\n",
            "page.md:1: there are files or values and no expectation \
             (a test needs a block such as `text output`)",
        ),
        (
            "# A\n\n```md\n```\n\n```md\n```\n\n```text output\n```\n",
            "page.md:6: a second file `main.md` for stage 1 \
             (a line such as `` `part.md`: `` above a block names it)",
        ),
        (
            "# A\n\n```text output\n```\n\n```text output\n```\n",
            "page.md:6: a second `output` block for stage 1 \
             (is a heading missing above it, or an option such as `stage=2`?)",
        ),
        (
            "# A\n\n```text output\n```\n\n# A\n\n```text output\n```\n",
            "page.md:6: a second test `A`, after that of line 1",
        ),
        (
            "```text output\n```\n",
            "page.md:1: `output` stands above the first heading \
             (a test is a heading, and its blocks stand below it)",
        ),
        (
            "# A\n\n`x.md`:\n\n## B\n\n```text output\n```\n",
            "page.md:3: `x.md` names no block \
             (a fenced block stands below the name of a file)",
        ),
        (
            "# A\n\n`../x.md`:\n\n```md\n```\n\n```text output\n```\n",
            "page.md:3: `../x.md` is no path of a file \
             (a path leads down from the root, as in `parts/rules.md`)",
        ),
        ("# A\n\n```text output\n", "page.md:3: the fence is never closed"),
        (
            "# A\n\n```text errors\nnope\n```\n",
            "page.md:4: `nope` names no place \
             (a line is `code path:line:col`, with ` — part` if need be)",
        ),
        ("# A\n\n```json vars\n[1]\n```\n\n```text output\n```\n", "page.md:3: the values"),
        ("# A\n\n```json messages\n[1 2]\n```\n", "page.md:4: the messages are no JSON"),
        (
            "# A\n\n```md base64\n?\n```\n\n```text output\n```\n",
            "page.md:3: the block is no base64",
        ),
        ("# A\n\n```text console\n$ ls\n```\n", "page.md:4: the command is not `mdgraft`"),
    ];
    for (text, expected) in cases {
        let found = faults(text);
        assert!(found.starts_with(expected), "{text}\n{found}");
    }
}

#[test]
fn all_mistakes_are_reported_together() {
    let text =
        "# A\n\n```text x\n```\n\n# B\n\n```text output no-eol base64\n```\n\n```md stage=0\n```\n";
    assert_eq!(faults(text).lines().count(), 3);
}

#[test]
fn no_text_makes_the_reader_panic() {
    let mark = "```";
    let text = format!("# A\n\n`a.md`:\n\n{mark}md stage=2\nx\n{mark}\n\n{mark}toml vars\nx = 1\n");
    for end in 0..text.len() {
        let _ = Page::parse("page.md", &text[..end]);
        let _ = Page::parse("page.md", &text[end..]);
    }
}

#[test]
fn updates_keep_the_rest_of_the_page() {
    let text = "# A\n\n```md\nx\n```\n\n~~~ text output\nold\n~~~\nafter\n";
    let outcome = |new: &str| Outcome {
        failures: Vec::new(),
        updates: vec![Update { line: 7, text: new.to_owned() }],
    };
    let updated = |new: &str| update(&page(text), &[outcome(new)]);
    let expected = |block: &str| Some(format!("# A\n\n```md\nx\n```\n\n{block}\nafter\n"));
    assert_eq!(updated("new\n"), expected("~~~ text output\nnew\n~~~"));
    assert_eq!(updated(""), expected("~~~ text output\n~~~"));
    assert_eq!(updated("new"), expected("~~~text output no-eol\nnew\n~~~"));
    assert_eq!(updated("~~~~\nx\n~~~~\n"), expected("~~~~~ text output\n~~~~\nx\n~~~~\n~~~~~"));
    assert_eq!(update(&page(text), &[Outcome::default()]), None);

    let crlf = update(&page(&text.replace('\n', "\r\n")), &[outcome("new\n")]);
    assert_eq!(crlf, updated("new\n").map(|text| text.replace('\n', "\r\n")));
}

#[test]
fn an_updated_page_reads_the_same_tests() {
    let text = "# A\n\n```text output\n```\n\n# B\n\n```text errors\n```";
    let before = page(text);
    let updates = vec![
        Update { line: 3, text: "`````\n# C\n``\n".to_owned() },
        Update { line: 8, text: "a-b x.md:1:1\n".to_owned() },
    ];
    let outcome = Outcome { failures: Vec::new(), updates };
    let after = update(&before, &[outcome]).unwrap_or_default();
    assert_eq!(names(&after), ["A", "B"]);
}

#[test]
fn a_report_says_where_what_and_how_to_run_it_again() {
    let failure = |line, title: &str| Failure {
        line,
        title: title.to_owned(),
        detail: "- a⏎\n+ b⏎\n".to_owned(),
    };
    let outcome =
        Outcome { failures: vec![failure(3, "one"), failure(9, "two")], updates: Vec::new() };
    assert_eq!(
        outcome.report("page.md", "test 'A'"),
        "page.md:3: one\n- a⏎\n+ b⏎\npage.md:9: two\n- a⏎\n+ b⏎\nrun it again: test 'A'\n"
    );
    assert!(Outcome::default().passed());
}

#[cfg(unix)]
#[test]
fn consoles_show_both_outputs_and_the_status() {
    let text = "\
# A

`in.txt`:

```text no-eol
given
```

```text console
$ mdgraft -c 'echo out; echo err >&2; cat; exit 3' < in.txt
out
err
given
? 3
$ mdgraft -c 'pwd | tail -c 6'
/root
```
";
    let page = page(text);
    let options = RunOptions { program: Some(Path::new("/bin/sh")) };
    let outcome = run(&page.tests()[0], &options);
    assert_eq!(outcome.report(page.path(), "again"), "");
    let without = run(&page.tests()[0], &RunOptions::default());
    assert!(without.report(page.path(), "again").contains("there is no program"));
}

#[cfg(unix)]
#[test]
fn stages_change_the_files_and_nothing_is_written_through_a_link() {
    let text = "\
# A

`a.md`:

```md
one
```

`link.md`:

```text symlink
../beside.md
```

```toml config
outside = { \"beside.md\" = \"beside\" }
```

```text console
$ mdgraft -c 'cat a.md link.md'
one
beside
```

`link.md`:

```md stage=2
two
```

```text remove stage=2
a.md
```

```text console stage=2
$ mdgraft -c 'ls; cat link.md ../beside.md'
link.md
two
beside
```
";
    let page = page(text);
    let options = RunOptions { program: Some(Path::new("/bin/sh")) };
    assert_eq!(run(&page.tests()[0], &options).report(page.path(), "again"), "");

    let through = text.replace("`link.md`:\n\n```md", "`link.md/x.md`:\n\n```md");
    let outcome = run(&self::page(&through).tests()[0], &options);
    let report = outcome.report("page.md", "again");
    assert!(report.contains("`link.md/x.md` cannot be laid: it lies behind a link"), "{report}");

    let gone = text
        .replace("a.md\n```\n\n```text console stage=2", "b.md\n```\n\n```text console stage=2");
    let outcome = run(&self::page(&gone).tests()[0], &options);
    assert!(outcome.report("page.md", "again").contains("`b.md` cannot be laid"));
}
