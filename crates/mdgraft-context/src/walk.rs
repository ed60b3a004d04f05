//! Going through all files below a folder, with several threads.

use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::disk::{Disk, Kind};
use crate::error::Denied;
use crate::path::join;
use crate::rules::Rules;

/// What a tool left out, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Skipped {
    /// Names that begin with a dot.
    pub hidden: usize,
    /// What the ignore file leaves out; a folder counts once.
    pub ignored: usize,
    /// Files that hold a NUL byte.
    pub binary: usize,
    /// Files that are larger than is searched.
    pub too_large: usize,
    /// Symbolic links, which are not followed on the way.
    pub links: usize,
    /// Pipes, sockets and devices.
    pub special: usize,
    /// What could not be read.
    pub unreadable: usize,
    /// Names that no path can hold: no UTF-8, backslashes, control characters.
    pub unnamed: usize,
    /// Folders deeper than is walked.
    pub too_deep: usize,
}

impl Skipped {
    /// The counts by their names.
    #[must_use]
    pub fn counts(&self) -> [(&'static str, usize); 9] {
        [
            ("hidden", self.hidden),
            ("ignored", self.ignored),
            ("binary", self.binary),
            ("too_large", self.too_large),
            ("links", self.links),
            ("special", self.special),
            ("unreadable", self.unreadable),
            ("unnamed", self.unnamed),
            ("too_deep", self.too_deep),
        ]
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.hidden += other.hidden;
        self.ignored += other.ignored;
        self.binary += other.binary;
        self.too_large += other.too_large;
        self.links += other.links;
        self.special += other.special;
        self.unreadable += other.unreadable;
        self.unnamed += other.unnamed;
        self.too_deep += other.too_deep;
    }
}

/// What looks at the files of a walk. Each thread has one of its own.
pub(crate) trait Visitor: Send {
    /// Looks at a file: its folder, its name, and its path from the context folder.
    fn file(&mut self, folder: &Disk, name: &str, path: &str, skipped: &mut Skipped);
}

/// The folders below each other that are walked. It bounds the open handles, too.
const DEEPEST: usize = 128;

/// How many threads are worth it here.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get).min(8)
}

/// Goes through all visible files below a folder. In which order, and which visitor sees which
/// file, is open: who wants an order sorts.
pub(crate) fn walk<V: Visitor>(
    start: Disk,
    path: &str,
    rules: &Rules,
    visitors: Vec<V>,
) -> (Vec<V>, Skipped) {
    let count = visitors.len();
    let shared = Shared {
        state: Mutex::new(State { todo: vec![Todo::Open(start, path.to_owned())], idle: 0 }),
        more: Condvar::new(),
        threads: count,
    };
    let mut total = Skipped::default();
    let mut done = Vec::with_capacity(count);
    std::thread::scope(|scope| {
        let work = |mut visitor: V| {
            let shared = &shared;
            scope.spawn(move || {
                let mut worker = Worker { shared, rules, skipped: Skipped::default() };
                worker.run(&mut visitor);
                (visitor, worker.skipped)
            })
        };
        let handles: Vec<_> = visitors.into_iter().map(work).collect();
        for handle in handles {
            // A panic of a visitor goes on here instead of being lost.
            let (visitor, skipped) =
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            total.add(skipped);
            done.push(visitor);
        }
    });
    (done, total)
}

struct Shared {
    state: Mutex<State>,
    more: Condvar,
    threads: usize,
}

struct State {
    todo: Vec<Todo>,
    /// The threads that wait. When all do, there is nothing left.
    idle: usize,
}

enum Todo {
    Open(Disk, String),
    /// A folder by the one above it: opened only when its turn comes, so that handles stay few.
    Below {
        above: Arc<Disk>,
        path: String,
        depth: usize,
    },
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Todo> {
        let mut state = self.lock();
        loop {
            if let Some(todo) = state.todo.pop() {
                return Some(todo);
            }
            state.idle += 1;
            if state.idle == self.threads {
                self.more.notify_all();
                return None;
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
            if state.idle == self.threads {
                return None;
            }
            state.idle -= 1;
        }
    }

    fn push(&self, found: Vec<Todo>) {
        if found.is_empty() {
            return;
        }
        self.lock().todo.extend(found);
        self.more.notify_all();
    }
}

struct Worker<'a> {
    shared: &'a Shared,
    rules: &'a Rules,
    skipped: Skipped,
}

impl Worker<'_> {
    fn run<V: Visitor>(&mut self, visitor: &mut V) {
        while let Some(todo) = self.shared.next() {
            match todo {
                Todo::Open(disk, path) => self.folder(disk, &path, 0, visitor),
                Todo::Below { above, path, depth } => {
                    let name = path.rsplit('/').next().unwrap_or_default();
                    match above.folder(name) {
                        Ok(disk) => self.folder(disk, &path, depth, visitor),
                        Err(_) => self.skipped.unreadable += 1,
                    }
                }
            }
        }
    }

    fn folder<V: Visitor>(&mut self, disk: Disk, path: &str, depth: usize, visitor: &mut V) {
        let Ok(names) = disk.names() else {
            self.skipped.unreadable += 1;
            return;
        };
        let disk = Arc::new(disk);
        let mut found = Vec::new();
        for (name, kind) in names {
            let Some(name) = name.to_str().filter(|name| is_plain(name)) else {
                self.skipped.unnamed += 1;
                continue;
            };
            if name.starts_with('.') {
                self.skipped.hidden += 1;
                continue;
            }
            let here = join(path, name);
            match self.rules.denied(&here, name, kind == Kind::Folder) {
                Some(Denied::Ignored) => {
                    self.skipped.ignored += 1;
                    continue;
                }
                Some(_) => {
                    self.skipped.hidden += 1;
                    continue;
                }
                None => {}
            }
            match kind {
                Kind::File => visitor.file(&disk, name, &here, &mut self.skipped),
                Kind::Folder if depth == DEEPEST => self.skipped.too_deep += 1,
                Kind::Folder => {
                    let above = Arc::clone(&disk);
                    found.push(Todo::Below { above, path: here, depth: depth + 1 });
                }
                Kind::Link => self.skipped.links += 1,
                Kind::Other => self.skipped.special += 1,
            }
        }
        self.shared.push(found);
    }
}

/// Whether a path can hold the name, as [`crate::path`] reads paths.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.contains(|letter: char| letter == '\\' || letter.is_control())
}
