"""AutoGen's AgentChat: its own spans with those of the OpenAI SDK, or OpenInference's."""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from openinference.instrumentation import using_attributes
from openinference.instrumentation.autogen_agentchat import AutogenAgentChatInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

import recorded
from recorded import CASE, MODEL, start_telemetry

client = OpenAIChatCompletionClient(model=MODEL, max_retries=0)


async def get_weather(city: str) -> str:
    """Returns the weather in a city."""
    return recorded.get_weather(city)


agent = AssistantAgent(
    "assistant",
    model_client=client,
    system_message=CASE.system,
    tools=[get_weather] if CASE.uses_weather else [],
    reflect_on_tool_use=True,
)


# AutoGen's span of the creation of an agent would be a trace by itself.
provider = start_telemetry()
OpenAIInstrumentor().instrument(tracer_provider=provider)
if "openinference" in CASE.mode:
    AutogenAgentChatInstrumentor().instrument(tracer_provider=provider)


async def answer(question):
    if not CASE.session_id:
        return await agent.run(task=question)
    # AutoGen sends no session.
    with using_attributes(session_id=CASE.session_id, user_id=CASE.user_id):
        await agent.run(task=question)


async def main():
    for question in CASE.turns:
        try:
            await answer(question)
        except Exception as error:  # what the program must survive is the subject
            print(f"failed: {error!r}")


asyncio.run(main())
