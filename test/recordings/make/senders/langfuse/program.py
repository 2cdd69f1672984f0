"""The SDK of Langfuse, which sends its spans to an endpoint of the program's choice."""

from contextlib import nullcontext

from langfuse import Langfuse, observe, propagate_attributes
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

client = Langfuse(public_key="pk", secret_key="sk", span_exporter=OTLPSpanExporter())

import langfuse.openai as langfuse_openai  # noqa: E402
import openai_agent  # noqa: E402
from recorded import CASE, get_weather, run_turns  # noqa: E402

openai_agent.OpenAI = langfuse_openai.OpenAI
agent = openai_agent.ChatAgent(observe(name="get_weather", as_type="tool")(get_weather))


@observe(name="answer", as_type="agent")
def answer(question):
    return agent.ask(question)


session = nullcontext()
if CASE.session_id:
    session = propagate_attributes(session_id=CASE.session_id, user_id=CASE.user_id)
with session:
    run_turns(answer)
client.flush()
