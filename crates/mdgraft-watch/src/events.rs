//! From what the system tells to the paths of an engine.

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind};

use crate::Root;

/// The paths that an event is about, as an engine calls them.
pub(crate) struct Changes {
    pub(crate) paths: Vec<String>,
}

impl Changes {
    pub(crate) fn of(event: notify::Result<Event>, roots: &[Root]) -> Self {
        let paths = match event {
            // Something was missed: anything may have changed.
            Err(_) => vec![String::new()],
            Ok(event) if event.need_rescan() => vec![String::new()],
            Ok(event) if !is_change(event.kind) => Vec::new(),
            Ok(event) => {
                let in_root = |root: &Root, path: &std::path::Path| {
                    let inside = path.strip_prefix(&root.folder).ok()?;
                    let names: Option<Vec<&str>> =
                        inside.iter().map(|name| name.to_str()).collect();
                    // A name that is no UTF-8 is none that a prompt could have.
                    let path = names?.join("/");
                    Some(match (root.name.as_str(), path.as_str()) {
                        ("", path) => path.to_owned(),
                        (name, path) => format!("@{name}/{path}"),
                    })
                };
                let of = |path| roots.iter().filter_map(move |root| in_root(root, path));
                event.paths.iter().flat_map(|path| of(path.as_path())).collect()
            }
        };
        Self { paths }
    }
}

/// Whether files may be other ones after such an event; reading them changes nothing.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, Flag, ModifyKind};

    #[test]
    fn paths_are_those_of_the_roots_they_lie_in() {
        let root = |name: &str, folder: &str| Root { name: name.into(), folder: folder.into() };
        let roots = [root("", "/p"), root("lib", "/p/lib"), root("far", "/q")];
        let told = |kind, path: &str| {
            Changes::of(Ok(Event::new(kind).add_path(path.into())), &roots).paths
        };
        let create = EventKind::Create(CreateKind::Any);
        assert_eq!(told(create, "/p/a/b.md"), ["a/b.md"]);
        assert_eq!(told(create, "/p/lib/x.md"), ["lib/x.md", "@lib/x.md"]);
        assert_eq!(told(create, "/q"), ["@far/"]);
        assert_eq!(told(create, "/other"), [""; 0]);
        assert_eq!(told(EventKind::Modify(ModifyKind::Any), "/p/a.md"), ["a.md"]);
        assert_eq!(told(EventKind::Access(AccessKind::Open(AccessMode::Read)), "/p/a.md"), [""; 0]);
        let missed = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert_eq!(Changes::of(Ok(missed), &roots).paths, [""]);
        assert_eq!(Changes::of(Err(notify::Error::generic("lost")), &roots).paths, [""]);
    }
}
