"""Microsoft's Agent Framework with several providers, and its own spans."""

import asyncio
import os

from agent_framework import Agent
from agent_framework.observability import configure_otel_providers

from recorded import CASE

configure_otel_providers()
api = CASE.mode.split("+")[1]
CLAUDE = "claude-sonnet-4-5-20250929"


def anthropic():
    from agent_framework.anthropic import AnthropicClient

    return AnthropicClient(model=CLAUDE, api_key="unused")


def bedrock():
    import boto3
    from agent_framework.amazon import BedrockChatClient

    client = boto3.client("bedrock-runtime", region_name="us-east-1")
    return BedrockChatClient(
        region="us-east-1", model=f"us.anthropic.{CLAUDE}-v1:0", client=client
    )


def gemini():
    from agent_framework_gemini import GeminiChatClient

    return GeminiChatClient(model="gemini-2.5-flash", api_key="unused")


def azure():
    from agent_framework.openai import OpenAIChatCompletionClient

    return OpenAIChatCompletionClient(
        model="gpt-4.1-mini",
        azure_endpoint=os.environ["AZURE_OPENAI_ENDPOINT"],
        api_key="unused",
        api_version="2025-04-01-preview",
    )


def ollama():
    from agent_framework.ollama import OllamaChatClient

    return OllamaChatClient(model="llama3.3", host=os.environ["OLLAMA_HOST"])


models = {f.__name__: f for f in [anthropic, bedrock, gemini, azure, ollama]}
agent = Agent(client=models[api](), name="assistant", instructions=CASE.system)


async def main():
    session = agent.create_session()
    for question in CASE.turns:
        if not CASE.stream:
            await agent.run(question, session=session)
            continue
        async for _ in agent.run(question, session=session, stream=True):
            pass


asyncio.run(main())
