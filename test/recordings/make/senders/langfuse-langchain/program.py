"""LangChain with the callback of Langfuse, which sends its spans to the endpoint of the program."""

from langfuse import Langfuse
from langfuse.langchain import CallbackHandler
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

import langchain_agent
from recorded import CASE

client = Langfuse(public_key="pk", secret_key="sk", span_exporter=OTLPSpanExporter())
handler = CallbackHandler()


def with_callback(config):
    session = {"langfuse_session_id": CASE.session_id, "langfuse_user_id": CASE.user_id}
    metadata = {"metadata": session} if CASE.session_id else {}
    return {**config, **metadata, "callbacks": [handler]}


langchain_agent.run(with_callback)
client.flush()
