"""AutoGen's AgentChat with Azure, and OpenInference for the OpenAI SDK."""

import asyncio
import os

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import AzureOpenAIChatCompletionClient
from openinference.instrumentation.openai import OpenAIInstrumentor

from recorded import CASE, MODEL, start_telemetry

agent = AssistantAgent(
    "assistant",
    model_client=AzureOpenAIChatCompletionClient(
        model=MODEL,
        azure_deployment=MODEL,
        azure_endpoint=os.environ["AZURE_OPENAI_ENDPOINT"],
        api_version="2025-04-01-preview",
        api_key=os.environ["AZURE_OPENAI_API_KEY"],
        max_retries=0,
        # Without it, streams have no tokens.
        **({"stream_options": {"include_usage": True}} if CASE.stream else {}),
    ),
    system_message=CASE.system,
    model_client_stream=CASE.stream,
)

# AutoGen's span of the creation of an agent would be a trace by itself.
OpenAIInstrumentor().instrument(tracer_provider=start_telemetry())


async def main():
    for question in CASE.turns:
        if not CASE.stream:
            await agent.run(task=question)
            continue
        async for _ in agent.run_stream(task=question):
            pass


asyncio.run(main())
