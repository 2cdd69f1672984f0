"""Agno with OpenInference."""

from openinference.instrumentation.agno import AgnoInstrumentor

import recorded
from recorded import CASE, MODEL, run_turns, start_telemetry

AgnoInstrumentor().instrument(tracer_provider=start_telemetry())

from agno.agent import Agent  # noqa: E402
from agno.db.in_memory import InMemoryDb  # noqa: E402
from agno.models.openai import OpenAIChat  # noqa: E402


def agent_of(name: str, instructions: str, tools: list) -> Agent:
    return Agent(
        name=name,
        model=OpenAIChat(id=MODEL, max_retries=0),
        instructions=instructions,
        tools=tools,
        db=InMemoryDb(),
        add_history_to_context=True,
        telemetry=False,
    )


guide = agent_of("guide", "You know Rome.", [])


def ask_guide(request: str) -> str:
    """Asks the guide for sights."""
    return guide.run(request).content


tools = [recorded.get_weather] if CASE.uses_weather else []
if CASE.name == "nested":
    tools = [ask_guide]
agent = agent_of("assistant", CASE.system, tools)


def answer(question: str) -> None:
    options = {"session_id": CASE.session_id, "user_id": CASE.user_id}
    if not CASE.stream:
        agent.run(question, **options)
        return
    for _ in agent.run(question, stream=True, **options):
        pass


run_turns(answer)
