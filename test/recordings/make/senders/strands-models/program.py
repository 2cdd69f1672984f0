"""Strands Agents with the models of several providers. It streams every answer."""

import os

from strands import Agent
from strands.telemetry import StrandsTelemetry

from recorded import CASE, run_turns

StrandsTelemetry().setup_otlp_exporter()
api = CASE.mode.split("+")[1]
CLAUDE = "claude-sonnet-4-5-20250929"


def bedrock():
    from strands.models.bedrock import BedrockModel

    return BedrockModel(model_id=f"us.anthropic.{CLAUDE}-v1:0", region_name="us-east-1")


def gemini():
    from strands.models.gemini import GeminiModel

    return GeminiModel(model_id="gemini-2.5-flash")


def ollama():
    from strands.models.ollama import OllamaModel

    return OllamaModel(os.environ["OLLAMA_HOST"], model_id="llama3.3")


models = {f.__name__: f for f in [bedrock, gemini, ollama]}
agent = Agent(
    models[api](), name="assistant", system_prompt=CASE.system, callback_handler=None
)
run_turns(agent)
