"""Google's Agent Development Kit with Gemini."""

import asyncio

from google.adk.agents import Agent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import InMemoryRunner
from google.adk.telemetry.setup import maybe_set_otel_providers
from google.adk.tools.agent_tool import AgentTool
from google.genai import types

import recorded
from recorded import CASE

maybe_set_otel_providers()

MODEL = "gemini-2.5-flash"
guide = Agent(
    name="ask_guide",
    model=MODEL,
    description="Knows the sights of Rome.",
    instruction="You know Rome.",
)
tools = [recorded.get_weather] if CASE.uses_weather else []
if CASE.name == "nested":
    tools = [AgentTool(guide)]
agent = Agent(name="assistant", model=MODEL, instruction=CASE.system, tools=tools)
runner = InMemoryRunner(agent=agent, app_name="agent")
user = CASE.user_id or "user"
config = RunConfig(streaming_mode=StreamingMode.SSE) if CASE.stream else RunConfig()


async def main():
    session = await runner.session_service.create_session(
        app_name="agent", user_id=user, session_id=CASE.session_id
    )
    for question in CASE.turns:
        message = types.Content(role="user", parts=[types.Part(text=question)])
        try:
            async for _ in runner.run_async(
                user_id=user, session_id=session.id, new_message=message, run_config=config
            ):
                pass
        except Exception as error:  # what the program must survive is the subject
            print(f"failed: {error!r}")


asyncio.run(main())

from opentelemetry import _logs, metrics, trace

for provider in [
    trace.get_tracer_provider(),
    _logs.get_logger_provider(),
    metrics.get_meter_provider(),
]:
    if hasattr(provider, "force_flush"):
        provider.force_flush()
