"""The OpenAI Agents SDK with one of its instrumentations."""

import asyncio
from contextlib import nullcontext

from agents import (
    Agent,
    RunConfig,
    Runner,
    SQLiteSession,
    function_tool,
    set_default_openai_api,
    set_trace_processors,
)

import recorded
from recorded import CASE, MODEL, run_turns, start_telemetry

provider = start_telemetry()
set_trace_processors([])  # without the upload to OpenAI
using_session = nullcontext()
if "traceloop" in CASE.mode:
    from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
elif "official" in CASE.mode:
    from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
else:
    from openinference.instrumentation import using_attributes
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
    if CASE.session_id:
        using_session = using_attributes(session_id=CASE.session_id, user_id=CASE.user_id)
if "chat" in CASE.mode:
    set_default_openai_api("chat_completions")

guide = Agent(name="guide", instructions="You know Rome.", model=MODEL)


@function_tool
async def ask_guide(request: str) -> str:
    """Asks the guide for sights."""
    return (await Runner.run(guide, request)).final_output


if "raising" in CASE.mode:
    get_weather = function_tool(recorded.get_weather, failure_error_function=None)
else:
    get_weather = function_tool(recorded.get_weather)

tools = [get_weather] if CASE.uses_weather else []
if CASE.name == "nested":
    tools = [ask_guide]
agent = Agent(name="assistant", instructions=CASE.system, model=MODEL, tools=tools)
session = SQLiteSession(CASE.session_id or "one")
config = RunConfig(group_id=CASE.session_id, workflow_name="answer")


async def streamed(question):
    result = Runner.run_streamed(agent, question, session=session, run_config=config)
    async for _ in result.stream_events():
        pass


def answer(question):
    if CASE.stream:
        return asyncio.run(streamed(question))
    return Runner.run_sync(agent, question, session=session, run_config=config)


with using_session:
    run_turns(answer)
