//! `ragline init`: a start in each language that runs at once, goes green after the first accept, and writes over nothing.

mod binary_kit;

use binary_kit::ragline;
use std::fs;

#[test]
fn a_start_in_each_language_runs_at_once() {
    for language in ["en", "vi", "th", "zh"] {
        let dir = tempfile::tempdir().unwrap();
        let run = |args: &[&str]| ragline(dir.path(), args);
        run(&["init", "--language", language]).exits(0);
        run(&["lint"]).exits(0);
        run(&["run"]).exits(2).shows(&["3 new passes"]);
        run(&["accept", "--first", "--reason", "first baseline"]).exits(0);
        run(&["run"]).exits(0).shows(&["3 unchanged"]);
    }
}

#[test]
fn nothing_of_the_users_is_written_over() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("thresholds.toml"), "version = 1\nmode = \"advisory\"\n").unwrap();
    ragline(dir.path(), &["init"]).exits(0).shows(&["kept     thresholds.toml"]);
    assert!(fs::read_to_string(dir.path().join("thresholds.toml")).unwrap().contains("advisory"));
    // A second start would be somebody's suites.
    ragline(dir.path(), &["init"]).exits(2).says(&["has suites already"]);
}
