//! When something that was loaded before is still right.

/// By what an engine sees that files have not changed.
///
/// Whatever is chosen, everything that a load looked at counts: names that were not there and the
/// names that a pattern was matched against, as well as the files that it read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Freshness {
    /// Every file is read again, and its content compared. For file systems whose times cannot be
    /// believed.
    Content,
    /// The [facts](crate::Facts) of files are compared: size, times, identity. A file that changed
    /// shortly before it was looked at is read again, since a second change may get the same time.
    #[default]
    Facts,
    /// Nothing is asked again until [`Engine::changed`](crate::Engine::changed) says that
    /// something changed; what that can have touched is. For applications that watch their files.
    Events,
    /// Nothing is asked again, and what a pack says of files is believed. For files that are
    /// deployed once. [`Engine::changed`](crate::Engine::changed) still ends that for what was
    /// loaded.
    Trust,
}
