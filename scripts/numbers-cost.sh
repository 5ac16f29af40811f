#!/bin/sh
# What reading numbers costs, over many short texts, for each language.
#
#   scripts/numbers-cost.sh [LINES] [COUNTED]
#
# LINES (100,000) texts of 15 to 25 words, a number in about one of ten, are read by `ragline inspect numbers` and, turn by
# turn, by two plain programs: `wc -w`, and a Python program that parses the same lines and finds the runs of digits with a
# regular expression. Shown are lines per second by CPU time (the best of RUNS, 3) and how many times the time of each plain
# program that is. Under valgrind, where it is installed, the instructions per line: what COUNTED (2,000) lines take beyond
# what one line takes, divided by their number, so that the start of the program does not count; the same for `wc -w`.
# The texts are made here, from a fixed seed. RAGLINE is the binary; by default the release build of this repository.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
binary=${RAGLINE:-${CARGO_TARGET_DIR:-$here/target}/release/ragline}
[ -x "$binary" ] || { echo "there is no $binary: cargo build --release" >&2; exit 2; }
exec env COST_BINARY="$binary" COST_LINES="${1:-100000}" COST_COUNTED="${2:-2000}" COST_RUNS="${RUNS:-3}" python3 - <<'PYTHON'
import json, os, random, re, shutil, subprocess, sys, tempfile

binary = os.environ["COST_BINARY"]
lines, counted, runs = (int(os.environ[k]) for k in ("COST_LINES", "COST_COUNTED", "COST_RUNS"))

WORDS = {
    "en": (" ", "customers return the device within of purchase a warranty and is service delivery order price for each member",
           "30 days|1,500 kg|40 %|$25.50|v3.4|2026-11-30|twenty-one days|half an hour|2.5 million|8:30 am|[1]|three times"),
    "vi": (" ", "khách hàng được đổi trả trong vòng kể từ ngày nhận bảo hành miễn phí đơn giao và của mỗi thành viên",
           "30 ngày|1.500.000 đồng|40%|1,5 triệu|8h30|30/11/2026|hai mươi mốt ngày|năm nghìn đồng|0912 345 678|[1]|ba lần"),
    "th": ("", "ลูกค้า สามารถ คืนสินค้า ได้ภายใน การรับประกัน ไม่ครอบคลุม ค่าธรรมเนียม เพิ่มเติม สมาชิก ทางร้าน จัดส่ง ออเดอร์",
           " 30 วัน | 1,500 บาท | ๓๐ วัน | ร้อยละ 7 | 8.30 น. | 30 พ.ย. 2569 |สิบห้าวัน|สองพันล้านบาท| 3 แสนบาท | [1] "),
    "zh": ("", "客户 可以 在 收到商品后 退货 保修范围 不包括 人为损坏 额外费用 订单 会员 每件 运费 配送",
           "30天|1500元|百分之十五|三百五十元|2026年11月30日|8:30|七天|九折|3.5亿|[1]|两小时"),
}


def texts(lang, n):
    glue, words, numbers = WORDS[lang]
    words, numbers, rng = words.split(), numbers.split("|"), random.Random(7)
    for _ in range(n):
        parts = [rng.choice(numbers if rng.random() < .1 else words) for _ in range(rng.randint(15, 25))]
        yield glue.join(parts)


PLAIN = r"""
import json, re, sys
run = re.compile(r"\d+(?:[.,]\d+)*")
n = sum(len(run.findall(json.loads(line)["text"])) for line in sys.stdin)
print(n)
"""


def seconds(command, path):
    with open(path, "rb") as source:
        process = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, command
    return usage.ru_utime + usage.ru_stime


def instructions(command, path):
    with open(path, "rb") as source:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                              stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"refs:\s+([\d,]+)", done.stderr).group(1).replace(",", ""))


home = tempfile.mkdtemp(prefix="numbers-cost-")
try:
    print(f"{lines:,} texts a language; instructions from {counted:,}" if shutil.which("valgrind") else f"{lines:,} texts a language; no valgrind")
    for lang in WORDS:
        rows = [json.dumps({"lang": lang, "text": t}, ensure_ascii=False) + "\n" for t in texts(lang, lines)]
        size = sum(len(r.encode()) for r in rows) / lines
        full, some, one = (f"{home}/{n}" for n in ("full", "some", "one"))
        for path, part in ((full, rows), (some, rows[:counted + 1]), (one, rows[:1])):
            with open(path, "w", encoding="utf-8") as f:
                f.writelines(part)
        ours, wc, plain = [binary, "inspect", "numbers"], ["wc", "-w"], [sys.executable, "-c", PLAIN]
        times = {"ours": [], "wc": [], "plain": []}
        for _ in range(runs):
            for name, command in (("ours", ours), ("wc", wc), ("plain", plain)):
                times[name].append(seconds(command, full))
        best = {name: max(min(t), 1e-3) for name, t in times.items()}
        line = (f"{lang}  {size:.0f} bytes a line  {lines / best['ours']:>9,.0f} lines/s  "
                f"{best['ours'] / best['wc']:.1f} x wc -w  {best['ours'] / best['plain']:.2f} x Python")
        if shutil.which("valgrind"):
            per = {n: (instructions(c, some) - instructions(c, one)) / counted for n, c in (("ours", ours), ("wc", wc))}
            line += f"  {per['ours']:,.0f} instructions a line ({per['ours'] / size:.0f} a byte), {per['ours'] / per['wc']:.1f} x wc -w"
        print(line, flush=True)
finally:
    shutil.rmtree(home, ignore_errors=True)
PYTHON
