//! "Did you mean": the nearest of some known words.

/// The known word nearest to one that is not known, when it is near enough to be meant: at most a third of its letters
/// changed, added, left out or swapped with their neighbour.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = |word: &str| word.chars().take(64).flat_map(char::to_lowercase).collect::<String>();
    let word = lower(word);
    let allowed = word.chars().count().max(3) / 3;
    known
        .into_iter()
        .map(|k| (strsim::osa_distance(&word, &lower(k)), k))
        .filter(|(d, _)| *d <= allowed)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// The end of a message about a word that is not known: "; did you mean `facts`?", or nothing.
pub fn or_near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
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
