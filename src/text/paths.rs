//! Canonical root-relative paths of prompt files.
