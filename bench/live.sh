#!/bin/sh
# What a live run costs beside a bare client, against the same server in the same minutes.
#
#   RAGLINE_BENCH=W RAGLINE_SERVER="python3 mock_rag.py" RAGLINE_CLIENT="python3 http_client.py aiohttp" bench/live.sh
#
# W holds a workload as bench/cost.sh takes it. The server is started as `SERVER --data W --port 0 --latency-ms 100` and
# prints its port; it answers POST /query {"id", "question"} after that time. The client is run as `CLIENT N CONCURRENCY` with
# RAG_DATA and MOCK_PORT set. Two loads: 208 questions at 16, 1,024 at 64. Each program is run RUNS (5) times, turn by turn.
# The ideal is the server's time alone: rounds of `concurrency` questions.
# RAGLINE is the binary; by default the release build of this repository.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=${RAGLINE_BENCH:-}
[ -n "$work" ] && [ -n "${RAGLINE_SERVER:-}" ] || { sed -n 2,12p "$0" >&2; exit 2; }
work=$(cd "$work" && pwd)
binary=${RAGLINE:-${CARGO_TARGET_DIR:-$here/target}/release/ragline}
[ -x "$binary" ] || { echo "there is no $binary: cargo build --release" >&2; exit 2; }
exec env BENCH_WORK="$work" BENCH_BINARY="$binary" BENCH_SERVER="$RAGLINE_SERVER" BENCH_CLIENT="${RAGLINE_CLIENT:-}" \
    BENCH_RUNS="${RUNS:-5}" python3 - <<'PYTHON'
import math, os, shlex, shutil, statistics, subprocess, sys, tempfile, time

work, binary = os.environ["BENCH_WORK"], os.environ["BENCH_BINARY"]
runs, latency = int(os.environ["BENCH_RUNS"]), 0.1
home = tempfile.mkdtemp(prefix="ragline-live-")
server = subprocess.Popen(
    [*shlex.split(os.environ["BENCH_SERVER"]), "--data", work, "--port", "0", "--latency-ms", "100"],
    stdout=subprocess.PIPE, text=True)
port = server.stdout.readline().strip()


def cpu_of(command, env):
    """Wall and CPU seconds, exit code."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    _, status, usage = os.wait4(process.pid, 0)
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status)


def project(count, concurrency):
    folder = f"{home}/{count}"
    os.makedirs(f"{folder}/suites")
    with open(f"{work}/suites/bench.jsonl", encoding="utf-8") as f, open(f"{folder}/suites/bench.jsonl", "w") as out:
        head = next(f)
        out.write(head)
        for _, line in zip(range(count), f):
            out.write(line)
    with open(f"{folder}/ragline.toml", "w") as f:
        f.write(f"""version = 1
[targets.mock]
kind = "http"
url = "http://127.0.0.1:{port}/query"
body = '{{"id": {{{{ id }}}}, "question": {{{{ question }}}}}}'
concurrency = {concurrency}
[targets.mock.response]
answer = "$.answer"
contexts = "$.contexts[*]"
citations = "$.citations[*]"
""")
    with open(f"{folder}/thresholds.toml", "w") as f:
        f.write('version = 1\nbaseline = "none"\n')
    return [binary, "-C", folder, "run", "--target", "mock"]


clean = {k: v for k, v in os.environ.items() if not k.startswith(("RAGLINE_", "BENCH_"))}
ok = True
try:
    for count, concurrency in ((208, 16), (1024, 64)):
        ours = project(count, concurrency)
        client = [*shlex.split(os.environ["BENCH_CLIENT"]), str(count), str(concurrency)]
        with_data = {**clean, "RAG_DATA": work, "MOCK_PORT": port}
        table = {"ragline": [], "client": []}
        for _ in range(runs):
            wall, cpu, code = cpu_of(ours, clean)
            assert code in (0, 1), f"ragline ended with {code}"
            table["ragline"].append((wall, cpu))
            if os.environ["BENCH_CLIENT"]:
                wall, cpu, code = cpu_of(client, with_data)
                assert code == 0, f"the client ended with {code}"
                table["client"].append((wall, cpu))
        ideal = math.ceil(count / concurrency) * latency
        print(f"{count} questions, {latency * 1000:.0f} ms, {concurrency} at once: ideal {ideal:.2f} s")
        middle = {}
        for name, rows in table.items():
            if rows:
                wall, cpu = (statistics.median(r[i] for r in rows) for i in (0, 1))
                middle[name] = wall
                print(f"  {name:<8} wall {wall:.3f} s ({wall / ideal:.3f} of the ideal), CPU {cpu / count * 1000:.2f} ms a question")
        if "client" in middle:
            ratio = middle["ragline"] / middle["client"]
            ok &= ratio <= 1.05
            print(f"  ragline / client {ratio:.3f}")
finally:
    server.terminate()
    server.wait()
    shutil.rmtree(home, ignore_errors=True)
sys.exit(0 if ok else 1)
PYTHON
