"""A small RAG system whose answers vary: BM25 over Markdown sections, a prompt, and a model that draws its words.

CORPUS is the folder of the documents, LLM_URL an OpenAI-compatible server, LLM_MODEL the model's name. A JSON line
{"question": …} in, a line {"answer": …, "contexts": […]} out.
"""
import json
import math
import os
import re
import sys
import urllib.request
from collections import Counter
from pathlib import Path

TOP_K = 5
TEMPERATURE = 0.8


def words(text):
    return re.findall(r"\w+", text.lower())


def sections(folder):
    for path in sorted(Path(folder).glob("**/*.md")):
        title = heading = ""
        body = []
        for line in [*path.read_text(encoding="utf-8").splitlines(), "## "]:
            if line.startswith("## "):
                if any(b.strip() for b in body):
                    yield {"doc": path.name, "section": [title, heading], "text": "\n".join(body).strip()}
                heading, body = line[3:].strip(), []
            elif line.startswith("# "):
                title = line[2:].strip()
            else:
                body.append(line)


PASSAGES = list(sections(os.environ["CORPUS"]))
COUNTS = [Counter(words(p["text"])) for p in PASSAGES]
MEAN = sum(sum(c.values()) for c in COUNTS) / len(COUNTS)
IDF = {w: math.log(1 + (len(COUNTS) - n + 0.5) / (n + 0.5)) for w, n in Counter(w for c in COUNTS for w in c).items()}


def score(counts, query):
    length = 0.25 + 0.75 * sum(counts.values()) / MEAN
    return sum(IDF.get(w, 0) * counts[w] * 2.2 / (counts[w] + 1.2 * length) for w in query if w in counts)


def ask(prompt):
    body = {"model": os.environ["LLM_MODEL"], "temperature": TEMPERATURE, "max_tokens": 32,
            "messages": [{"role": "user", "content": prompt}]}
    request = urllib.request.Request(
        os.environ["LLM_URL"] + "/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=110) as reply:
        return json.load(reply)["choices"][0]["message"]["content"]


for line in sys.stdin:
    question = json.loads(line)["question"]
    query = words(question)
    best = sorted(range(len(PASSAGES)), key=lambda i: -score(COUNTS[i], query))[:TOP_K]
    found = [PASSAGES[i] for i in best]
    passages = "\n".join(f"[{n}] {p['text']}" for n, p in enumerate(found, 1))
    answer = ask(f"Answer the question from the passages in a few words.\n\n{passages}\n\nQuestion: {question}\nAnswer:")
    print(json.dumps({"answer": answer, "contexts": found}), flush=True)
