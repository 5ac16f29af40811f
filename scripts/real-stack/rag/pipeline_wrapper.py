"""A small RAG over the documents of an imported suite: BM25 in memory, a prompt, a model behind an OpenAI-compatible server.

CORPUS is the folder of Markdown documents, LLM_URL the server's address (…/v1), LLM_MODEL the model's name.
"""
import os
from pathlib import Path

from hayhooks import BasePipelineWrapper
from haystack import Document, Pipeline
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret

TOP_K = 3

PROMPT = """Answer the question from the passages in a few words.

{% for d in documents %}[{{ loop.index }}] {{ d.content }}
{% endfor %}
Question: {{ question }}
Answer:"""


def passages(folder):
    """A passage per section: its text, its document, its heading."""
    for path in sorted(Path(folder).glob("**/*.md")):
        title, heading, text = "", "", []
        for line in [*path.read_text(encoding="utf-8").splitlines(), "## "]:
            if line.startswith("## "):
                body = "\n".join(text).strip()
                if body:
                    yield Document(content=body, meta={"source": f"data/{path.name}", "section": [title, heading]})
                heading, text = line[3:].strip(), []
            elif line.startswith("# "):
                title = line[2:].strip()
            else:
                text.append(line)


class PipelineWrapper(BasePipelineWrapper):
    def setup(self):
        store = InMemoryDocumentStore()
        store.write_documents(list(passages(os.environ["CORPUS"])))
        self.pipeline = Pipeline()
        self.pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=TOP_K))
        self.pipeline.add_component("prompt", ChatPromptBuilder([ChatMessage.from_user(PROMPT)], required_variables=["question", "documents"]))
        self.pipeline.add_component(
            "llm",
            OpenAIChatGenerator(
                api_key=Secret.from_token("none"),
                model=os.environ["LLM_MODEL"],
                api_base_url=os.environ["LLM_URL"],
                generation_kwargs={"temperature": 0, "max_tokens": 40, "seed": 1},
            ),
        )
        self.pipeline.connect("retriever.documents", "prompt.documents")
        self.pipeline.connect("prompt.prompt", "llm.messages")

    def run_api(self, question: str) -> dict:
        """Answers a question; the passages are returned as they were in the prompt."""
        out = self.pipeline.run(
            {"retriever": {"query": question}, "prompt": {"question": question}}, include_outputs_from={"retriever"}
        )
        documents = [
            {"content": d.content, "score": d.score, "meta": d.meta} for d in out["retriever"]["documents"]
        ]
        return {"answer": out["llm"]["replies"][0].text, "documents": documents}
