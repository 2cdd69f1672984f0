"""Google's Agent Development Kit with several providers, by itself or through LiteLLM."""

import asyncio
import os

from google.adk.agents import Agent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.anthropic_llm import AnthropicLlm
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.adk.telemetry.setup import maybe_set_otel_providers
from google.genai import types
from opentelemetry import trace

from litellm_models import CLAUDE, LITELLM
from recorded import CASE

maybe_set_otel_providers()
api = CASE.mode.split("+")[1]


def model_of(name):
    if name == "gemini":
        return "gemini-2.5-flash"
    if name == "claude":
        return AnthropicLlm(model=CLAUDE)
    return LiteLlm(**LITELLM[name.removeprefix("litellm-")])


agent = Agent(name="assistant", model=model_of(api), instruction=CASE.system)
runner = InMemoryRunner(agent=agent, app_name="agent")
config = RunConfig(streaming_mode=StreamingMode.SSE) if CASE.stream else RunConfig()


async def main():
    session = await runner.session_service.create_session(app_name="agent", user_id="user")
    for question in CASE.turns:
        message = types.Content(role="user", parts=[types.Part(text=question)])
        async for _ in runner.run_async(
            user_id="user", session_id=session.id, new_message=message, run_config=config
        ):
            pass


asyncio.run(main())
trace.get_tracer_provider().force_flush()
