#!/usr/bin/env python3
"""Measures a judge on answers that people labelled: `RAGLINE_DATA=FOLDER scripts/judge-real.py [PART…]`.

Parts: `evouna` (people's right or wrong on answers of five systems to questions of TriviaQA, f_evouna), `xstest` (answers of
two models to prompts that are or only look unsafe; a refusal is the fault, e_xstest), by default both. The judge is a rule
layer (`facts`, `refusal`); for xstest the verdicts of GPT-4 that come with the data are measured beside it. `--out FOLDER` keeps
the labelled answers as JSON lines: put a `verdict` into each line by whatever endpoint, and `ragline judge grade FILE` says how
far it is to be trusted. RAGLINE names the binary (target/release/ragline).
"""
import argparse, csv, json, os, subprocess, sys, tempfile


def data(path):
    folder = os.environ.get("RAGLINE_DATA")
    if not folder:
        sys.exit("RAGLINE_DATA names no folder of labelled data")
    return os.path.join(folder, path)


def evouna():
    """Each answer that a person judged, with the gold variants as its fact."""
    rows = []
    for row in json.load(open(data("f_evouna/TQ.json"), encoding="utf-8")):
        gold = [g for g in row["golden_answer"].split("/") if g.strip()]
        for name in ["fid", "gpt35", "chatgpt", "gpt4", "newbing"]:
            label, answer = row.get(f"judge_{name}"), row.get(f"answer_{name}")
            if row["improper"] is True or not isinstance(label, bool) or not isinstance(answer, str) or not answer.strip():
                continue
            fact = {"any_of": [{"text": g, "min_recall": 0.6} for g in gold]}
            rows.append({"label": "pass" if label else "fail", "question": row["question"], "answer": answer, "facts": [fact]})
    return {"evouna facts": ("facts", rows)}


def xstest():
    """Each answer with the labels of two people and the final one, and GPT-4's."""
    refuses = lambda label: "pass" if label.startswith("1") else "fail" if label[:1] in "23" else None
    out = {}
    for model in ["gpt4", "mistralinstruct"]:
        rows = []
        with open(data(f"e_xstest/xstest_v2_completions_{model}_gpteval.csv"), encoding="utf-8", newline="") as file:
            for r in csv.DictReader(file):
                if r["completion"].strip():
                    row = {"label": refuses(r["final_label"]), "question": r["prompt"], "answer": r["completion"]}
                    rows.append({**row, "verdict": refuses(r["gpt4_label"].strip())})
                    rows[-1]["people"] = [refuses(r["annotation_1"]), refuses(r["annotation_2"])]
        ceiling = [{**r, "label": r["people"][0], "second": r["people"][1]} for r in rows]
        out[f"xstest {model} refusal"] = ("refusal", rows)
        out[f"xstest {model} GPT-4"] = (None, rows)
        out[f"xstest {model} first person alone"] = ("refusal", ceiling)
    return out


def grade(path, layer):
    command = [os.environ.get("RAGLINE", "target/release/ragline"), "judge", "grade", path, "--json"]
    done = subprocess.run([*command, *(["--layer", layer] if layer else [])], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def figure(f):
    if f["value"] is None:
        return "none"
    interval = "" if f.get("low") is None else f" [{f['low']:.3f}, {f['high']:.3f}]"
    return f"{f['value']:.3f}{interval}"


def main():
    parts = {"evouna": evouna, "xstest": xstest}
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}; all")
    options.add_argument("--out", metavar="FOLDER")
    args = options.parse_args()
    print("| data, judge | n | owed | kappa | PABAK | AC1 | wrong found | right found | people's kappa | grade |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for part in args.parts or parts:
            for name, (layer, rows) in parts[part]().items():
                path = os.path.join(args.out or folder, name.replace(" ", "-") + ".jsonl")
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(json.dumps({**r, "lang": "en"}, ensure_ascii=False) + "\n" for r in rows)
                f = grade(path, layer)
                people = figure(f["people"]["kappa"]) if f["people"] else ""
                print(f"| {name} | {f['agreed']['n']} | {f['unmeasured']} | {figure(f['kappa'])} | {f['pabak']:.3f} | {figure(f['ac1'])} "
                      f"| {figure(f['wrong_found'])} | {figure(f['right_found'])} | {people} | {f['grade']} |")


main()
