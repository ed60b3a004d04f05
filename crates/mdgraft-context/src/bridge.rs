//! What a model is given: the section that explains the folder, the four tools, and the answers.

use std::collections::BTreeMap;

use mdgraft::{Engine, Include, MemoryLoader, RenderOptions, Vars, render_with};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::{ContextError, plain};
use crate::sandbox::ContextFolder;
use crate::tools::{GrepRequest, ListRequest, ReadRequest, SearchRequest};

/// The file that explains the folder, where the user has one of their own.
pub(crate) const PROMPT_FILE: &str = "agent/prompts/context.md";

const BUILT_IN: &str = include_str!("../templates/prompt.md");

/// A tool as a model is told of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ToolSchema {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// The four tools, in the order list, search, grep, read.
#[must_use]
pub fn tool_schemas() -> [ToolSchema; 4] {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let number = |least: u32, most: u32, description: &str| json!({ "type": "integer", "minimum": least, "maximum": most, "description": description });
    let object = |properties: Value, required: &[&str]| {
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    };
    let folder = text("A folder, as a path from `/`. The whole context folder, if left out.");
    let pattern = "A pattern for paths: `*` and `?` within a name, `**` over folders, `[…]`, \
                   `{…}`. It matches at any depth. No leading `/`, no `..`.";
    [
        ToolSchema {
            name: "list",
            description: "List a folder of the context: names, sizes of files, numbers of items \
                          in folders.",
            parameters: object(json!({ "path": folder }), &[]),
        },
        ToolSchema {
            name: "search",
            description: "Find files of the context by a pattern for their paths, as in \
                          `**/table=*order*/columns.md`.",
            parameters: object(
                json!({
                    "pattern": text(pattern),
                    "path": folder,
                    "max_results": number(1, 10_000, "The files to give; 100, if left out."),
                }),
                &["pattern"],
            ),
        },
        ToolSchema {
            name: "grep",
            description: "Find lines in files of the context by a regular expression.",
            parameters: object(
                json!({
                    "pattern": text("A regular expression for a part of a line."),
                    "path": text("A folder or file, as a path from `/`. All, if left out."),
                    "glob": text(pattern),
                    "case_insensitive": {
                        "type": "boolean",
                        "description": "Take upper and lower case for the same.",
                    },
                    "context_lines": number(0, 20, "Lines to give before and after a match."),
                    "max_results": number(1, 10_000, "The matches to give; 100, if left out."),
                }),
                &["pattern"],
            ),
        },
        ToolSchema {
            name: "read",
            description: "Read a file of the context, or some of its lines.",
            parameters: object(
                json!({
                    "file_path": text("A file, as a path from `/`."),
                    "first_line": number(1, u32::MAX, "The first line, from 1."),
                    "last_line": number(1, u32::MAX, "The last line, which is read too."),
                }),
                &["file_path"],
            ),
        },
    ]
}

/// The four tools as JSON: a list of `{name, description, parameters}`.
#[must_use]
pub fn tools_json() -> String {
    let wire = |tool: &ToolSchema| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        })
    };
    format!("{:#}\n", Value::from(tool_schemas().iter().map(wire).collect::<Vec<_>>()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    #[serde(default)]
    path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArguments {
    pattern: String,
    #[serde(default)]
    path: String,
    max_results: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrepArguments {
    pattern: String,
    #[serde(default)]
    path: Option<String>,
    glob: Option<String>,
    #[serde(default)]
    case_insensitive: Option<bool>,
    context_lines: Option<usize>,
    max_results: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    file_path: String,
    first_line: Option<usize>,
    last_line: Option<usize>,
}

impl ContextFolder {
    /// Answers a call of one of the four tools, as the model is given the answer.
    ///
    /// The arguments are the JSON that a model wrote. What goes wrong is an error whose message
    /// can be given to the model.
    ///
    /// # Errors
    ///
    /// [`ContextError::Argument`] for an unknown tool or arguments that do not fit, and those of
    /// the tool.
    pub fn call(&self, tool: &str, arguments: &str) -> Result<String, ContextError> {
        match tool {
            "list" => {
                let ListArguments { path } = read(tool, arguments)?;
                let listing = self.list(&ListRequest { path, ..ListRequest::default() })?;
                Ok(listing.to_text())
            }
            "search" => {
                let SearchArguments { pattern, path, max_results } = read(tool, arguments)?;
                let max_results = max_results.unwrap_or(SearchRequest::default().max_results);
                Ok(self.search(&SearchRequest { pattern, path, max_results })?.to_text())
            }
            "grep" => {
                let given: GrepArguments = read(tool, arguments)?;
                let default = GrepRequest::default();
                let request = GrepRequest {
                    pattern: given.pattern,
                    path: given.path.unwrap_or_default(),
                    glob: given.glob,
                    case_insensitive: given.case_insensitive.unwrap_or_default(),
                    context_lines: given.context_lines.unwrap_or_default(),
                    max_results: given.max_results.unwrap_or(default.max_results),
                };
                Ok(self.grep(&request)?.to_text())
            }
            "read" => {
                let ReadArguments { file_path, first_line, last_line } = read(tool, arguments)?;
                Ok(self.read(&ReadRequest { path: file_path, first_line, last_line })?.to_text())
            }
            other => {
                let names = tool_schemas().map(|tool| tool.name).join(", ");
                let message = format!("there is no tool `{}`; there are {names}", plain(other));
                Err(ContextError::Argument(message))
            }
        }
    }

    /// The section that explains the folder to a model, as Markdown.
    ///
    /// It is a template of this engine with the inputs `tables`, `databases` and `rules`. A file
    /// `agent/prompts/context.md` in the folder takes the place of the built-in one; it may
    /// include other files of the folder.
    ///
    /// # Errors
    ///
    /// [`ContextError::Argument`] with what is wrong with the template, and as
    /// [`objects`](Self::objects).
    pub fn prompt(&self) -> Result<String, ContextError> {
        let rules = self.rules()?;
        let is_replaced = match self.find(PROMPT_FILE, &rules) {
            Ok(_) => true,
            Err(ContextError::NotFound { .. }) => false,
            Err(error) => return Err(error),
        };
        let vars = self.prompt_vars()?;
        let built_in = Engine::new(MemoryLoader::from([(PROMPT_FILE, BUILT_IN)]));
        let engine = if is_replaced { Engine::new(self.again()?) } else { built_in };
        let fault =
            |diagnostics: mdgraft::Diagnostics| ContextError::Argument(diagnostics.to_string());
        let tree = engine.load(PROMPT_FILE).map_err(fault)?;
        let options = RenderOptions { include: Include::default(), ..RenderOptions::default() };
        let rendered = render_with(&tree, &vars, &options).map_err(fault)?;
        Ok(rendered.into_text())
    }

    fn prompt_vars(&self) -> Result<Vars, ContextError> {
        #[derive(Serialize)]
        struct Values {
            tables: usize,
            databases: Vec<OneDatabase>,
            rules: String,
        }
        #[derive(Serialize)]
        struct OneDatabase {
            #[serde(rename = "type")]
            kind: String,
            database: String,
            tables: usize,
        }
        let objects = self.objects()?;
        let mut databases: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for object in objects.iter() {
            *databases.entry((&object.kind, &object.database)).or_default() += 1;
        }
        let read = self.read(&ReadRequest { path: "/RULES.md".to_owned(), ..Default::default() });
        let rules = match read {
            Ok(content) => content.text,
            Err(ContextError::NotFound { .. } | ContextError::Denied { .. }) => String::new(),
            Err(error) => return Err(error),
        };
        let one = |((kind, database), tables): ((&str, &str), usize)| OneDatabase {
            kind: kind.to_owned(),
            database: database.to_owned(),
            tables,
        };
        let databases = databases.into_iter().map(one).collect();
        let values = Values { tables: objects.len(), databases, rules };
        Vars::from_serialize(&values).map_err(|error| ContextError::Argument(error.to_string()))
    }
}

fn read<'a, T: Deserialize<'a>>(tool: &str, arguments: &'a str) -> Result<T, ContextError> {
    serde_json::from_str(arguments).map_err(|error| {
        ContextError::Argument(format!("the arguments of `{tool}` do not fit: {error}"))
    })
}
