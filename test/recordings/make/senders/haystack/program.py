"""Haystack's agent with OpenInference."""

from contextlib import nullcontext

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from openinference.instrumentation import using_attributes
from openinference.instrumentation.haystack import HaystackInstrumentor

import recorded
from recorded import CASE, MODEL, run_turns, start_telemetry

HaystackInstrumentor().instrument(tracer_provider=start_telemetry())
session = nullcontext()
if CASE.session_id:
    session = using_attributes(session_id=CASE.session_id, user_id=CASE.user_id)

generator = OpenAIChatGenerator(model=MODEL, max_retries=0)
agent = Agent(
    chat_generator=generator,
    tools=[tool(recorded.get_weather)] if CASE.uses_weather else [],
    system_prompt=CASE.system,
    streaming_callback=(lambda chunk: None) if CASE.stream else None,
)
messages = []


def answer(question):
    messages.append(ChatMessage.from_user(question))
    result = agent.run(messages=list(messages))
    messages[:] = [each for each in result["messages"] if each.role.value != "system"]


with session:
    run_turns(answer)
