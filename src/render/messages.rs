//! Chat messages: the output cut where roles begin (language §9).

use crate::parse::directive::RoleName;

/// Who speaks in a chat message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The role as chat APIs write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl From<RoleName> for Role {
    fn from(role: RoleName) -> Self {
        match role {
            RoleName::System => Self::System,
            RoleName::User => Self::User,
            RoleName::Assistant => Self::Assistant,
        }
    }
}

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said: no blank line at its start, no line end at its end.
    pub content: String,
}

/// Cuts a text where roles begin; what comes before the first belongs to the system.
pub(super) fn messages(text: &str, roles: &[(usize, RoleName)]) -> Vec<Message> {
    let starts = std::iter::once((0, RoleName::System)).chain(roles.iter().copied());
    let ends = roles.iter().map(|&(at, _)| at).chain([text.len()]);
    starts
        .zip(ends)
        .filter_map(|((start, role), end)| {
            let end = end.min(text.len());
            let content = content(&text[start.min(end)..end]);
            (!content.is_empty())
                .then(|| Message { role: role.into(), content: content.to_owned() })
        })
        .collect()
}

fn content(part: &str) -> &str {
    let blank = part.len() - part.trim_start_matches([' ', '\t', '\n']).len();
    let start = part[..blank].rfind('\n').map_or(0, |at| at + 1);
    let content = part[start..].trim_end_matches('\n');
    if content.trim_matches([' ', '\t', '\n']).is_empty() { "" } else { content }
}
