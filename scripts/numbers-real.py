#!/usr/bin/env python3
"""What `ragline inspect numbers` reads right, on labelled and on parallel data.

    RAGLINE_DATA=… scripts/numbers-real.py [PART…] [--rows odd|even|all] [--misses]

Parts: duckling recognizers generators mirror injection subject speed (all of them without a name). Rules are made on rows whose
id hashes even; what is reported are the odd ones, unless a part has a fixed denominator (duckling). Each share comes with
its n and a 95 % Wilson interval. RAGLINE is the binary, by default the release build of this repository, else the debug
one. The generators need num2words, cn2an and pythainlp (pip); a missing one is said and left out.
"""
import argparse, collections, hashlib, json, math, os, random, re, subprocess, sys
from decimal import Decimal, InvalidOperation

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def binary():
    named = os.environ.get("RAGLINE")
    for path in ([named] if named else [os.path.join(HERE, "target", b, "ragline") for b in ("release", "debug")]):
        if os.access(path, os.X_OK):
            return path
    sys.exit("there is no binary: cargo build --release, or RAGLINE=…")


def ask(rows):
    """One answer for each row, in order."""
    rows = list(rows)
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
    done = subprocess.run([binary(), "inspect", "numbers"], input=text.encode(), stdout=subprocess.PIPE, check=False)
    out = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if len(out) != len(rows):
        sys.exit(f"{len(rows)} lines in, {len(out)} out (exit {done.returncode})")
    return out


def wilson(k, n):
    if n == 0:
        return "no rows"
    z, p = 1.959964, k / n
    mid, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    d = 1 + z * z / n
    return f"{p:.4f} [{max(0, (mid - half) / d):.4f}, {min(1, (mid + half) / d):.4f}] ({k} of {n})"


def even(key):
    return hashlib.sha256(key.encode()).digest()[0] % 2 == 0


def chosen(key):
    return ROWS == "all" or even(key) == (ROWS == "even")


def data(path):
    folder = os.environ.get("RAGLINE_DATA")
    if not folder:
        sys.exit("RAGLINE_DATA names no folder: nothing was measured")
    with open(os.path.join(folder, path), encoding="utf-8-sig") as f:
        return f.read()


def number(text):
    try:
        return Decimal(text)
    except (InvalidOperation, TypeError):
        return None


def near(a, b):
    return a is not None and b is not None and (a == b or (b != 0 and abs(a - b) <= abs(b) * Decimal("1e-12")))


FAMILY = {
    "Dollar": {"USD"}, "Pound": {"GBP", "EGP", "LBP", "lb"}, "Cent": {"cent"}, "Dinar": {"dinar", "KWD"},
    "Riyal": {"riyal"}, "Rial": {"rial"},
}


def duckling():
    rows = [line.split("\t") for line in data("d_numbers_tsv/duckling.tsv").splitlines()[1:]]
    out = ask({"lang": r[0], "text": r[3]} for r in rows)
    right, all_, misses = collections.Counter(), collections.Counter(), collections.Counter()
    for (lang, kind, value, text, *_), o in zip(rows, out):
        amount, _, unit = value.partition(" ")
        ok = False
        for m in o["mentions"]:
            values = [number(v) for v in m["readings"]]
            # 20 cents are also .20 of their currency.
            fits = any(near(v, Decimal(amount)) for v in values)
            if kind == "amountofmoney" and unit not in ("", "Unnamed"):
                same = m["unit"] in FAMILY.get(unit, {unit}) or (lang == "zh" and unit == "Dollar" and m["unit"] in ("CNY", "HKD"))
                fits = fits and same
            elif kind == "ordinal":
                fits = fits and m["unit"] == "ordinal"
            ok |= fits
        all_[lang] += 1
        right[lang] += ok
        if not ok:
            misses[lang, kind] += 1
            if SHOW:
                print(f"  {lang} {kind} {text!r}: {value}, read {[(m['readings'], m['unit']) for m in o['mentions']]}")
    for lang in all_:
        print(f"duckling {lang}: {wilson(right[lang], all_[lang])}")
    print("  misses by kind:", dict(misses))


def parts_of(m):
    """The numbers that a mention states: a date, a time and a ratio state their parts too."""
    found = [number(v) for v in m["readings"]]
    if m["kind"] in ("date", "time"):
        return [number(p) for p in re.findall(r"\d+", " ".join([m["text"], *m["readings"]]))]
    return found + [number(p) for p in m["value"].replace("/", ":").split(":")]


def recognizers():
    parts = [("numbers", "Number/English/NumberModel"), ("percents", "Number/English/PercentModel"),
             ("currency", "NumberWithUnit/English/CurrencyModel"), ("dimensions", "NumberWithUnit/English/DimensionModel")]
    for name, path in parts:
        rows = [r for r in json.loads(data(f"d_recognizers_text/{path}.json")) if chosen(name + r["Input"])]
        out = ask({"lang": "en", "text": r["Input"]} for r in rows)
        k = n = inside = 0
        for row, o in zip(rows, out):
            for want in row["Results"]:
                value = number(((want.get("Resolution") or {}).get("value") or "").replace("%", ""))
                if value is None:
                    continue
                n += 1
                start, end = want.get("Start"), want.get("End")
                ok = False
                for m in o["mentions"]:
                    overlaps = start is None or (m["start"] <= end and m["end"] > start)
                    read = parts_of(m) if name == "numbers" else [number(v) for v in m["readings"]]
                    close = lambda v: near(v, value) or (v is not None and value != 0 and abs(v - value) <= abs(value) * Decimal("1e-9"))
                    fits = any(close(v) for v in read)
                    if name == "percents":
                        fits = fits and m["unit"] == "percent"
                    if name in ("currency", "dimensions"):
                        fits = fits and m["unit"] is not None
                    ok |= overlaps and fits
                k += ok
                if not ok:
                    # Inside a code, a version or a phone number no number stands: those are compared as they are written.
                    whole = any(m["kind"] in ("code", "version", "phone") and m["start"] <= (start or 0) < m["end"] for m in o["mentions"])
                    inside += whole
                    if SHOW:
                        print(f"  {name}{' (inside a code)' if whole else ''} {row['Input'][:100]!r}: {want['Text']} = {value}, read "
                              f"{[(m['text'], m['readings'], m['unit'], m['kind']) for m in o['mentions']]}")
        apart = f"; {inside} of the misses are parts of codes and phone numbers, without them {wilson(k, n - inside)}" if inside else ""
        print(f"recognizers {name}: {wilson(k, n)}{apart}")


def generators():
    rng = random.Random(20261130)
    values = [rng.randrange(0, 10 ** rng.randrange(1, 10)) for _ in range(10_000)]
    makers = {}
    try:
        from num2words import num2words
        for lang in ("vi", "th", "en"):
            makers[f"num2words {lang}"] = (lang, lambda v, lang=lang: num2words(v, lang=lang))
    except ImportError:
        print("generators: num2words is not installed")
    try:
        import cn2an
        makers["cn2an low"] = ("zh", lambda v: cn2an.an2cn(str(v), "low"))
        makers["cn2an up"] = ("zh", lambda v: cn2an.an2cn(str(v), "up"))
    except ImportError:
        print("generators: cn2an is not installed")
    try:
        from pythainlp.util import num_to_thaiword
        makers["pythainlp"] = ("th", num_to_thaiword)
    except ImportError:
        print("generators: pythainlp is not installed")
    for name, (lang, make) in makers.items():
        texts = [make(v) for v in values]
        out = ask({"lang": lang, "text": t} for t in texts)
        k = 0
        for v, t, o in zip(values, texts, out):
            ok = len(o["mentions"]) == 1 and str(v) in o["mentions"][0]["readings"][:1] and o["mentions"][0]["text"] == t
            ok = ok or (len(o["mentions"]) == 1 and number(o["mentions"][0]["value"]) == v)
            k += ok
            if not ok and SHOW:
                print(f"  {name} {v} {t!r}: {[(m['text'], m['readings']) for m in o['mentions']]}")
        print(f"generators {name}: {wilson(k, len(values))}")


def paragraphs(lang):
    return [p for a in json.loads(data(f"a_xquad/xquad.{lang}.json"))["data"] for p in a["paragraphs"]]


def values(m):
    """What a mention states as plain numbers: a date states its parts."""
    if m["kind"] == "date":
        return {number(p) for r in m["readings"] for p in re.findall(r"\d+", r)}
    found = {number(v) for v in m["readings"]} - {None}
    if m["kind"] == "ratio":
        found |= {number(p) for p in re.findall(r"\d+", m["value"])}
    return found or {m["value"]}


def mirror():
    """The numbers written in digits of an English paragraph, looked for in its translation. A date is its numbers."""
    claims = []
    for o in ask({"lang": "en", "text": p["context"]} for p in paragraphs("en")):
        list_ = []
        for m in o["mentions"]:
            if m["kind"] == "date":
                list_ += [(m["text"], {number(d)}) for d in re.findall(r"\d+", m["text"])]
            elif re.search(r"\d", m["text"]) and m["kind"] not in ("code", "version"):
                list_.append((m["text"], values(m)))
        claims.append(list_)
    for lang in ("vi", "th", "zh"):
        read = [o["mentions"] for o in ask({"lang": lang, "text": p["context"]} for p in paragraphs(lang))]
        stated = [set().union(set(), *(values(m) for m in list_)) for list_ in read]
        k = n = elsewhere = 0
        rng = random.Random(7)
        for i, list_ in enumerate(claims):
            if not chosen(f"paragraph {i}"):
                continue
            other = rng.choice([j for j in range(len(read)) if j != i])
            for text, wanted in list_:
                n += 1
                ok = bool(wanted & stated[i])
                k += ok
                elsewhere += bool(wanted & stated[other])
                if not ok and SHOW:
                    print(f"  {lang} {i} {text!r} {sorted(map(str, wanted))}: {[m['text'] for m in read[i]]}")
        print(f"mirror {lang}: {wilson(k, n)}; in another paragraph {wilson(elsewhere, n)}")


DIGITS = re.compile(r"\d[\d.,]*\d|\d")
SWAPS = {
    "vi": [("ngày", "giờ"), ("năm", "tháng"), ("km", "kg"), ("triệu", "tỷ"), ("%", " kg"), ("người", "km"), ("mét", "giờ")],
    "th": [("วัน", "ชั่วโมง"), ("ปี", "เดือน"), ("กิโลเมตร", "กิโลกรัม"), ("ล้าน", "พันล้าน"), ("คน", "กิโลเมตร"), ("%", " กก.")],
    "zh": [("天", "小时"), ("公里", "公斤"), ("元", "美元"), ("万", "亿"), ("人", "公里"), ("%", "公斤"), ("米", "小时")],
    "en": [("days", "hours"), ("years", "months"), ("km", "kg"), ("million", "billion"), ("%", " kg"), ("people", "miles")],
}


def bumped(written, change):
    plain = written.replace(",", "").replace(".", "")
    value = int(plain)
    if change == "2x+3":
        new = 2 * value + 3
    elif change == "off by one":
        new = value + 1
    else:
        at = RNG.randrange(len(plain))
        new = int(plain[:at] + str((int(plain[at]) + RNG.randrange(1, 10)) % 10) + plain[at + 1:])
    text = str(new)
    marks = [c for c in written if c in ",."]
    if not marks:
        return text
    mark = marks[-1]
    tail = written.rsplit(mark, 1)[1]
    if len(tail) == 3:
        return f"{new:,}".replace(",", mark)
    return text[:-len(tail)] + mark + text[-len(tail):] if len(text) > len(tail) else "0" + mark + text.rjust(len(tail), "0")


def sentences(text, lang):
    cut = r"(?<=[。！？；])" if lang == "zh" else r"\n|  " if lang == "th" else r"(?<=[.!?])\s+(?=[^a-z0-9])"
    return [s.strip() for s in re.split(cut, text) if s.strip()]


def injection():
    global RNG
    for lang in ("vi", "th", "zh", "en"):
        RNG = random.Random(11)
        texts = [p["context"] for p in paragraphs(lang)]
        cases = []
        for i, text in enumerate(texts):
            if not chosen(f"paragraph {i}"):
                continue
            contexts = [texts[(i + d) % len(texts)] for d in (0, 1, 2)]
            good = [s for s in sentences(text, lang) if DIGITS.search(s)]
            if not good:
                continue
            sentence = RNG.choice(good)
            cases.append(("untouched", sentence, contexts, None))
            for change in ("2x+3", "one digit", "off by one"):
                m = RNG.choice(list(DIGITS.finditer(sentence)))
                new = bumped(m.group(), change)
                if new != m.group():
                    cases.append((change, sentence[:m.start()] + new + sentence[m.end():], contexts, new))
            for old, to in SWAPS[lang]:
                # `tháng 11 năm 1347`: the word belongs to the number behind it and is no unit.
                m = re.search(r"(\d\s?)" + re.escape(old) + r"(?!\s?\d)", sentence)
                if m:
                    swapped = m.group(1).rstrip() + to if to[0] == " " else m.group(1) + to
                    cases.append(("unit swap", sentence[:m.start()] + swapped + sentence[m.end():], contexts, None))
                    break
        out = ask({"lang": lang, "question": "", "answer": a, "contexts": c} for _, a, c, _ in cases)
        tally, caught, elsewhere = collections.Counter(), collections.Counter(), collections.Counter()
        for (kind, answer, contexts, new), o in zip(cases, out):
            tally[kind] += 1
            flagged = o["outcome"] == "fail"
            caught[kind] += flagged != (kind == "untouched")
            if not flagged and kind != "untouched":
                bare = lambda t: {x.replace(",", "").replace(".", "") for x in DIGITS.findall(t)}
                there = new is not None and new.replace(",", "").replace(".", "") in set().union(*map(bare, contexts))
                elsewhere[kind] += there
                if SHOW and not there:
                    print(f"  {lang} {kind} {new!r} {answer[:140]!r}: {[(x['text'], x['status']) for x in o['numbers']]}")
            if flagged and kind == "untouched" and SHOW:
                print(f"  {lang} untouched {answer[:160]!r}: {[f['message'] for f in o['findings'] if f['code'] in ('number-ungrounded', 'number-unit-mismatch')]}")
        for kind in tally:
            slip = f"; missed because it stands elsewhere: {elsewhere[kind]}" if kind not in ("untouched", "unit swap") else ""
            fair = tally[kind] - elsewhere[kind]
            slip += f"; without those {wilson(caught[kind], fair)}" if elsewhere[kind] else ""
            print(f"injection {lang} {kind}: {wilson(caught[kind], tally[kind])}{slip}")


def subject():
    for lang in ("vi", "th", "zh", "en"):
        rng = random.Random(5)
        texts = paragraphs(lang)
        mentions = [o["mentions"] for o in ask({"lang": lang, "text": p["context"]} for p in texts)]
        rows = []
        for p, read in zip(texts, mentions):
            for qa in p["qas"]:
                answer = qa["answers"][0]["text"]
                if not re.search(r"\d", answer) or not chosen(f"question {qa['id']}"):
                    continue
                said = set(re.findall(r"\d+", answer)) | set(re.findall(r"\d+", qa["question"]))
                others = [m for m in read if m["claim"] and re.search(r"\d", m["text"])
                          and m["kind"] in ("number", "percent", "quantity", "money")
                          and not set(re.findall(r"\d+", m["text"])) & said]
                rows.append(("right", qa["question"], answer, p["context"]))
                if others:
                    rows.append(("wrong", qa["question"], rng.choice(others)["text"], p["context"]))
        out = ask({"lang": lang, "question": q, "answer": a, "contexts": [c]} for _, q, a, c in rows)
        tally, flagged = collections.Counter(), collections.Counter()
        for (kind, q, a, _), o in zip(rows, out):
            if not o["numbers"]:
                continue
            tally[kind] += 1
            flag = any(x["status"] == "suspect_subject" for x in o["numbers"])
            flagged[kind] += flag
            if SHOW and flag and kind == "right":
                print(f"  {lang} {q!r} {a!r}: {[f['message'] for f in o['findings']]}")
        print(f"subject {lang}: caught {wilson(flagged['wrong'], tally['wrong'])}; false alarms {wilson(flagged['right'], tally['right'])}")


def speed():
    """Seconds for one text of 10 kB to 1 MB, and lines a second for 100,000 short texts, process and JSON included."""
    import time
    for lang in ("vi", "th", "zh", "en"):
        whole = "\n".join(p["context"] for p in paragraphs(lang))
        took = []
        for size in (10_000, 100_000, 1_000_000):
            text = (whole * (size // len(whole) + 1))[:size]
            start = time.perf_counter()
            for _ in range(3):
                ask([{"lang": lang, "text": text}])
            took.append((time.perf_counter() - start) / 3)
        lines = [s for p in paragraphs(lang) for s in sentences(p["context"], lang)]
        rows = [{"lang": lang, "text": lines[i % len(lines)]} for i in range(100_000)]
        start = time.perf_counter()
        ask(rows)
        spent = time.perf_counter() - start
        rate, size = len(rows) / spent, sum(len(r["text"].encode()) for r in rows)
        # Thai has no mark between sentences: its short texts are paragraphs, so bytes are counted too.
        print(f"speed {lang}: 10 kB {took[0]:.3f} s, 100 kB {took[1]:.3f} s, 1 MB {took[2]:.3f} s; {rate:,.0f} short texts a "
              f"second, of {size / len(rows):.0f} bytes each, {size / spent / 1e6:.1f} MB/s")


PARTS = {f.__name__: f for f in (duckling, recognizers, generators, mirror, injection, subject, speed)}

if __name__ == "__main__":
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("part", nargs="*", choices=[*PARTS, []], default=[])
    args.add_argument("--rows", choices=("odd", "even", "all"), default="odd")
    args.add_argument("--misses", action="store_true", help="print every miss")
    args = args.parse_args()
    ROWS, SHOW = args.rows, args.misses
    for part in args.part or PARTS:
        PARTS[part]()
