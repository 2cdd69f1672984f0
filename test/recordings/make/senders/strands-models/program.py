"""Strands Agents with the models of several providers. It streams every answer."""

import asyncio
import os

from strands import Agent
from strands.telemetry import StrandsTelemetry

from recorded import CASE, run_turns

StrandsTelemetry().setup_otlp_exporter()
api = CASE.mode.split("+")[1]
CLAUDE = "claude-sonnet-4-5-20250929"


def anthropic():
    from strands.models.anthropic import AnthropicModel

    return AnthropicModel(client_args={"max_retries": 0}, model_id=CLAUDE, max_tokens=500)


def bedrock():
    from strands.models.bedrock import BedrockModel

    return BedrockModel(model_id=f"us.anthropic.{CLAUDE}-v1:0", region_name="us-east-1")


def gemini():
    from strands.models.gemini import GeminiModel

    return GeminiModel(model_id="gemini-2.5-flash")


def ollama():
    from strands.models.ollama import OllamaModel

    return OllamaModel(os.environ["OLLAMA_HOST"], model_id="llama3.3")


models = {f.__name__: f for f in [anthropic, bedrock, gemini, ollama]}
agent = Agent(
    models[api](), name="assistant", system_prompt=CASE.system, callback_handler=None
)
# Calls of the agent itself have an event loop each, in which the client of Anthropic loses its
# connection: the next call is billed, and its response is not read.
with asyncio.Runner() as runner:
    run_turns(lambda question: runner.run(agent.invoke_async(question)))
