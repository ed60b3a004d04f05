//! The codes of all diagnostics of the engine, in one table.

use std::fmt;

use super::Severity;
use super::near::nearest;

/// The permanent kebab-case name of a kind of diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(&'static str);

impl Code {
    /// The name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The severity that the code has unless an option or the place raises it.
    #[must_use]
    pub fn severity(self) -> Severity {
        match ALL.iter().find(|(code, _)| *code == self) {
            Some(&(_, severity)) => severity,
            None => Severity::Error,
        }
    }

    /// The code of that name.
    ///
    /// ```
    /// use mdgraft::Code;
    ///
    /// assert_eq!(Code::named("nul-byte").map(Code::as_str), Some("nul-byte"));
    /// assert_eq!(Code::named("null-byte"), None);
    /// assert_eq!(Code::near("null-byte").map(Code::as_str), Some("nul-byte"));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|code| code.0 == name)
    }

    /// The code whose name is nearest to a name that is none, if one is near enough to suggest.
    #[must_use]
    pub fn near(name: &str) -> Option<Self> {
        nearest(name, Self::all().map(Self::as_str)).and_then(Self::named)
    }

    /// Every code, in alphabetical order.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        ALL.iter().map(|&(code, _)| code)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({})", self.0)
    }
}

macro_rules! codes {
    ($($name:ident $text:literal $severity:ident,)*) => {
        $(pub(crate) const $name: Code = Code($text);)*
        const ALL: &[(Code, Severity)] = &[$(($name, Severity::$severity),)*];
        /// The page of each code, in the order of the codes; without its page no code compiles.
        pub(super) const PAGES: &[&str] =
            &[$(include_str!(concat!("../../fixtures/codes/", $text, ".md")),)*];
    };
}

codes! {
    CONFLICTING_DECLARATION "conflicting-declaration" Error,
    CONSTANT_CONDITION "constant-condition" Warning,
    DIRECTIVE_NOT_ALONE "directive-not-alone" Error,
    DUPLICATE_SECTION "duplicate-section" Warning,
    EMPTY_INCLUDE "empty-include" Error,
    HEADING_TOO_DEEP "heading-too-deep" Warning,
    HIDDEN_HEADING "hidden-heading" Warning,
    INCLUDE_CYCLE "include-cycle" Error,
    INCLUDE_NOT_ALONE "include-not-alone" Error,
    INCLUDE_NOT_FOUND "include-not-found" Error,
    INCLUDE_OUTSIDE_ROOT "include-outside-root" Error,
    INVALID_DECLARATION "invalid-declaration" Error,
    INVALID_EXPRESSION "invalid-expression" Error,
    INVALID_FRONT_MATTER "invalid-front-matter" Warning,
    INVALID_INCLUDE_PATH "invalid-include-path" Error,
    INVALID_JSON "invalid-json" Warning,
    INVALID_UTF8 "invalid-utf8" Error,
    INVISIBLE_CHARACTER "invisible-character" Warning,
    LIMIT_EXCEEDED "limit-exceeded" Error,
    LONG_SECTION "long-section" Warning,
    MALFORMED_INCLUDE "malformed-include" Error,
    MALFORMED_REFERENCE "malformed-reference" Error,
    MISSING_VARIABLE "missing-variable" Error,
    NEAR_MISS_DIRECTIVE "near-miss-directive" Warning,
    NESTED_FENCE "nested-fence" Warning,
    NOT_A_CONDITION "not-a-condition" Error,
    NOT_IN_ENUM "not-in-enum" Error,
    NOT_ITERABLE "not-iterable" Error,
    NOT_PRINTABLE "not-printable" Error,
    NOTHING_TO_MERGE "nothing-to-merge" Error,
    NUL_BYTE "nul-byte" Error,
    ORPHAN_FILE "orphan-file" Warning,
    SECTION_IN_BLOCK "section-in-block" Error,
    SKIPPED_LEVEL "skipped-level" Warning,
    TEXT_AFTER_SECTION "text-after-section" Warning,
    TYPE_MISMATCH "type-mismatch" Error,
    UNBALANCED_DIRECTIVE "unbalanced-directive" Error,
    UNCLOSED_FENCE "unclosed-fence" Warning,
    UNCLOSED_FRONT_MATTER "unclosed-front-matter" Warning,
    UNCLOSED_HTML "unclosed-html" Warning,
    UNKNOWN_FUNCTION "unknown-function" Error,
    UNKNOWN_OPTION "unknown-option" Error,
    UNKNOWN_ROOT "unknown-root" Error,
    UNKNOWN_SECTION "unknown-section" Error,
    UNKNOWN_VARIABLE "unknown-variable" Error,
    UNMET_SECTION "unmet-section" Warning,
    UNREADABLE_FILE "unreadable-file" Error,
    UNUSED_VARIABLE "unused-variable" Warning,
    UNUSED_VARIANT "unused-variant" Warning,
    VALUE_CHANGES_OUTLINE "value-changes-outline" Warning,
    WRONG_ARGUMENT "wrong-argument" Error,
    WRONG_TYPE "wrong-type" Error,
}
