//! The direction of the dependencies between the crates of the workspace.

/// The crates, lowest first, those of one row beside each other. A crate depends on crates of
/// rows above its own in this list only.
const ROWS: [&[&str]; 4] = [
    &["mdgraft"],
    &["mdgraft-pages", "mdgraft-agent", "mdgraft-context", "mdgraft-watch"],
    &["mdgraft-cli"],
    &["mdgraft-bench"],
];

/// The one dependency that points up: the library is tested by its pages. Cargo allows the circle
/// for tests, as long as it leads over a path.
const TESTED_BY: (&str, &str) = ("mdgraft", "mdgraft-pages");

/// What a manifest depends on and must not.
pub(crate) fn upward(manifest: &str) -> Vec<String> {
    let manifest: toml::Table =
        manifest.parse().unwrap_or_else(|error| panic!("the manifest does not read: {error}"));
    let package = manifest.get("package").and_then(|package| package.get("name")?.as_str());
    let Some(package) = package else { return vec!["a manifest has no package".to_owned()] };
    let Some(own) = row(package) else {
        return vec![format!("no row says where {package} stands")];
    };
    let mut found = Vec::new();
    for (kind, name) in dependencies(&manifest) {
        let allowed = match row(&name) {
            Some(row) => row < own,
            None => !name.starts_with("mdgraft"),
        };
        let tested = kind == "dev-dependencies" && (package, name.as_str()) == TESTED_BY;
        if !allowed && !tested {
            found.push(format!("{package} depends on {name} in [{kind}]"));
        }
    }
    found
}

fn row(package: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&package))
}

/// The kind and the name of every dependency, those of single targets too.
fn dependencies(manifest: &toml::Table) -> Vec<(&'static str, String)> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets =
        targets.into_iter().flat_map(|table| table.values()).filter_map(|one| one.as_table());
    let mut found = Vec::new();
    for table in std::iter::once(manifest).chain(targets) {
        for kind in KINDS {
            let Some(list) = table.get(kind).and_then(toml::Value::as_table) else { continue };
            for (name, value) in list {
                let package = value.get("package").and_then(toml::Value::as_str);
                found.push((kind, package.unwrap_or(name).to_owned()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_dependencies_upward_are_found() {
        let planted = |package: &str, rest: &str| {
            upward(&format!("[package]\nname = \"{package}\"\n{rest}")).len()
        };
        assert_eq!(planted("mdgraft", "[dependencies]\nserde = \"1\"\n"), 0);
        assert_eq!(planted("mdgraft", "[dev-dependencies]\nmdgraft-pages = \"1\"\n"), 0);
        assert_eq!(planted("mdgraft", "[dependencies]\nmdgraft-pages = \"1\"\n"), 1);
        assert_eq!(planted("mdgraft", "[dev-dependencies]\nmdgraft-cli = \"1\"\n"), 1);
        assert_eq!(planted("mdgraft-pages", "[dependencies]\nmdgraft = \"1\"\n"), 0);
        assert_eq!(planted("mdgraft-pages", "[dependencies]\nmdgraft-agent = \"1\"\n"), 1);
        assert_eq!(planted("mdgraft-cli", "[dependencies]\nmdgraft-pages = \"1\"\n"), 0);
        let renamed = "[target.'cfg(unix)'.dependencies]\nx = { package = \"mdgraft-cli\" }\n";
        assert_eq!(planted("mdgraft-agent", renamed), 1);
        assert_eq!(planted("mdgraft-new", ""), 1);
    }
}
