"""Haystack's agent with the generators of several providers, and OpenInference."""

import os

from haystack.components.agents import Agent
from haystack.dataclasses import ChatMessage
from openinference.instrumentation.haystack import HaystackInstrumentor

from recorded import CASE, run_turns, start_telemetry

api = CASE.mode.split("+")[1]
CLAUDE = "claude-sonnet-4-5-20250929"


def anthropic():
    from haystack_integrations.components.generators.anthropic import AnthropicChatGenerator

    return AnthropicChatGenerator(model=CLAUDE, max_retries=0)


def bedrock():
    from haystack_integrations.components.generators.amazon_bedrock import (
        AmazonBedrockChatGenerator,
    )

    return AmazonBedrockChatGenerator(model=f"us.anthropic.{CLAUDE}-v1:0")


def gemini():
    from haystack_integrations.components.generators.google_genai import (
        GoogleGenAIChatGenerator,
    )

    return GoogleGenAIChatGenerator(model="gemini-2.5-flash")


def azure():
    from haystack.components.generators.chat import AzureOpenAIChatGenerator

    return AzureOpenAIChatGenerator(
        azure_endpoint=os.environ["AZURE_OPENAI_ENDPOINT"],
        azure_deployment="gpt-4.1-mini",
        api_version="2025-04-01-preview",
        max_retries=0,
        generation_kwargs={"stream_options": {"include_usage": True}} if CASE.stream else {},
    )


def ollama():
    from haystack_integrations.components.generators.ollama import OllamaChatGenerator

    return OllamaChatGenerator(model="llama3.3", url=os.environ["OLLAMA_HOST"])


models = {f.__name__: f for f in [anthropic, bedrock, gemini, azure, ollama]}
generator = models[api]()
# It instruments the components that are imported.
HaystackInstrumentor().instrument(tracer_provider=start_telemetry())
agent = Agent(
    chat_generator=generator,
    system_prompt=CASE.system,
    streaming_callback=(lambda chunk: None) if CASE.stream else None,
)
run_turns(lambda question: agent.run(messages=[ChatMessage.from_user(question)]))
