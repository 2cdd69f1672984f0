"""LlamaIndex's agent with several providers, and OpenInference's or OpenLLMetry's spans."""

import asyncio
import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context

from recorded import CASE, start_telemetry

sender, api = CASE.mode.split("+")
CLAUDE = "claude-sonnet-4-5-20250929"
provider = start_telemetry()
if sender == "traceloop":
    from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor
else:
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
LlamaIndexInstrumentor().instrument(tracer_provider=provider)


def anthropic():
    from llama_index.llms.anthropic import Anthropic

    return Anthropic(CLAUDE, max_retries=0, base_url=os.environ["ANTHROPIC_BASE_URL"])


def bedrock():
    from llama_index.llms.bedrock_converse import BedrockConverse

    return BedrockConverse(f"us.anthropic.{CLAUDE}-v1:0", region_name="us-east-1")


def gemini():
    from google.genai.types import HttpOptions
    from llama_index.llms.google_genai import GoogleGenAI

    url = os.environ["GOOGLE_GEMINI_BASE_URL"]
    return GoogleGenAI(
        "gemini-2.5-flash",
        max_tokens=500,
        context_window=100_000,
        max_retries=1,
        http_options=HttpOptions(base_url=url),
    )


def azure():
    from llama_index.llms.azure_openai import AzureOpenAI

    return AzureOpenAI(
        "gpt-4.1-mini",
        engine="gpt-4.1-mini",
        api_version="2025-04-01-preview",
        max_retries=0,
        additional_kwargs={"stream_options": {"include_usage": True}} if CASE.stream else {},
    )


def ollama():
    from llama_index.llms.ollama import Ollama

    return Ollama("llama3.3", context_window=100_000, base_url=os.environ["OLLAMA_HOST"])


models = {f.__name__: f for f in [anthropic, bedrock, gemini, azure, ollama]}
agent = FunctionAgent(
    name="assistant",
    llm=models[api](),
    tools=[],
    system_prompt=CASE.system,
    streaming=CASE.stream,
)


async def main():
    context = Context(agent)
    for question in CASE.turns:
        await agent.run(question, ctx=context)


asyncio.run(main())
