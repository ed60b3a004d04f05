//! The info string of a block: `LANGUAGE ROLE [OPTIONS]`.

use crate::error::Fault;
use crate::expect::Kind;

/// What a block is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// An input file: the role of a block without one.
    File,
    Symlink,
    Remove,
    Vars,
    Config,
    Expect(Kind),
}

/// Every role that is written, in the order in which they are listed to the reader.
const ROLES: [(&str, Role); 14] = [
    ("output", Role::Expect(Kind::Output)),
    ("errors", Role::Expect(Kind::Errors)),
    ("warnings", Role::Expect(Kind::Warnings)),
    ("diagnostics", Role::Expect(Kind::Diagnostics)),
    ("human", Role::Expect(Kind::Human)),
    ("messages", Role::Expect(Kind::Messages)),
    ("outline", Role::Expect(Kind::Outline)),
    ("origins", Role::Expect(Kind::Origins)),
    ("work", Role::Expect(Kind::Work)),
    ("console", Role::Expect(Kind::Console)),
    ("vars", Role::Vars),
    ("config", Role::Config),
    ("symlink", Role::Symlink),
    ("remove", Role::Remove),
];

const OPTIONS: [&str; 4] = ["no-eol", "base64", "check", "stage=2"];

/// An info string that was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Info {
    pub(crate) language: String,
    pub(crate) role: Role,
    pub(crate) stage: u32,
    /// The last line end of the block is not part of it.
    pub(crate) no_eol: bool,
    /// The block is bytes in base64.
    pub(crate) base64: bool,
    /// What is expected is expected of a check, not of a render.
    pub(crate) check: bool,
}

/// Reads an info string; `line` is that of its block.
pub(crate) fn read_info(info: &str, line: usize) -> Result<Info, Fault> {
    let mut words = info.split_whitespace();
    let language = words.next().unwrap_or_default().to_owned();
    let mut read =
        Info { language, role: Role::File, stage: 1, no_eol: false, base64: false, check: false };
    let mut role: Option<&str> = None;
    for word in words {
        if let Some(&(name, value)) = ROLES.iter().find(|(name, _)| *name == word) {
            if let Some(before) = role {
                let message = format!("a block has one role, not `{before}` and `{name}`");
                return Err(Fault::new(line, message));
            }
            role = Some(name);
            read.role = value;
            continue;
        }
        match word {
            "no-eol" => read.no_eol = true,
            "base64" => read.base64 = true,
            "check" => read.check = true,
            _ => read.stage = stage(word, line)?,
        }
    }
    if role.is_none() {
        read.role = role_of_language(&read.language, line)?;
    }
    check_options(&read, role.unwrap_or("a file"), line)?;
    Ok(read)
}

fn stage(word: &str, line: usize) -> Result<u32, Fault> {
    let Some(number) = word.strip_prefix("stage=") else {
        let known = ROLES.iter().map(|(name, _)| *name).chain(OPTIONS);
        let fault = Fault::new(line, format!("unknown role or option `{word}`"));
        return Err(fault.help_known(word, known));
    };
    match number.parse::<u32>() {
        Ok(stage) if stage > 0 => Ok(stage),
        _ => Err(Fault::new(line, format!("`{number}` is no stage"))
            .help("stages are counted from 1, as in `stage=2`")),
    }
}

/// A block with one word is a file in that language. `console` is language and role alike; any
/// other role that stands alone was meant to be one.
fn role_of_language(language: &str, line: usize) -> Result<Role, Fault> {
    match ROLES.iter().find(|(name, _)| *name == language) {
        None => Ok(Role::File),
        Some(("console", role)) => Ok(*role),
        Some((name, _)) => {
            let fault = Fault::new(line, format!("a language stands before the role `{name}`"));
            Err(fault.help(format!("write `text {name}`, or another language")))
        }
    }
}

/// An option that says nothing about its role was meant for another block.
fn check_options(info: &Info, role: &str, line: usize) -> Result<(), Fault> {
    let text = matches!(info.role, Role::File | Role::Expect(Kind::Output));
    let findings = matches!(
        info.role,
        Role::Expect(Kind::Errors | Kind::Warnings | Kind::Diagnostics | Kind::Human)
    );
    let rules = [
        ("no-eol", info.no_eol, text, "files and `output`"),
        ("base64", info.base64, info.role == Role::File, "files"),
        ("check", info.check, findings, "`errors`, `warnings`, `diagnostics` and `human`"),
    ];
    for (option, given, fits, place) in rules {
        if given && !fits {
            let fault = Fault::new(line, format!("`{option}` means nothing for `{role}`"));
            return Err(fault.help(format!("`{option}` goes with {place}")));
        }
    }
    let languages: &[&str] = match info.role {
        Role::Vars => &["toml", "json"],
        Role::Config => &["toml"],
        _ => return Ok(()),
    };
    if languages.contains(&info.language.as_str()) {
        return Ok(());
    }
    let fault = Fault::new(line, format!("`{}` is no language for `{role}`", info.language));
    Err(fault.help(format!("write it in {}", languages.join(" or "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(info: &str) -> String {
        match read_info(info, 1) {
            Ok(info) => format!("{:?} stage {}", info.role, info.stage),
            Err(fault) => format!("{} ({})", fault.message, fault.help.unwrap_or_default()),
        }
    }

    #[test]
    fn roles_and_options_stand_in_any_order() {
        assert_eq!(message(""), "File stage 1");
        assert_eq!(message("md"), "File stage 1");
        assert_eq!(message("md no-eol stage=3"), "File stage 3");
        assert_eq!(message("text stage=2 symlink"), "Symlink stage 2");
        assert_eq!(message("text warnings check"), "Expect(Warnings) stage 1");
        assert_eq!(message("console"), "Expect(Console) stage 1");
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
        assert_eq!(
            message("text ouput"),
            "unknown role or option `ouput` (did you mean `output`?)"
        );
        assert!(message("text xyzzy").contains("known are `output`, `errors`"));
        assert_eq!(
            message("output"),
            "a language stands before the role `output` (write `text output`, or another language)"
        );
        assert!(message("text output errors").starts_with("a block has one role"));
        assert!(message("md stage=0").starts_with("`0` is no stage"));
        assert!(message("text output base64").starts_with("`base64` means nothing for `output`"));
        assert!(message("yaml vars").starts_with("`yaml` is no language for `vars`"));
    }
}
