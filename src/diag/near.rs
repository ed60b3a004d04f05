//! Near names, for suggestions.

/// Names longer than this are not compared: nobody mistypes them, and the cost is quadratic.
const LONGEST: usize = 100;

/// The candidates that are looked at, which may come from the data of a user.
const MOST: usize = 10_000;

/// The candidate nearest to `name` by edit distance, if one is near enough to suggest: at most a
/// third of the longer name, and a difference of letter case alone counts as near. Of equally near
/// ones that with the longer common beginning is taken, then the first.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let length = name.chars().count();
    let mut best: Option<((usize, std::cmp::Reverse<usize>), &str)> = None;
    for candidate in candidates.into_iter().take(MOST) {
        // A letter has at most four bytes, so the first test spares counting long candidates.
        if candidate == name || candidate.len() > 4 * LONGEST {
            continue;
        }
        let other = candidate.chars().count();
        let allowed = (length.max(other) / 3).max(1);
        if length.max(other) > LONGEST || length.abs_diff(other) > allowed {
            continue;
        }
        let distance =
            if candidate.to_lowercase() == lower { 0 } else { self::distance(name, candidate) };
        let common =
            name.bytes().zip(candidate.bytes()).take_while(|(one, two)| one == two).count();
        let rank = (distance, std::cmp::Reverse(common));
        if distance <= allowed && best.is_none_or(|(best, _)| rank < best) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many letters must be added, dropped, changed or swapped with a neighbour to make one text
/// the other.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    strsim::damerau_levenshtein(one, other)
}
