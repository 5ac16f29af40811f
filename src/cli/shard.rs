//! `--shard`: which share of the questions this process asks. The only place that knows what CI engines call it.

use anyhow::Result;
use ragline::drive::shard::Share;
use ragline::drive::shard::durations::Durations;
use ragline::problem::{Place, Problem, Problems, read_source, shown_path};
use std::path::Path;

/// The variables in which an engine says which of several equal jobs this is.
struct Engine {
    name: &'static str,
    /// A variable that is set only where this engine runs the job.
    marker: Option<&'static str>,
    index: &'static str,
    /// None: the engine does not say, and the number has to be given.
    total: Option<&'static str>,
    /// What the first job's index is.
    first: u32,
}

/// Each with the page that says from where its index counts:
/// * GitLab, 1: <https://docs.gitlab.com/ci/variables/predefined_variables/> (`CI_NODE_INDEX`; `index + 1` in
///   `lib/gitlab/ci/config/normalizer/number_strategy.rb`, and the jobs are named `job 1/3` to `job 3/3`);
/// * Buildkite, 0: <https://buildkite.com/docs/pipelines/configure/environment-variables> (`BUILDKITE_PARALLEL_JOB`);
/// * CircleCI, 0: <https://circleci.com/docs/reference/variables/> (from 0 to `CIRCLE_NODE_TOTAL` - 1);
/// * Azure Pipelines, 1: <https://learn.microsoft.com/azure/devops/pipelines/test/parallel-testing-any-test-runner>
///   (`System.JobPositionInPhase`, as a variable of the environment);
/// * Kubernetes, 0: <https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode> (from 0 to
///   `.spec.completions` - 1).
const ENGINES: [Engine; 5] = [
    Engine {
        name: "GitLab",
        marker: Some("GITLAB_CI"),
        index: "CI_NODE_INDEX",
        total: Some("CI_NODE_TOTAL"),
        first: 1,
    },
    Engine {
        name: "Buildkite",
        marker: Some("BUILDKITE"),
        index: "BUILDKITE_PARALLEL_JOB",
        total: Some("BUILDKITE_PARALLEL_JOB_COUNT"),
        first: 0,
    },
    Engine {
        name: "CircleCI",
        marker: Some("CIRCLECI"),
        index: "CIRCLE_NODE_INDEX",
        total: Some("CIRCLE_NODE_TOTAL"),
        first: 0,
    },
    Engine {
        name: "Azure Pipelines",
        marker: Some("TF_BUILD"),
        index: "SYSTEM_JOBPOSITIONINPHASE",
        total: Some("SYSTEM_TOTALJOBSINPHASE"),
        first: 1,
    },
    // Also around jobs of other engines whose runners are pods.
    Engine { name: "a Kubernetes Job", marker: None, index: "JOB_COMPLETION_INDEX", total: None, first: 0 },
];

/// What a job on GitHub writes: it knows its place in the matrix, and no variable tells it.
const GITHUB: &str = "GitHub has no variables for it; write, in the job of a matrix:\n          \
     env: { RAGLINE_SHARD: \"${{ matrix.shard }}/7\" }   with   strategy: { matrix: { shard: [1, 2, 3, 4, 5, 6, 7] } }";

type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The share that `--shard` names, balanced by a file where one is given.
pub(super) fn share(word: &str, durations: Option<&Path>, folder: &Path) -> Result<Share, Problems> {
    let variables = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
    let mut share = named(word, &variables).map_err(|(what, help)| {
        let problem = Problem::error("shard", Place::default(), what);
        if help.is_empty() { problem } else { problem.help(help) }
    })?;
    if let Some(path) = durations {
        share.durations = Some(read(path, folder)?);
    }
    Ok(share)
}

fn read(path: &Path, folder: &Path) -> Result<Durations, Problem> {
    Durations::parse(&*read_source(path, &shown_path(path, folder))?)
}

/// What is wrong, and what to do.
type Wrong = (String, String);

fn named(word: &str, variables: Variables<'_>) -> Result<Share, Wrong> {
    let plain = |what: String| (what, "write --shard 2/7, --shard auto, --shard auto/7 or --shard slurm".to_owned());
    match word {
        "auto" => auto(None, variables),
        "slurm" => slurm(variables),
        _ => match word.strip_prefix("auto/") {
            Some(total) => {
                let of = Share::parse(&format!("1/{total}")).map_err(plain)?.of;
                auto(Some(of), variables)
            }
            None => Share::parse(word).map_err(plain),
        },
    }
}

/// A number in a variable.
fn number(name: &str, text: &str) -> Result<u32, Wrong> {
    text.parse().map_err(|_| (format!("{name} is `{text}`, expected a number"), String::new()))
}

/// From the variables of the engine that runs this job.
fn auto(total: Option<u32>, variables: Variables<'_>) -> Result<Share, Wrong> {
    let mut told: Vec<(&Engine, String)> =
        ENGINES.iter().filter_map(|e| variables(e.index).map(|index| (e, index))).collect();
    // The engine that marks its jobs knows better than what its runner stands in.
    if told.len() > 1 && told.iter().any(|(e, _)| e.marker.is_some_and(|m| variables(m).is_some())) {
        told.retain(|(e, _)| e.marker.is_some_and(|m| variables(m).is_some()));
    }
    let (engine, index) = match told.as_slice() {
        [(engine, index)] => (*engine, index),
        [] => return nothing(total, variables),
        several => {
            let names: Vec<&str> = several.iter().map(|(e, _)| e.index).collect();
            let what = format!("several variables say which job this is: {}", names.join(", "));
            return Err((what, "write the shard itself: --shard 2/7".into()));
        }
    };
    let index = number(engine.index, index)?;
    let said = engine.total.and_then(|name| variables(name).map(|text| (name, text)));
    let of = match (said, total) {
        (Some((name, text)), given) => {
            let of = number(name, &text)?;
            if given.is_some_and(|given| given != of) {
                let what = format!("{name} is {of}, and --shard auto/{} says otherwise", given.unwrap_or_default());
                return Err((what, "write --shard auto: the engine knows".into()));
            }
            of
        }
        (None, Some(given)) => given,
        (None, None) => {
            let what = format!("{} says which job this is ({}), and not of how many", engine.name, engine.index);
            return Err((what, "write the number of jobs: --shard auto/7".into()));
        }
    };
    let Some(nth) = index.checked_sub(engine.first) else {
        return Err((
            format!("{} is {index}, and {} counts from {}", engine.index, engine.name, engine.first),
            String::new(),
        ));
    };
    Share::new(nth.saturating_add(1), of)
        .map_err(|what| (format!("{} is {index} of {of}: {what}", engine.index), String::new()))
}

/// No engine says which job this is.
fn nothing(total: Option<u32>, variables: Variables<'_>) -> Result<Share, Wrong> {
    // GitLab states a total of 1 for a job that is not parallel, and no index.
    let alone = |e: &Engine| e.total.and_then(variables).is_some_and(|t| t == "1");
    if let Some(engine) = ENGINES.iter().find(|e| alone(e)) {
        return match total {
            None | Some(1) => Share::new(1, 1).map_err(|what| (what, String::new())),
            Some(n) => Err((
                format!("{} runs this job once, and --shard auto/{n} says otherwise", engine.name),
                "let the engine run it in parallel, or write the shard itself".into(),
            )),
        };
    }
    let names: Vec<&str> = ENGINES.iter().map(|e| e.index).collect();
    let what = format!("nothing says which job this is: none of {} is set", names.join(", "));
    let help = if variables("GITHUB_ACTIONS").is_some() {
        GITHUB.to_owned()
    } else if variables("SLURM_ARRAY_TASK_ID").is_some() {
        "in a Slurm array write --shard slurm".to_owned()
    } else {
        "write the shard itself: --shard 2/7".to_owned()
    };
    Err((what, help))
}

/// From a Slurm job array (<https://slurm.schedmd.com/job_array.html>): the index of this task, the lowest, the highest and
/// their number. Only when asked: a cluster's arrays may have nothing to do with the questions.
fn slurm(variables: Variables<'_>) -> Result<Share, Wrong> {
    let of = |name: &str| match variables(name) {
        Some(text) => number(name, &text),
        None => {
            Err((format!("{name} is not set: this is no task of a Slurm array"), "submit it with --array=1-7".into()))
        }
    };
    let (id, count) = (of("SLURM_ARRAY_TASK_ID")?, of("SLURM_ARRAY_TASK_COUNT")?);
    let (min, max) = (of("SLURM_ARRAY_TASK_MIN")?, of("SLURM_ARRAY_TASK_MAX")?);
    if max.checked_sub(min).and_then(|d| d.checked_add(1)) != Some(count) || !(min..=max).contains(&id) {
        let what = format!(
            "the array has {count} tasks between {min} and {max}, and this is {id}: they are not numbered in a row"
        );
        return Err((what, "submit it with --array=1-7, without steps or gaps".into()));
    }
    Share::new(id - min + 1, count).map_err(|what| (what, String::new()))
}

#[cfg(test)]
mod tests {
    use super::named;
    use std::collections::HashMap;

    fn of(word: &str, variables: &[(&str, &str)]) -> Result<(u32, u32), String> {
        let map: HashMap<&str, &str> = variables.iter().copied().collect();
        let found = named(word, &|name| map.get(name).map(|v| (*v).to_owned()));
        found.map(|s| (s.index, s.of)).map_err(|(what, help)| format!("{what}\n{help}"))
    }

    #[test]
    fn each_engine_counts_in_its_own_way() {
        for (variables, share) in [
            (&[("GITLAB_CI", "true"), ("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "7")][..], (1, 7)),
            (&[("CI_NODE_INDEX", "7"), ("CI_NODE_TOTAL", "7")], (7, 7)),
            (&[("GITLAB_CI", "true"), ("CI_NODE_TOTAL", "1")], (1, 1)),
            (&[("BUILDKITE_PARALLEL_JOB", "0"), ("BUILDKITE_PARALLEL_JOB_COUNT", "7")], (1, 7)),
            (&[("BUILDKITE_PARALLEL_JOB", "6"), ("BUILDKITE_PARALLEL_JOB_COUNT", "7")], (7, 7)),
            (&[("CIRCLE_NODE_INDEX", "0"), ("CIRCLE_NODE_TOTAL", "4")], (1, 4)),
            (&[("CIRCLE_NODE_INDEX", "3"), ("CIRCLE_NODE_TOTAL", "4")], (4, 4)),
            (&[("SYSTEM_JOBPOSITIONINPHASE", "1"), ("SYSTEM_TOTALJOBSINPHASE", "3")], (1, 3)),
            (&[("SYSTEM_JOBPOSITIONINPHASE", "3"), ("SYSTEM_TOTALJOBSINPHASE", "3")], (3, 3)),
            // The runner of a GitLab job is itself a pod of a Kubernetes Job.
            (
                &[("GITLAB_CI", "true"), ("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "7"), ("JOB_COMPLETION_INDEX", "0")],
                (2, 7),
            ),
        ] {
            assert_eq!(of("auto", variables), Ok(share), "{variables:?}");
        }
        assert_eq!(of("auto/5", &[("JOB_COMPLETION_INDEX", "0")]), Ok((1, 5)));
        assert_eq!(of("auto/5", &[("JOB_COMPLETION_INDEX", "4")]), Ok((5, 5)));
        assert_eq!(of("auto/7", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "7")]), Ok((2, 7)));
    }

    #[test]
    fn a_slurm_array_counts_only_when_asked() {
        let array = |id| {
            [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_COUNT", "4"),
                ("SLURM_ARRAY_TASK_MIN", "3"),
                ("SLURM_ARRAY_TASK_MAX", "6"),
            ]
        };
        assert_eq!(of("slurm", &array("3")), Ok((1, 4)));
        assert_eq!(of("slurm", &array("6")), Ok((4, 4)));
        assert!(of("slurm", &array("7")).unwrap_err().contains("not numbered in a row"));
        assert!(of("auto", &array("3")).unwrap_err().contains("--shard slurm"));
        let mut steps = array("3");
        steps[3].1 = "9";
        assert!(of("slurm", &steps).unwrap_err().contains("not numbered in a row"));
        assert!(of("slurm", &[]).unwrap_err().contains("SLURM_ARRAY_TASK_ID is not set"));
    }

    #[test]
    fn what_nobody_says_is_not_guessed() {
        for (word, variables, said) in [
            ("auto", &[][..], "nothing says which job this is"),
            ("auto", &[("GITHUB_ACTIONS", "true")], "${{ matrix.shard }}/7"),
            ("auto", &[("JOB_COMPLETION_INDEX", "0")], "--shard auto/7"),
            ("auto/5", &[("JOB_COMPLETION_INDEX", "5")], "no shard 6 of 5"),
            ("auto/5", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "7")], "CI_NODE_TOTAL is 7"),
            ("auto/5", &[("CI_NODE_TOTAL", "1")], "runs this job once"),
            ("auto", &[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "7")], "GitLab counts from 1"),
            ("auto", &[("CI_NODE_INDEX", "x"), ("CI_NODE_TOTAL", "7")], "CI_NODE_INDEX is `x`"),
            ("auto", &[("CIRCLE_NODE_INDEX", "4"), ("CIRCLE_NODE_TOTAL", "4")], "no shard 5 of 4"),
            (
                "auto",
                &[
                    ("CIRCLE_NODE_INDEX", "0"),
                    ("CIRCLE_NODE_TOTAL", "4"),
                    ("CI_NODE_INDEX", "1"),
                    ("CI_NODE_TOTAL", "4"),
                ],
                "several variables",
            ),
            ("auto/0", &[], "there are no shards"),
            ("auto/x", &[], "expected a shard"),
            ("7", &[], "--shard 2/7"),
        ] {
            let found = of(word, variables).unwrap_err();
            assert!(found.contains(said), "{word} {variables:?}: {found}");
        }
    }
}
