//! Near names, for suggestions.

/// The candidate nearest to `name` by edit distance, if one is near enough to suggest: at most a
/// third of the longer name, and a difference of letter case alone counts as near. Ties go to the
/// first candidate.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let longer = name.chars().count().max(candidate.chars().count());
        let distance = if candidate.to_lowercase() == lower {
            0
        } else {
            self::distance(name, candidate)
        };
        let near = distance <= (longer / 3).max(1) && candidate != name;
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many letters must be added, dropped, changed or swapped with a neighbour to make one text
/// the other.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    strsim::damerau_levenshtein(one, other)
}
