//! "Did you mean": the nearest of some known words.

/// The known word nearest to one that is not known, when it is near enough to be meant: at most a third of its letters
/// changed, added, left out or swapped with their neighbour.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(64).flat_map(char::to_lowercase).collect();
    let allowed = (letters.len().max(3)) / 3;
    known
        .into_iter()
        .map(|k| (distance(&letters, &k.chars().take(64).flat_map(char::to_lowercase).collect::<Vec<_>>()), k))
        .filter(|(d, _)| *d <= allowed)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// The end of a message about a word that is not known: "; did you mean `facts`?", or nothing.
pub fn or_near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The number of edits between two words; a swap of neighbours is one edit.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut two_back: Vec<usize> = Vec::new();
    let mut back: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        let mut left = i + 1;
        for (j, y) in b.iter().enumerate() {
            let at = |r: &[usize], k: usize| r.get(k).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&back, j + 1) + 1).min(left + 1).min(at(&back, j) + usize::from(x != y));
            if i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x) {
                best = best.min(at(&two_back, j - 1) + 1);
            }
            row.push(best);
            left = best;
        }
        two_back = std::mem::replace(&mut back, row);
    }
    back.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_a_far_one_is_not() {
        let known = ["facts", "evidence", "expect", "must_not", "tags"];
        let near = |w| did_you_mean(w, known);
        assert_eq!(near("fatcs"), Some("facts"));
        assert_eq!(near("Evidense"), Some("evidence"));
        assert_eq!(near("mustnot"), Some("must_not"));
        assert_eq!(near("tag"), Some("tags"));
        assert_eq!(near("colour"), None);
        assert_eq!(near(""), None);
    }
}
