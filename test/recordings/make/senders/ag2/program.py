"""AG2 with its own spans."""

import asyncio

from ag2 import Agent
from ag2.config import OpenAIConfig
from ag2.middleware import TelemetryMiddleware

import recorded
from recorded import CASE, MODEL, start_telemetry

provider = start_telemetry()
attributes = {}
if CASE.session_id:
    attributes = {"session.id": CASE.session_id, "user.id": CASE.user_id}
telemetry = TelemetryMiddleware(
    tracer_provider=provider,
    agent_name="assistant",
    provider_name="openai",
    model_name=MODEL,
    span_attributes=attributes,
)
agent = Agent(
    "assistant",
    prompt=CASE.system,
    config=OpenAIConfig(model=MODEL, max_retries=0, streaming=CASE.stream),
    tools=[recorded.get_weather] if CASE.uses_weather else [],
    middleware=[telemetry],
)


async def main():
    reply = None
    for question in CASE.turns:
        try:
            reply = await (reply.ask(question) if reply else agent.ask(question))
        except Exception as error:  # what the program must survive is the subject
            print(f"failed: {error!r}")


asyncio.run(main())
