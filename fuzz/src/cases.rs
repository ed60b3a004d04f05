//! A set of prompt files with values and options, and the text form in which it is kept.
//!
//! ```text
//! @@ main.md
//! # Title
//! {{x}}
//! @@ options
//! include: Title
//! guard
//! max_output: 100
//! @@ vars
//! {"x": "a"}
//! ```

use std::fmt;

use arbitrary::Unstructured;
use mdgraft::{
    CheckOptions, Engine, Guard, Include, Limits, LoadOptions, MemoryLoader, RenderOptions, Value,
    Vars,
};

use crate::generate;

/// A set of prompt files, and how they are rendered. The first file is the entry.
#[derive(Clone, Debug, Default)]
pub struct Case {
    pub files: Vec<(String, Vec<u8>)>,
    pub vars: Vars,
    pub options: Options,
}

/// How a case is loaded and rendered.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub include: Vec<Entry>,
    pub ancestors: bool,
    pub tidy: bool,
    pub guard: bool,
    pub strip: bool,
    pub variant: Option<String>,
    pub max_output: Option<usize>,
    pub max_expansions: Option<usize>,
    pub max_depth: Option<usize>,
}

/// An entry of a filter.
#[derive(Clone, Debug)]
pub enum Entry {
    Path(String),
    Titles(Vec<String>),
}

/// Begins the header line of each part of the text form.
const MARK: &str = "@@ ";

impl Case {
    /// The case that bytes stand for: what begins like the text form is read as that, anything
    /// else feeds the generator.
    #[must_use]
    pub fn of(data: &[u8], shape: generate::Shape) -> Self {
        if let Some(text) = data.strip_prefix(MARK.as_bytes()) {
            return Self::read(text);
        }
        generate::case(&mut Unstructured::new(data), shape)
    }

    fn read(text: &[u8]) -> Self {
        let mut case = Self::default();
        for part in split(text, b"\n@@ ") {
            let end = part.iter().position(|&byte| byte == b'\n').unwrap_or(part.len());
            let (header, content) = part.split_at(end);
            let content = content.strip_prefix(b"\n").unwrap_or_default();
            let header = String::from_utf8_lossy(header);
            match header.trim() {
                "vars" => case.vars = vars(content),
                "options" => case.options = options(content),
                path => {
                    case.files.retain(|(other, _)| other != path);
                    case.files.push((path.to_owned(), content.to_vec()));
                }
            }
        }
        case
    }

    /// The text form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut parts: Vec<(String, Vec<u8>)> = self.files.clone();
        let options = self.options.to_string();
        if !options.is_empty() {
            parts.push(("options".to_owned(), options.into_bytes()));
        }
        if !self.vars.is_empty() {
            let json = Value::from(self.vars.clone()).to_json(None);
            parts.push(("vars".to_owned(), json.into_bytes()));
        }
        let mut bytes = Vec::new();
        for (index, (header, content)) in parts.iter().enumerate() {
            if index > 0 {
                bytes.push(b'\n');
            }
            bytes.extend(format!("{MARK}{header}\n").as_bytes());
            bytes.extend(content);
        }
        bytes
    }

    /// The path of the entry.
    #[must_use]
    pub fn entry(&self) -> &str {
        self.files.first().map_or("main.md", |(path, _)| path)
    }

    /// Whether a text occurs in any file.
    #[must_use]
    pub fn mentions(&self, text: &str) -> bool {
        let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|at| at == text.as_bytes());
        self.files.iter().any(|(_, bytes)| holds(bytes))
    }

    #[must_use]
    pub fn engine(&self) -> Engine {
        let loader = MemoryLoader::new(self.files.iter().map(|(path, text)| (path, text.clone())));
        Engine::new(loader).with_limits(self.limits())
    }

    #[must_use]
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        // Smaller than by default: a run is to show how a limit is met, not to wait for it.
        limits.max_output = self.options.max_output.unwrap_or(100_000).min(100_000);
        limits.max_expansions = self.options.max_expansions.unwrap_or(300).min(300);
        limits.max_depth = self.options.max_depth.unwrap_or(12).min(64);
        limits
    }

    #[must_use]
    pub fn load_options(&self) -> LoadOptions {
        LoadOptions { variant: self.options.variant.clone(), strip_comments: self.options.strip }
    }

    #[must_use]
    pub fn check_options(&self) -> CheckOptions {
        CheckOptions { load: self.load_options(), ..CheckOptions::default() }
    }

    #[must_use]
    pub fn render_options(&self) -> RenderOptions {
        let mut include = Include::default();
        for entry in &self.options.include {
            match entry {
                Entry::Path(path) => include.push_path(path),
                Entry::Titles(titles) => include.push_titles(titles),
            }
        }
        RenderOptions {
            include,
            ancestors: self.options.ancestors,
            tidy: self.options.tidy,
            guard: if self.options.guard { Guard::Error } else { Guard::Warn },
            origins: true,
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.to_bytes()))
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.include {
            match entry {
                Entry::Path(path) => writeln!(f, "include: {}", path.replace('\n', " "))?,
                Entry::Titles(titles) => {
                    writeln!(f, "titles: {}", titles.join("\t").replace('\n', " "))?;
                }
            }
        }
        for (word, on) in [
            ("ancestors", self.ancestors),
            ("tidy", self.tidy),
            ("guard", self.guard),
            ("strip", self.strip),
        ] {
            if on {
                writeln!(f, "{word}")?;
            }
        }
        if let Some(variant) = &self.variant {
            writeln!(f, "variant: {variant}")?;
        }
        for (word, limit) in [
            ("max_output", self.max_output),
            ("max_expansions", self.max_expansions),
            ("max_depth", self.max_depth),
        ] {
            if let Some(limit) = limit {
                writeln!(f, "{word}: {limit}")?;
            }
        }
        Ok(())
    }
}

fn vars(content: &[u8]) -> Vars {
    let json = String::from_utf8_lossy(content);
    Value::from_json(&json).ok().and_then(|value| Vars::try_from(value).ok()).unwrap_or_default()
}

fn options(content: &[u8]) -> Options {
    let mut options = Options::default();
    for line in String::from_utf8_lossy(content).lines() {
        let (word, rest) = line.split_once(": ").unwrap_or((line, ""));
        match word {
            "include" => options.include.push(Entry::Path(rest.to_owned())),
            "titles" => {
                let titles = rest.split('\t').map(ToOwned::to_owned).collect();
                options.include.push(Entry::Titles(titles));
            }
            "ancestors" => options.ancestors = true,
            "tidy" => options.tidy = true,
            "guard" => options.guard = true,
            "strip" => options.strip = true,
            "variant" => options.variant = Some(rest.to_owned()),
            "max_output" => options.max_output = rest.parse().ok(),
            "max_expansions" => options.max_expansions = rest.parse().ok(),
            "max_depth" => options.max_depth = rest.parse().ok(),
            _ => {}
        }
    }
    options
}

fn split<'a>(mut text: &'a [u8], by: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    while let Some(at) = text.windows(by.len()).position(|window| window == by) {
        parts.push(&text[..at]);
        text = &text[at + by.len()..];
    }
    parts.push(text);
    parts
}
