"""Semantic Kernel with several providers. Its messages are log records."""

import asyncio
import logging
import os

from opentelemetry._logs import get_logger_provider
from opentelemetry.sdk._logs import LoggingHandler
from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread

from recorded import CASE, start_telemetry

start_telemetry()
handler = LoggingHandler(logger_provider=get_logger_provider())
logging.getLogger().addHandler(handler)
logging.getLogger().setLevel(logging.INFO)
api = CASE.mode.split("+")[1]
CLAUDE = "claude-sonnet-4-5-20250929"


def anthropic():
    from semantic_kernel.connectors.ai.anthropic import AnthropicChatCompletion

    return AnthropicChatCompletion(ai_model_id=CLAUDE)


def bedrock():
    from semantic_kernel.connectors.ai.bedrock import BedrockChatCompletion

    return BedrockChatCompletion(model_id=f"us.anthropic.{CLAUDE}-v1:0")


def gemini():
    from semantic_kernel.connectors.ai.google.google_ai import GoogleAIChatCompletion

    return GoogleAIChatCompletion(gemini_model_id="gemini-2.5-flash", api_key="unused")


def azure():
    from semantic_kernel.connectors.ai.open_ai import AzureChatCompletion

    return AzureChatCompletion(
        deployment_name="gpt-4.1-mini",
        endpoint=os.environ["AZURE_OPENAI_ENDPOINT"],
        api_version="2025-04-01-preview",
    )


def ollama():
    from semantic_kernel.connectors.ai.ollama import OllamaChatCompletion

    return OllamaChatCompletion(ai_model_id="llama3.3", host=os.environ["OLLAMA_HOST"])


models = {f.__name__: f for f in [anthropic, bedrock, gemini, azure, ollama]}
agent = ChatCompletionAgent(
    service=models[api](), name="assistant", instructions=CASE.system
)


async def main():
    thread = ChatHistoryAgentThread()
    for question in CASE.turns:
        if not CASE.stream:
            await agent.get_response(question, thread=thread)
            continue
        async for _ in agent.invoke_stream(question, thread=thread):
            pass


asyncio.run(main())
