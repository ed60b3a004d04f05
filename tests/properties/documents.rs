//! Random prompts: documents of blocks in blocks, documents of odd lines, and values that try to
//! get out of where they stand.

use crate::prompt::{Given, Prompt};
use crate::random::Random;

/// The files of a prompt; one includes only those behind it.
const FILES: [&str; 4] = ["main.md", "a.md", "b.md", "sub/c.md"];

const FLAGS: [&str; 3] = ["c0", "c1", "c2"];
const TEXTS: [&str; 3] = ["v0", "v1", "v2"];
const LIST: &str = "l0";

/// A random prompt.
pub(crate) fn prompt(random: &mut Random) -> Prompt {
    let count = [1, 1, 2, 2, 3, 4][random.below(6)];
    let mut prompt = Prompt::default();
    for (index, path) in FILES.iter().enumerate().take(count) {
        let text = file(random, index, count);
        prompt.files.push(((*path).to_owned(), text));
    }
    for name in FLAGS {
        prompt.values.push((name.to_owned(), Given::Flag(random.percent(50))));
    }
    let hostile = random.percent(50);
    for name in TEXTS {
        prompt.values.push((name.to_owned(), Given::Text(value(random, hostile))));
    }
    let rounds = random.below(4);
    let list = (0..rounds).map(|_| value(random, hostile)).collect();
    prompt.values.push((LIST.to_owned(), Given::List(list)));
    prompt.strip_comments = random.percent(15);
    prompt
}

/// A filter over paths of sections that a prompt has.
pub(crate) fn filter(random: &mut Random, prompt: &mut Prompt, paths: &[String]) {
    if paths.is_empty() || random.percent(50) {
        return;
    }
    for _ in 0..=random.below(3) {
        let path = &paths[random.below(paths.len())];
        let path = if random.percent(8) { "/" } else { path };
        let sign = if random.percent(40) { "!" } else { "" };
        prompt.include.push(format!("{sign}{path}"));
    }
    prompt.ancestors = random.percent(40);
}

fn file(random: &mut Random, index: usize, count: usize) -> String {
    let mut writer = Writer { random, index, count, depth: 0 };
    let lines = if writer.random.percent(65) { writer.blocks(5) } else { writer.soup() };
    let front = if random.percent(10) { "---\nname: x\n---\n" } else { "" };
    let mut text = format!("{front}{}\n", lines.join("\n"));
    match random.below(12) {
        0 => text = text.replace('\n', "\r\n"),
        1 => text = format!("\u{feff}{text}"),
        2 => text.truncate(text.trim_end().len()),
        _ => {}
    }
    text
}

struct Writer<'r> {
    random: &'r mut Random,
    /// The number of this file, and how many there are.
    index: usize,
    count: usize,
    depth: usize,
}

type Lines = Vec<String>;

impl Writer<'_> {
    /// Blocks, with no, one or more blank lines between.
    fn blocks(&mut self, most: usize) -> Lines {
        let mut lines = Vec::new();
        for _ in 0..=self.random.below(most) {
            lines.extend(self.block());
            let blanks = [0, 0, 0, 1, 1, 1, 1, 2][self.random.below(8)];
            for _ in 0..blanks {
                lines.push(self.random.pick(&["", "", "", "", " ", "\t"]).to_owned());
            }
        }
        lines
    }

    fn block(&mut self) -> Lines {
        self.depth += 1;
        let deep = self.depth > 4;
        let lines = match self.random.below(if deep { 62 } else { 100 }) {
            0..=13 => vec![self.hash_heading()],
            14..=19 => self.underlined_heading(),
            20..=34 => self.paragraph(),
            35..=38 => self.indented_code(),
            39..=44 => self.fence(),
            45..=50 => self.html(),
            51..=53 => self.include(),
            54..=55 => vec![self.random.pick(&["***", "---", "- - -", " ___"]).to_owned()],
            56..=57 => vec![self.indented(&format!("{{{{{}}}}}", self.name()))],
            58 => vec!["[x]: /y".to_owned()],
            59..=60 => vec![self.random.pick(&COMMENTS).to_owned()],
            61 => vec![format!("<!-- role: {} -->", self.random.pick(&["user", "assistant"]))],
            62..=71 => self.list(),
            72..=78 => self.quote(),
            79..=80 => self.raw(),
            _ => self.directive_block(),
        };
        self.depth -= 1;
        lines
    }

    fn indented(&mut self, line: &str) -> String {
        let blanks = [0, 0, 0, 0, 0, 0, 1, 2, 3][self.random.below(9)];
        format!("{}{line}", " ".repeat(blanks))
    }

    fn name(&self) -> &'static str {
        TEXTS[self.depth % TEXTS.len()]
    }

    fn hash_heading(&mut self) -> String {
        let level = 1 + self.random.below(6).min(self.random.below(6));
        let text = self.title();
        let end = self.random.pick(&["", "", "", "", " #", " ##  ", "#", " \\#"]);
        let line = format!("{} {text}{end}", "#".repeat(level));
        self.indented(&line)
    }

    fn title(&mut self) -> String {
        let title = self.random.pick(&TITLES).to_owned();
        match self.random.below(10) {
            0 => format!("{title} {{{{{}}}}}", self.name()),
            1 => format!("{{{{{}}}}}", self.name()),
            _ => title,
        }
    }

    fn underlined_heading(&mut self) -> Lines {
        let mut lines = vec![self.title()];
        for _ in 0..[0, 0, 0, 1, 2][self.random.below(5)] {
            lines.push(self.inline());
        }
        lines.retain(|line| !line.is_empty());
        let first = if lines.is_empty() { "a".to_owned() } else { lines.remove(0) };
        lines.insert(0, self.indented(&first));
        let underline = self.random.pick(&["===", "---", "=", "-", "==  ", "-----"]);
        lines.push(self.indented(underline));
        lines
    }

    fn paragraph(&mut self) -> Lines {
        let count = 1 + self.random.below(3);
        let lines = (0..count).map(|_| {
            let line = self.inline();
            if self.random.percent(10) { format!("    {line}") } else { self.indented(&line) }
        });
        lines.collect()
    }

    fn inline(&mut self) -> String {
        let mut line = String::new();
        for index in 0..=self.random.below(3) {
            if index > 0 {
                line.push(' ');
            }
            match self.random.below(14) {
                0 => line.push_str(&format!("{{{{{}}}}}", self.name())),
                1 => {
                    let flag = self.random.pick(&FLAGS);
                    let (then, other) = (self.random.pick(&WORDS), self.random.pick(&WORDS));
                    line.push_str(&match self.random.below(3) {
                        0 => format!("<!-- if: {flag} -->{then}<!-- else -->{other}<!-- endif -->"),
                        _ => format!("<!-- if: {flag} -->{then}<!-- endif -->"),
                    });
                }
                2 => line.push_str(self.random.pick(&ESCAPES)),
                _ => line.push_str(self.random.pick(&WORDS)),
            }
        }
        line
    }

    fn indented_code(&mut self) -> Lines {
        let count = 1 + self.random.below(3);
        (0..count).map(|_| format!("    {}", self.random.pick(&ODD))).collect()
    }

    fn fence(&mut self) -> Lines {
        let sign = self.random.pick(&["`", "~"]);
        let signs = sign.repeat(3 + self.random.below(2));
        let info = self.random.pick(&["", "", "md", "raw", "x hidden", "json example", " {{v0}}"]);
        let blanks = " ".repeat([0, 0, 0, 1, 2, 3][self.random.below(6)]);
        let mut lines = vec![format!("{blanks}{signs}{info}")];
        for _ in 0..self.random.below(4) {
            let line = match self.random.below(5) {
                0 => format!("{{{{{}}}}}", self.name()),
                1 => String::new(),
                _ => self.random.pick(&ODD).to_owned(),
            };
            let blanks = if self.random.percent(60) { &blanks } else { "" };
            lines.push(format!("{blanks}{line}"));
        }
        if self.random.percent(92) {
            lines.push(format!("{}{signs}", self.random.pick(&["", &blanks, " "])));
        }
        lines
    }

    fn html(&mut self) -> Lines {
        let (open, close) = HTML[self.random.below(HTML.len())];
        let mut lines = vec![self.indented(open)];
        for _ in 0..self.random.below(3) {
            lines.push(self.random.pick(&ODD).to_owned());
        }
        if self.random.percent(85) {
            lines.push(close.to_owned());
        }
        if self.random.percent(60) {
            lines.push(String::new());
        }
        lines
    }

    fn include(&mut self) -> Lines {
        if self.index + 1 >= self.count {
            return vec!["<<> none.md | optional>>".to_owned()];
        }
        let to = self.index + 1 + self.random.below(self.count - self.index - 1);
        let options = self.random.pick(&["", "", "", "", "", " | keep", " | code", " | raw"]);
        vec![self.indented(&format!("<<> /{}{options}>>", FILES[to]))]
    }

    fn list(&mut self) -> Lines {
        let marker = self.random.pick(&["-", "+", "*", "1.", "2)", "10."]);
        let mut lines = Vec::new();
        for _ in 0..=self.random.below(2) {
            let pad = [1, 1, 1, 2, 4][self.random.below(5)];
            let before = " ".repeat([0, 0, 0, 1, 2][self.random.below(5)]);
            let first = format!("{before}{marker}{}", " ".repeat(pad));
            let further = " ".repeat(first.len());
            let mut inner = self.blocks(2);
            if self.random.percent(10) {
                inner.insert(0, String::new());
            }
            for (index, line) in inner.into_iter().enumerate() {
                let lazy = index > 0 && self.random.percent(5);
                let prefix = if index == 0 { &first } else { &further };
                let prefix = if lazy || line.is_empty() && index > 0 { "" } else { prefix };
                lines.push(format!("{prefix}{line}"));
            }
            if self.random.percent(30) {
                lines.push(String::new());
            }
        }
        lines
    }

    fn quote(&mut self) -> Lines {
        let prefix = self.random.pick(&["> ", "> ", ">", " > "]);
        let lines = self.blocks(2).into_iter().enumerate().map(|(index, line)| {
            let lazy = index > 0 && self.random.percent(5);
            if lazy { line } else { format!("{prefix}{line}") }
        });
        lines.collect()
    }

    fn raw(&mut self) -> Lines {
        let mut lines = vec!["<!-- raw -->".to_owned()];
        lines.extend(self.blocks(2));
        lines.push("<!-- endraw -->".to_owned());
        lines
    }

    fn directive_block(&mut self) -> Lines {
        let flag = self.random.pick(&FLAGS);
        let (open, between, close) = match self.random.below(8) {
            0 => (format!("<!-- for: v1 in {LIST} -->"), None, "<!-- endfor -->"),
            1 => (
                format!("<!-- if: {flag} -->"),
                Some(format!("<!-- elif: {} -->", self.random.pick(&FLAGS))),
                "<!-- endif -->",
            ),
            2..=3 => {
                (format!("<!-- if: {flag} -->"), Some("<!-- else -->".to_owned()), "<!-- endif -->")
            }
            _ => (format!("<!-- if: {flag} -->"), None, "<!-- endif -->"),
        };
        let mut lines = vec![self.indented(&open)];
        if self.random.percent(25) {
            lines.push(String::new());
        }
        lines.extend(self.blocks(3));
        if let Some(between) = between {
            lines.push(between);
            lines.extend(self.blocks(2));
        }
        lines.push(close.to_owned());
        lines
    }

    /// Odd lines, with directives around some of them.
    fn soup(&mut self) -> Lines {
        let count = 2 + self.random.below(8);
        let mut lines: Lines = (0..count)
            .map(|_| {
                let quotes = self.random.pick(&["", "", "", "", "", "", "> ", ">", "- ", "1. "]);
                let blanks = " ".repeat([0, 0, 0, 0, 1, 2, 3, 4][self.random.below(8)]);
                let line = match self.random.below(12) {
                    0 => format!("{{{{{}}}}}", self.name()),
                    1 => format!("x {{{{{}}}}} y", self.name()),
                    2 => self.inline(),
                    3 => self.include().concat(),
                    4..=5 => String::new(),
                    _ => self.random.pick(&ODD).to_owned(),
                };
                if self.random.percent(50) {
                    format!("{quotes}{blanks}{line}")
                } else {
                    format!("{blanks}{quotes}{line}")
                }
            })
            .collect();
        for _ in 0..self.random.below(4) {
            let first = self.random.below(lines.len() + 1);
            let last = first + self.random.below(lines.len() + 1 - first);
            let quotes = self.random.pick(&["", "", "", "", "> ", "  "]);
            let flag = self.random.pick(&FLAGS);
            lines.insert(last, format!("{quotes}<!-- endif -->"));
            lines.insert(first, format!("{quotes}<!-- if: {flag} -->"));
        }
        lines
    }
}

const TITLES: [&str; 14] = [
    "A",
    "B",
    "C",
    "D E",
    "*F*",
    "`g`",
    "[h](/i)",
    "é",
    "漢字",
    "A\u{301}",
    "<b>J</b>",
    "K <!-- x -->",
    "1. L",
    "",
];

const WORDS: [&str; 22] = [
    "a",
    "b c",
    "é",
    "漢字",
    "`x`",
    "`` ` ``",
    "*d*",
    "[x]",
    "<b>",
    "</b>",
    "&amp;",
    "\\",
    "e\\",
    "$",
    "}}",
    "f  ",
    "\tg",
    "`",
    "<!-- x -->",
    "http://h.i",
    "-",
    "=",
];

const ESCAPES: [&str; 6] = ["\\{{x}}", "\\\\{{v0}}", "\\{\\{ x \\}\\}", "${{v0}}", "\\<<>", "{{ x"];

const COMMENTS: [&str; 5] =
    ["<!-- x -->", "<!-- x\n# y\n-->", "  <!-- x --> y", "<!---->", "<!-- x -->\n# A"];

const HTML: [(&str, &str); 12] = [
    ("<div>", "</div>"),
    ("<rules>", "</rules>"),
    ("<a href=\"x\">", "</a>"),
    ("</div>", ""),
    ("<pre>", "</pre>"),
    ("<script>", "</script>"),
    ("<style>", "</style> x"),
    ("<!-- x", "-->"),
    ("<?x", "?>"),
    ("<!X", ">"),
    ("<![CDATA[", "]]>"),
    ("<div", ">"),
];

/// Lines that mean something in one place and nothing, or something else, in another.
const ODD: [&str; 52] = [
    "# A",
    "## B",
    "  # C",
    "   ## D",
    "#",
    "# ",
    "#x",
    "    # E",
    "\t# F",
    "===",
    "---",
    "=",
    "-",
    "- ",
    "***",
    "+",
    "*",
    "* * *",
    "1.",
    "2.",
    "2. a",
    "1. a",
    "10) a",
    "- a",
    "+ # a",
    "-   b",
    "  - c",
    "> a",
    ">",
    "> # q",
    "a",
    "b c",
    "  d",
    "    e",
    "\tf",
    "```",
    "~~~",
    "````",
    "``` x",
    "<div>",
    "</div>",
    "<pre>",
    "</pre>",
    "<!-- x",
    "-->",
    "<!-- x -->",
    "<b>",
    "[x]: /y",
    "[x]:",
    "/y",
    "\\",
    "a  ",
];

fn value(random: &mut Random, hostile: bool) -> String {
    if !hostile {
        return random.pick(&["v", "two words", "w\nx", "é", "漢字"]).to_owned();
    }
    let mut value = String::new();
    for index in 0..=random.below(3) {
        if index > 0 {
            value.push_str(random.pick(&["", "\n", "\n", "\n\n"]));
        }
        value.push_str(match random.below(3) {
            0 => random.pick(&HOSTILE),
            _ => random.pick(&ODD),
        });
    }
    value
}

const HOSTILE: [&str; 28] = [
    "",
    " ",
    "\t",
    "\n",
    "word",
    "{{c0}}",
    "<<> a.md>>",
    "<!-- endif -->",
    "`",
    "``",
    "~~~ x",
    "<?x",
    "?>",
    "<![CDATA[",
    "]]>",
    "<!X",
    "<a",
    "<a>",
    "</pre",
    "| a |",
    "|---|",
    "\\",
    "1",
    "#",
    "é",
    "\r\n",
    "<script>",
    "</script>",
];
