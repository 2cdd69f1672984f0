"""Microsoft's Agent Framework with its own spans."""

import asyncio

from agent_framework import Agent, tool
from agent_framework.observability import configure_otel_providers
from agent_framework.openai import OpenAIChatCompletionClient
from opentelemetry import trace

import recorded
from recorded import CASE, MODEL

configure_otel_providers()

client = OpenAIChatCompletionClient(model=MODEL)
guide = Agent(client=client, name="guide", instructions="You know Rome.")


@tool
async def ask_guide(request: str) -> str:
    """Asks the guide for sights."""
    return (await guide.run(request)).text


tools = [tool(recorded.get_weather)] if CASE.uses_weather else []
if CASE.name == "nested":
    tools = [ask_guide]
agent = Agent(client=client, name="assistant", instructions=CASE.system, tools=tools)


async def answer(question, session):
    if not CASE.stream:
        return await agent.run(question, session=session)
    async for _ in agent.run(question, session=session, stream=True):
        pass


async def main():
    session = agent.create_session()
    for question in CASE.turns:
        try:
            if not CASE.session_id:
                await answer(question, session)
                continue
            # The framework sends no session.
            attributes = {"session.id": CASE.session_id, "user.id": CASE.user_id}
            with trace.get_tracer("agent").start_as_current_span("answer", attributes=attributes):
                await answer(question, session)
        except Exception as error:  # what the program must survive is the subject
            print(f"failed: {error!r}")


asyncio.run(main())
