//! Where the pack of a root is: in a folder of its own, which no backup and no repository needs.

use std::fs;
use std::path::{Path, PathBuf};

use mdgraft::Engine;

use crate::output;
use crate::problem::{Problem, plain};

const FOLDER: &str = ".mdgraft";

/// The first line is what backup programs look for.
const TAG: &str = "\
Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache of mdgraft. `mdgraft warm` makes it anew.
";

/// The pack of a root.
pub(crate) fn file(root: &Path) -> PathBuf {
    root.join(FOLDER).join("prompts.pack")
}

/// What the pack of a root is called, from the root.
pub(crate) const NAME: &str = ".mdgraft/prompts.pack";

/// The engine with the pack of its root, if there is one. A pack that cannot be used does no harm,
/// and is told by the name that it is `shown` as.
pub(crate) fn used(engine: Engine, root: &Path, shown: &str) -> Engine {
    let file = file(root);
    if !file.exists() {
        return engine;
    }
    let engine = engine.with_pack(&file);
    if let Some(problem) = engine.pack_problem() {
        output::notice(&format!(
            "warning: `{}` is not used: {problem}\n  help: `mdgraft warm` makes it anew",
            plain(shown)
        ));
    }
    engine
}

/// Makes the folder of a pack, with the files that say what it is.
pub(crate) fn prepare(root: &Path) -> Result<(), Problem> {
    let folder = root.join(FOLDER);
    let failed = |error: std::io::Error| Problem::of(&folder, &error);
    fs::create_dir_all(&folder).map_err(failed)?;
    for (name, text) in [("CACHEDIR.TAG", TAG), (".gitignore", "*\n")] {
        let file = folder.join(name);
        if !file.exists() {
            output::write_file(&file, text.as_bytes())?;
        }
    }
    Ok(())
}
