"""The OpenAI Agents SDK with several providers through LiteLLM, and one of its instrumentations."""

import asyncio

from agents import Agent, ModelSettings, Runner, set_trace_processors
from agents.extensions.models.litellm_model import LitellmModel

from litellm_models import LITELLM
from recorded import CASE, run_turns, start_telemetry

sender, api = CASE.mode.split("+")
provider = start_telemetry()
set_trace_processors([])  # without the upload to OpenAI
if sender == "traceloop":
    from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor
else:
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)

options = dict(LITELLM[api])
url, key = options.pop("api_base", None), options.pop("api_key", None)
model = LitellmModel(options.pop("model"), base_url=url, api_key=key)
settings = ModelSettings(include_usage=True, extra_args=options)
agent = Agent(
    name="assistant", instructions=CASE.system, model=model, model_settings=settings
)


async def streamed(question):
    async for _ in Runner.run_streamed(agent, question).stream_events():
        pass


def answer(question):
    return asyncio.run(streamed(question)) if CASE.stream else Runner.run_sync(agent, question)


run_turns(answer)
