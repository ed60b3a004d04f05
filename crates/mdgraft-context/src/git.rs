//! The `git` command. The only file that starts a program.
//!
//! A repository is somebody else's text: what it configures, hooks, filters and submodules must
//! not run here. Credentials are those that the user has set up for git; no token passes through
//! this program.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::plain;

/// The commit that a branch stands at; the main branch of the repository if none is given.
pub(crate) fn latest(url: &str, branch: Option<&str>) -> Result<String, String> {
    check(url, branch)?;
    let name = branch.map_or_else(|| "HEAD".to_owned(), |branch| format!("refs/heads/{branch}"));
    let answer = git(None, ["ls-remote", "--exit-code", "--", url, &name].map(OsStr::new))
        .map_err(|reason| {
            if reason.is_empty() {
                format!("there is no branch `{}`", plain(branch.unwrap_or("HEAD")))
            } else {
                reason
            }
        })?;
    let commit = answer.split_whitespace().next().unwrap_or_default();
    if !is_commit(commit) {
        return Err("git does not say which commit it is".to_owned());
    }
    Ok(commit.to_owned())
}

/// Copies one commit of a repository into a folder that is not there yet, without its history;
/// the commit.
pub(crate) fn copy(url: &str, branch: Option<&str>, into: &Path) -> Result<String, String> {
    check(url, branch)?;
    let mut arguments: Vec<&OsStr> = [
        "clone",
        "--quiet",
        "--depth=1",
        "--single-branch",
        "--no-tags",
        "--no-recurse-submodules",
        "--template=",
    ]
    .map(OsStr::new)
    .to_vec();
    if let Some(branch) = branch {
        arguments.extend(["--branch", branch].map(OsStr::new));
    }
    arguments.extend([OsStr::new("--"), OsStr::new(url), into.as_os_str()]);
    git(None, arguments)?;
    let commit = git(Some(into), ["rev-parse", "HEAD"].map(OsStr::new))?;
    let commit = commit.trim();
    if !is_commit(commit) {
        return Err("git does not say which commit it is".to_owned());
    }
    Ok(commit.to_owned())
}

fn is_commit(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What git could take for something else than an address and a branch.
fn check(url: &str, branch: Option<&str>) -> Result<(), String> {
    let shown = plain(&without_secrets(url));
    let odd = |text: &str| text.starts_with('-') || text.chars().any(char::is_control);
    if url.is_empty() || odd(url) || url.contains("::") {
        return Err(format!("`{shown}` is no address of a repository"));
    }
    if let Some((scheme, rest)) = url.split_once("://") {
        if !["https", "http", "ssh", "git", "file"].contains(&scheme) {
            return Err(format!("`{shown}`: use https, ssh or a path"));
        }
        let user = rest.split('/').next().unwrap_or_default().rsplit_once('@');
        let has_secret =
            user.is_some_and(|(user, _)| scheme.starts_with("http") || user.contains(':'));
        if has_secret {
            return Err(format!(
                "`{shown}` holds a user or a password; let git keep it (git help credentials)"
            ));
        }
    }
    let is_branch = |branch: &str| {
        let plain =
            |letter: char| letter.is_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-');
        !branch.is_empty() && !odd(branch) && !branch.contains("..") && branch.chars().all(plain)
    };
    match branch.filter(|branch| !is_branch(branch)) {
        Some(branch) => Err(format!("`{}` is no name of a branch", plain(branch))),
        None => Ok(()),
    }
}

/// An address without what stands before its `@`.
fn without_secrets(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        shown.push_str(before);
        shown.push_str("://");
        let end = after.find(|letter: char| letter == '/' || letter.is_whitespace());
        let host = &after[..end.unwrap_or(after.len())];
        rest = match host.rfind('@') {
            Some(at) => {
                shown.push_str("***@");
                &after[at + 1..]
            }
            None => after,
        };
    }
    shown + rest
}

/// Runs git; what it printed, or the last line of what it complained of.
#[expect(clippy::disallowed_methods, reason = "the one place that starts a program")]
fn git<'a>(
    folder: Option<&Path>,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> Result<String, String> {
    let mut command = Command::new("git");
    if let Some(folder) = folder {
        command.arg("-C").arg(folder);
    }
    for setting in [
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "core.symlinks=false",
        "core.autocrlf=false",
        "core.protectNTFS=true",
        "core.protectHFS=true",
        "protocol.ext.allow=never",
        "submodule.recurse=false",
        "fetch.recurseSubmodules=false",
        "transfer.fsckObjects=true",
        "advice.detachedHead=false",
        "gc.auto=0",
    ] {
        command.arg("-c").arg(setting);
    }
    command
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "true")
        .env("SSH_ASKPASS", "true")
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        .env("GIT_ATTR_NOSYSTEM", "1")
        .env("GIT_PROTOCOL_FROM_USER", "0")
        .env("GIT_ALLOW_PROTOCOL", "https:http:ssh:git:file")
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    for inherited in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_NAMESPACE",
        "GIT_TEMPLATE_DIR",
        "GIT_EXTERNAL_DIFF",
        "GIT_TRACE",
        "GIT_TRACE_CURL",
        "GIT_CURL_VERBOSE",
    ] {
        command.env_remove(inherited);
    }
    let output = command.output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "the program `git` is not installed".to_owned(),
        kind => format!("git cannot be run: {kind}"),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said
        .lines()
        .map(str::trim)
        .rfind(|line| line.starts_with("fatal:") || line.starts_with("error:"));
    let line = line.or_else(|| said.lines().next_back()).unwrap_or_default();
    Err(plain(&without_secrets(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_looked_at_before_git_sees_them() {
        let fine = [
            "https://example.org/x.git",
            "ssh://git@example.org/x",
            "git@example.org:x/y.git",
            "file:///srv/x",
            "../x",
        ];
        for url in fine {
            assert_eq!(check(url, Some("feature/x-1.0")), Ok(()), "{url}");
        }
        let bad = [
            "",
            "--upload-pack=touch x",
            "ext::sh -c touch% x",
            "fd::17",
            "https://user:k3y@example.org/x",
            "https://k3y@example.org/x",
            "ssh://git:k3y@example.org/x",
            "ftp://example.org/x",
            "https://example.org/\nx",
        ];
        for url in bad {
            let message = check(url, None).expect_err(url);
            assert!(!message.contains("k3y"), "{message}");
        }
        for branch in ["", "-x", "--upload-pack=x", "a..b", "a b", "a\nb", "@{u}"] {
            assert!(check("https://example.org/x", Some(branch)).is_err(), "{branch}");
        }
    }

    #[test]
    fn secrets_in_addresses_are_not_shown() {
        let table = [
            ("fatal: https://u:k3y@h/x: no", "fatal: https://***@h/x: no"),
            ("ssh://k3y@h and https://k@h", "ssh://***@h and https://***@h"),
            ("https://h/x@y", "https://h/x@y"),
            ("plain", "plain"),
        ];
        for (text, expected) in table {
            assert_eq!(without_secrets(text), expected);
        }
    }
}
