//! Which branch the files under test are of, as the CI server that runs the command says it in the environment.

/// Where the files under test come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkout {
    /// The branch that is checked out; none where nothing says so.
    pub branch: Option<String>,
    /// True where the run is known to be that of a pull request (merge request, change).
    pub pull_request: bool,
    /// The branch that a pull request is to be merged into.
    pub base: Option<String>,
}

impl Checkout {
    /// What the variables of a CI server say, of which `get` gives one by name. Each server's are asked together, so that
    /// none is mixed with what another left in the environment of a runner:
    /// GitHub Actions (`GITHUB_REF`, `GITHUB_BASE_REF`; docs.github.com, "Variables reference"), GitLab
    /// (`CI_COMMIT_BRANCH`, `CI_MERGE_REQUEST_*`; docs.gitlab.com, "Predefined CI/CD variables reference"), Jenkins
    /// (`BRANCH_NAME`, `CHANGE_ID`, `CHANGE_TARGET`; the multibranch pipelines' global variables), Azure Pipelines
    /// (`BUILD_SOURCEBRANCH`, `SYSTEM_PULLREQUEST_*`; "Use predefined variables"), Buildkite (`BUILDKITE_BRANCH`,
    /// `BUILDKITE_PULL_REQUEST`, which is `false` outside of one), CircleCI (`CIRCLE_BRANCH`, `CIRCLE_PULL_REQUEST`).
    pub fn of(get: impl Fn(&str) -> Option<String>) -> Checkout {
        let get = |name: &str| get(name).filter(|v| !v.trim().is_empty());
        let short = |of: String| of.strip_prefix("refs/heads/").map(str::to_owned).unwrap_or(of);
        let branch_of = |of: Option<String>| of.filter(|r| r.starts_with("refs/heads/")).map(short);
        if get("GITHUB_ACTIONS").is_some() {
            let base = get("GITHUB_BASE_REF");
            // A merge queue builds a branch of its own, which is not the main one yet.
            let proposed = base.is_some() || get("GITHUB_REF").is_some_and(|r| r.starts_with("refs/pull/"));
            return Checkout { branch: branch_of(get("GITHUB_REF")), pull_request: proposed, base };
        }
        if get("GITLAB_CI").is_some() {
            let pull_request = get("CI_MERGE_REQUEST_IID").is_some();
            let base = get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME");
            return Checkout { branch: get("CI_COMMIT_BRANCH"), pull_request, base };
        }
        if get("JENKINS_URL").is_some() {
            let pull_request = get("CHANGE_ID").is_some();
            let branch = get("BRANCH_NAME").filter(|_| !pull_request);
            return Checkout { branch, pull_request, base: get("CHANGE_TARGET") };
        }
        if get("TF_BUILD").is_some() {
            let pull_request = get("SYSTEM_PULLREQUEST_PULLREQUESTID").is_some();
            let base = get("SYSTEM_PULLREQUEST_TARGETBRANCH").map(short);
            return Checkout { branch: branch_of(get("BUILD_SOURCEBRANCH")), pull_request, base };
        }
        if get("BUILDKITE").is_some() {
            let pull_request = get("BUILDKITE_PULL_REQUEST").is_some_and(|n| n != "false");
            let base = get("BUILDKITE_PULL_REQUEST_BASE_BRANCH");
            return Checkout { branch: get("BUILDKITE_BRANCH").filter(|_| !pull_request), pull_request, base };
        }
        if get("CIRCLECI").is_some() {
            let pull_request = get("CIRCLE_PULL_REQUEST").is_some();
            return Checkout { branch: get("CIRCLE_BRANCH").filter(|_| !pull_request), pull_request, base: None };
        }
        Checkout::default()
    }

    /// What the environment of this process says.
    pub fn of_process() -> Checkout {
        Checkout::of(|name| std::env::var(name).ok())
    }

    /// False where the run is known to be of a pull request or of another branch than these: what blocks on the main
    /// branch blocks wherever nothing is known.
    pub fn is_main(&self, main: &[String]) -> bool {
        !self.pull_request && self.branch.as_ref().is_none_or(|b| main.contains(b))
    }
}

#[cfg(test)]
mod tests {
    use super::Checkout;

    fn of(variables: &[(&str, &str)]) -> Checkout {
        Checkout::of(|name| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
    }

    #[test]
    fn each_server_says_where_its_files_come_from() {
        let main = ["main".to_owned()];
        // The variables, whether it counts as main, and the base of a pull request.
        for (variables, is_main, base) in [
            (&[][..], true, None),
            (&[("GITHUB_ACTIONS", "true"), ("GITHUB_REF", "refs/heads/main"), ("GITHUB_BASE_REF", "")], true, None),
            (
                &[("GITHUB_ACTIONS", "true"), ("GITHUB_REF", "refs/pull/7/merge"), ("GITHUB_BASE_REF", "main")],
                false,
                Some("main"),
            ),
            (&[("GITHUB_ACTIONS", "true"), ("GITHUB_REF", "refs/heads/gh-readonly-queue/main/pr-7-abc")], false, None),
            (&[("GITHUB_ACTIONS", "true"), ("GITHUB_REF", "refs/heads/feature/main")], false, None),
            (&[("GITLAB_CI", "true"), ("CI_COMMIT_BRANCH", "main")], true, None),
            (
                &[
                    ("GITLAB_CI", "true"),
                    ("CI_MERGE_REQUEST_IID", "3"),
                    ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
                ],
                false,
                Some("main"),
            ),
            (&[("JENKINS_URL", "x"), ("BRANCH_NAME", "main")], true, None),
            (
                &[("JENKINS_URL", "x"), ("BRANCH_NAME", "PR-3"), ("CHANGE_ID", "3"), ("CHANGE_TARGET", "main")],
                false,
                Some("main"),
            ),
            (&[("TF_BUILD", "True"), ("BUILD_SOURCEBRANCH", "refs/heads/main")], true, None),
            (
                &[
                    ("TF_BUILD", "True"),
                    ("BUILD_SOURCEBRANCH", "refs/pull/1/merge"),
                    ("SYSTEM_PULLREQUEST_PULLREQUESTID", "1"),
                    ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main"),
                ],
                false,
                Some("main"),
            ),
            (&[("BUILDKITE", "true"), ("BUILDKITE_BRANCH", "main"), ("BUILDKITE_PULL_REQUEST", "false")], true, None),
            (
                &[
                    ("BUILDKITE", "true"),
                    ("BUILDKITE_BRANCH", "main"),
                    ("BUILDKITE_PULL_REQUEST", "12"),
                    ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main"),
                ],
                false,
                Some("main"),
            ),
            (&[("CIRCLECI", "true"), ("CIRCLE_BRANCH", "main")], true, None),
            (&[("CIRCLECI", "true"), ("CIRCLE_BRANCH", "x"), ("CIRCLE_PULL_REQUEST", "https://h/1")], false, None),
        ] {
            let got = of(variables);
            assert_eq!((got.is_main(&main), got.base.as_deref()), (is_main, base), "{variables:?}");
        }
    }
}
