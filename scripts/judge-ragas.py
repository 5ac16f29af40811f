#!/usr/bin/env python3
"""Values of Ragas on scripted verdicts, to hold ragline's arithmetic against.

    pip install ragas==0.2.15            # in a virtual environment of your own
    python scripts/judge-ragas.py OUT.jsonl [SAMPLES]
    RAGLINE_RAGAS=OUT.jsonl cargo test --test judge_ragas

Ragas is run as it is; only its model is a script that replies what was drawn, and its embeddings are the vectors that were
drawn. Each line of OUT holds what was drawn and the value that Ragas made of it. No network is used.
"""
import asyncio
import json
import random
import sys

from langchain_core.outputs import Generation, LLMResult
from ragas import SingleTurnSample
from ragas.embeddings.base import BaseRagasEmbeddings
from ragas.llms.base import BaseRagasLLM
from ragas.metrics import Faithfulness, LLMContextPrecisionWithReference, LLMContextRecall, ResponseRelevancy
from ragas.run_config import RunConfig


class Script(BaseRagasLLM):
    """A model that replies with the next of its texts."""

    def __init__(self, replies):
        super().__init__(run_config=RunConfig())
        self.replies = list(replies)

    def next(self, n):
        texts = [json.dumps(self.replies.pop(0)) for _ in range(n)]
        return LLMResult(generations=[[Generation(text=t) for t in texts]])

    def generate_text(self, prompt, n=1, temperature=1e-8, stop=None, callbacks=None):
        return self.next(n)

    async def agenerate_text(self, prompt, n=1, temperature=None, stop=None, callbacks=None):
        return self.next(n)

    def is_finished(self, response):
        return True


class Vectors(BaseRagasEmbeddings):
    def __init__(self, known):
        super().__init__()
        self.known = known

    def embed_query(self, text):
        return self.known[text]

    def embed_documents(self, texts):
        return [self.known[t] for t in texts]

    async def aembed_query(self, text):
        return self.known[text]

    async def aembed_documents(self, texts):
        return [self.known[t] for t in texts]


def score(metric, sample):
    return float(asyncio.run(metric.single_turn_ascore(sample)))


def faithfulness(verdicts):
    texts = [f"statement {i}" for i in range(len(verdicts))]
    split = {"statements": texts}
    judged = {"statements": [{"statement": t, "reason": "", "verdict": v} for t, v in zip(texts, verdicts)]}
    sample = SingleTurnSample(user_input="q", response="a.", retrieved_contexts=["c"])
    return score(Faithfulness(llm=Script([split, judged])), sample)


def context_recall(verdicts):
    judged = {"classifications": [{"statement": f"s{i}", "reason": "", "attributed": v} for i, v in enumerate(verdicts)]}
    sample = SingleTurnSample(user_input="q", reference="r.", retrieved_contexts=["c"])
    return score(LLMContextRecall(llm=Script([judged])), sample)


def context_precision(verdicts):
    replies = [{"reason": "", "verdict": v} for v in verdicts]
    sample = SingleTurnSample(user_input="q", reference="r.", retrieved_contexts=[f"c{i}" for i in range(len(verdicts))])
    return score(LLMContextPrecisionWithReference(llm=Script(replies)), sample)


def relevancy(question, vectors, noncommittal):
    names = [f"g{i}" for i in range(len(vectors))]
    replies = [{"question": n, "noncommittal": c} for n, c in zip(names, noncommittal)]
    known = dict(zip(names, vectors), q=question)
    sample = SingleTurnSample(user_input="q", response="a.", retrieved_contexts=["c"])
    return score(ResponseRelevancy(llm=Script(replies), embeddings=Vectors(known), strictness=len(vectors)), sample)


def main():
    out, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50
    draw = random.Random(7)
    with open(out, "w", encoding="utf-8") as f:
        for _ in range(count):
            verdicts = [draw.randint(0, 1) for _ in range(draw.randint(1, 9))]
            for name, of in [("faithfulness", faithfulness), ("context_recall", context_recall), ("context_precision", context_precision)]:
                f.write(json.dumps({"metric": name, "verdicts": verdicts, "value": of(verdicts)}) + "\n")
            vector = lambda: [draw.gauss(0, 1) for _ in range(8)]
            question, vectors = vector(), [vector() for _ in range(3)]
            noncommittal = draw.choice([[0, 0, 0], [0, 0, 0], [1, 1, 1], [draw.randint(0, 1) for _ in range(3)]])
            value = relevancy(question, vectors, noncommittal)
            line = {"metric": "answer_relevancy", "question": question, "vectors": vectors, "noncommittal": noncommittal}
            f.write(json.dumps(line | {"value": value}) + "\n")


if __name__ == "__main__":
    main()
