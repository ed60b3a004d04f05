//! Diagnostics for the tests of the forms they are shown in.

use std::sync::Arc;

use super::{Diagnostic, Diagnostics, Edit, Place, codes};
use crate::text::{Source, Span};

/// A place in a text of its own.
pub(super) fn place(file: &str, text: &str, from: u32, to: u32) -> Place {
    let source = Source::new(text.as_bytes());
    Place { file: Arc::from(file), source, span: Span::new(from, to) }
}

/// A diagnostic with a message and nothing else.
pub(super) fn plain(place: Place, message: &str) -> Diagnostic {
    Diagnostic {
        code: codes::UNKNOWN_VARIABLE,
        severity: codes::UNKNOWN_VARIABLE.severity(),
        message: message.into(),
        place,
        related: Vec::new(),
        chain: Vec::new(),
        help: None,
        edit: None,
    }
}

/// A diagnostic with everything.
pub(super) fn full() -> Diagnostic {
    let place_of_name = place("parts/sign.md", "Yours,\r\n-- {{usr}}\r\n", 12, 15);
    let declared = place("main.md", "---\nvars:\n  user: string\n---\n", 12, 16);
    Diagnostic {
        chain: vec![
            place("main.md", "---\nvars:\n  user: string\n---\n<<> end.md>>\n", 29, 41),
            place("end.md", "Bye.\n\n<<> parts/sign.md>>\n", 6, 25),
        ],
        related: vec![(declared, "declared here".into())],
        help: Some("did you mean `user`?".into()),
        edit: Some(Edit { place: place_of_name.clone(), text: "user".into() }),
        ..plain(place_of_name, "`usr` is declared nowhere")
    }
}

/// A diagnostic whose every text tries to steer a terminal.
pub(super) fn hostile() -> Diagnostic {
    let evil = "a\u{1b}[2J\u{9b}31m\u{7}\u{7f}\u{202e}\u{2066}\u{2028}\u{2029}\u{85}\u{200b}\r%:,";
    let text = format!("x{evil}\tb\nc{evil}");
    let at = |from, to| place(&format!("{evil}\n.md"), &text, from, to);
    Diagnostic {
        related: vec![(at(2, 9), evil.into()), (place(evil, &text, 3, 99), format!("{evil}\n"))],
        chain: vec![at(4, 5), at(6, 7)],
        help: Some(format!("{evil}\n{evil}")),
        edit: Some(Edit { place: at(3, 12), text: format!("{evil}\n{evil}") }),
        ..plain(at(1, 3), &format!("{evil}\n"))
    }
}

pub(super) fn list(list: Vec<Diagnostic>, more: usize) -> Diagnostics {
    Diagnostics { list, more, more_errors: false }
}
