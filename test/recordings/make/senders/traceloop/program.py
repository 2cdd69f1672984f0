"""OpenLLMetry: the SDK of Traceloop, with its decorators."""

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import tool, workflow

# Without an exporter, the SDK sends its own key instead of the ingest token.
Traceloop.init(exporter=OTLPSpanExporter(), telemetry_enabled=False)

from openai_agent import ChatAgent, ResponsesAgent, embed
from recorded import CASE, get_weather, run_turns

if CASE.session_id:
    Traceloop.set_association_properties(
        {"session_id": CASE.session_id, "user_id": CASE.user_id}
    )

run_tool = tool(name="get_weather")(get_weather)
agent = ResponsesAgent(run_tool) if "responses" in CASE.mode else ChatAgent(run_tool)


@workflow(name="answer")
def answer(question):
    if CASE.name == "embedding":
        embed([question, "a rainy day"])
    return agent.ask(question)


run_turns(agent.ask if "without-root" in CASE.mode else answer)
