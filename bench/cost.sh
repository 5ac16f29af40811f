#!/bin/sh
# What a run of recorded answers costs, beside a floor program that only reads, parses and makes one pass of simple checks.
#
#   RAGLINE_BENCH=W RAGLINE_FLOOR=…/floor bench/cost.sh        or: bench/cost.sh W …/floor
#
# W holds a workload: suites/bench.jsonl and responses.jsonl (ours), golden.jsonl and recorded.jsonl (the floor's), and
# expected.json (what the simple checks find). Without a floor program only our own figures are shown.
# RAGLINE is the binary; by default the release build of this repository. RUNS (5) is how often each is run.
# See bench/README.md for the method.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=${1:-${RAGLINE_BENCH:-}}
floor=${2:-${RAGLINE_FLOOR:-}}
[ -n "$work" ] || { echo "usage: bench/cost.sh WORKLOAD [FLOOR]   (or RAGLINE_BENCH, RAGLINE_FLOOR)" >&2; exit 2; }
work=$(cd "$work" && pwd)
binary=${RAGLINE:-${CARGO_TARGET_DIR:-$here/target}/release/ragline}
[ -x "$binary" ] || { echo "there is no $binary: cargo build --release" >&2; exit 2; }
exec env BENCH_WORK="$work" BENCH_FLOOR="$floor" BENCH_BINARY="$binary" BENCH_RUNS="${RUNS:-5}" python3 - <<'PYTHON'
import collections, json, os, shutil, statistics, subprocess, tempfile

work, floor, binary = (os.environ[k] for k in ("BENCH_WORK", "BENCH_FLOOR", "BENCH_BINARY"))
runs = int(os.environ["BENCH_RUNS"])
home = tempfile.mkdtemp(prefix="ragline-cost-")


def lines(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def count(path):
    with open(path, "rb") as f:
        return sum(1 for _ in f)


def measured(command):
    """CPU seconds (user + system), peak memory in MB, exit code."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("RAGLINE_", "BENCH_"))}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=clean)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def project(responses):
    shutil.rmtree(f"{home}/p", ignore_errors=True)
    os.makedirs(f"{home}/p/suites")
    shutil.copy(f"{work}/suites/bench.jsonl", f"{home}/p/suites/bench.jsonl")
    open(f"{home}/p/ragline.toml", "w").write("version = 1\n")
    open(f"{home}/p/thresholds.toml", "w").write('version = 1\nbaseline = "none"\n')
    return [binary, "-C", f"{home}/p", "run", "--answers", responses]


def forget():
    shutil.rmtree(f"{home}/p/.ragline", ignore_errors=True)


try:
    five = f"{work}/responses.jsonl"
    ours, theirs = [], []
    command = project(five)
    for _ in range(runs):
        # Turn by turn, so that what else the machine does falls on both.
        if floor:
            theirs.append(measured([floor, "check", f"{work}/golden.jsonl", f"{work}/recorded.jsonl", f"{home}/out.xml", "1"]))
        forget()
        ours.append(measured(command))
    assert all(code in (0, 1) for *_, code in ours), ours
    median = lambda rows, i: statistics.median(row[i] for row in rows)
    n = count(five) - 1
    cpu = median(ours, 0)
    print(f"ragline   {n:,} questions   {cpu:.3f} s CPU   {median(ours, 1):.0f} MB at most")
    if theirs:
        base = median(theirs, 0)
        print(f"floor     {n:,} questions   {base:.3f} s CPU   {median(theirs, 1):.0f} MB at most   ragline takes {cpu / base:.1f} times that")

    # Four times as many passages a question, taken from the questions before it. Line by line: the peak of a process counts
    # from what its parent held when it was started.
    before = collections.deque(maxlen=3)
    with open(five, encoding="utf-8") as f, open(f"{home}/twenty.jsonl", "w", encoding="utf-8") as to:
        to.write(next(f))
        for line in f:
            row = json.loads(line)
            own = row["contexts"]
            row["contexts"] = own + [c for contexts in before for c in contexts]
            before.append(own)
            to.write(json.dumps(row, ensure_ascii=False) + "\n")
    twenty = measured(project(f"{home}/twenty.jsonl"))
    print(f"memory    5 passages a question {median(ours, 1):.0f} MB, 20 passages {twenty[1]:.0f} MB   ({twenty[0]:.3f} s CPU)")

    # What the five layers find, beside what the simple checks find.
    if os.path.exists(f"{work}/expected.json"):
        expected = json.load(open(f"{work}/expected.json"))["failed"]
        measured(project(five))
        latest = open(f"{home}/p/.ragline/runs/latest").read().strip()
        names = {"grounded": "numbers"}
        differ, both, failed = collections.Counter(), 0, 0
        examples = {}
        for row in lines(f"{home}/p/.ragline/runs/{latest}/results.jsonl")[1:]:
            theirs = {names.get(layer, layer) for layer in expected.get(row["id"], [])}
            ours = {layer for layer, r in row["layers"].items() if r["outcome"] == "fail"}
            failed += bool(ours)
            both += bool(ours) == bool(theirs)
            for layer in ours ^ theirs:
                codes = [f["code"] for f in row["layers"][layer].get("findings", [])]
                kind = (layer, "ours alone" if layer in ours else "theirs alone", (codes or ["-"])[0])
                differ[kind] += 1
                examples.setdefault(kind, row["id"])
        print(f"found     {failed:,} failing questions (the simple checks: {len(expected):,}); the same verdict on {both:,} of {n:,}")
        for kind, count in differ.most_common():
            print(f"          {count:>6,}  {' · '.join(kind)}   e.g. {examples[kind]}")
finally:
    shutil.rmtree(home, ignore_errors=True)
PYTHON
