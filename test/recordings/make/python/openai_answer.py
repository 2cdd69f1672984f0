"""Answers the questions of the case with the OpenAI SDK, each in a span of the program."""

from opentelemetry import trace

from openai_agent import ChatAgent, ResponsesAgent, embed
from recorded import CASE, get_weather, run_turns


def run(run_tool=get_weather, span=trace.get_tracer("agent").start_as_current_span):
    """Runs the case. `span` makes the span of an answer."""
    agent = ResponsesAgent(run_tool) if "responses" in CASE.mode else ChatAgent(run_tool)

    def answer(question):
        if "without-root" in CASE.mode:
            return agent.ask(question)
        with span("answer"):
            if CASE.name == "embedding":
                embed([question, "a rainy day"])
            return agent.ask(question)

    run_turns(answer)
