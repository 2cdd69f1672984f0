"""Agno with several providers, and OpenInference."""

import os

from openinference.instrumentation.agno import AgnoInstrumentor

from recorded import CASE, run_turns, start_telemetry

AgnoInstrumentor().instrument(tracer_provider=start_telemetry())

from agno.agent import Agent  # noqa: E402

api = CASE.mode.split("+")[1]
CLAUDE = "claude-sonnet-4-5-20250929"


def anthropic():
    from agno.models.anthropic import Claude

    return Claude(id=CLAUDE, client_params={"max_retries": 0})


def bedrock():
    from agno.models.aws import AwsBedrock

    return AwsBedrock(id=f"us.anthropic.{CLAUDE}-v1:0")


def gemini():
    from agno.models.google import Gemini

    return Gemini(id="gemini-2.5-flash")


def azure():
    from agno.models.azure import AzureOpenAI

    return AzureOpenAI(
        id="gpt-4.1-mini",
        azure_endpoint=os.environ["AZURE_OPENAI_ENDPOINT"],
        api_version="2025-04-01-preview",
        max_retries=0,
    )


def ollama():
    from agno.models.ollama import Ollama

    return Ollama(id="llama3.3", host=os.environ["OLLAMA_HOST"])


models = {f.__name__: f for f in [anthropic, bedrock, gemini, azure, ollama]}
agent = Agent(
    name="assistant", model=models[api](), instructions=CASE.system, telemetry=False
)


def answer(question: str) -> None:
    if not CASE.stream:
        agent.run(question)
        return
    for _ in agent.run(question, stream=True):
        pass


run_turns(answer)
