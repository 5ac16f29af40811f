# The GitHub API, for the scripts beside this file.
# shellcheck shell=bash

# What fails inside `$( )` fails the script.
shopt -s inherit_errexit

# api METHOD PATH [FILE]: the reply to standard output. The token goes by standard input, so that no list of processes shows
# it. Only what can be asked twice is asked again when the server fails.
api() {
  local -a more=()
  [ "$1" != GET ] || more+=(--retry 3 --retry-delay 1)
  [ -z "${3:-}" ] || more+=(--data-binary "@$3" --header 'Content-Type: application/json')
  printf 'Authorization: Bearer %s\n' "${GH_TOKEN:?}" |
    curl --silent --show-error --fail-with-body --max-time 30 --max-filesize 20000000 ${more[@]+"${more[@]}"} \
      --request "$1" --header @- --header 'Accept: application/vnd.github+json' \
      --header 'X-GitHub-Api-Version: 2022-11-28' "${GITHUB_API_URL:?}$2"
}

# event FILTER: a part of the event that started this workflow. It is data, whatever it holds.
event() {
  jq -r "$1 // empty" "${GITHUB_EVENT_PATH:?}"
}

# The repository, checked before it becomes part of an address.
repo=${GITHUB_REPOSITORY:?}
if ! [[ $repo =~ ^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]]; then
  echo "GITHUB_REPOSITORY is no OWNER/NAME" >&2
  exit 2
fi

# pull_request: NUMBER and SHA of the pull request that this event is about, on one line; nothing where there is none.
pull_request() {
  local number='' sha=''
  case ${GITHUB_EVENT_NAME:?} in
  pull_request)
    number=$(event .pull_request.number)
    sha=$(event .pull_request.head.sha)
    ;;
  workflow_run)
    # The event of a fork's run does not name its pull request, and what the run wrote could name any. GitHub knows which
    # one has this commit at its head.
    sha=$(event .workflow_run.head_sha)
    [ "$(event .workflow_run.event)" = pull_request ] || return 0
    local head
    head=$(jq -r '.workflow_run | "\(.head_repository.owner.login):\(.head_branch)" | @uri' "$GITHUB_EVENT_PATH")
    number=$(api GET "/repos/$repo/pulls?state=open&per_page=100&head=$head" |
      jq -r --arg sha "$sha" '[.[] | select(.head.sha == $sha) | .number] | first // empty')
    ;;
  *) return 0 ;;
  esac
  if [[ $number =~ ^[0-9]+$ ]] && [[ $sha =~ ^[0-9a-f]{40}$ ]]; then
    printf '%s %s\n' "$number" "$sha"
  fi
}

# head_of NUMBER: the commit at the head of a pull request now.
head_of() {
  api GET "/repos/$repo/pulls/$1" | jq -r .head.sha
}
