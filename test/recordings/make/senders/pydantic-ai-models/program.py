"""Pydantic AI with the models of several providers."""

from pydantic_ai import Agent

from recorded import CASE, run_turns, start_telemetry

provider = start_telemetry()
Agent.instrument_all()
api = CASE.mode.split("+")[1]
CLAUDE = "claude-sonnet-4-5-20250929"


def anthropic():
    from pydantic_ai.models.anthropic import AnthropicModel

    return AnthropicModel(CLAUDE)


def bedrock():
    from pydantic_ai.models.bedrock import BedrockConverseModel

    return BedrockConverseModel(f"us.anthropic.{CLAUDE}-v1:0")


def gemini():
    from pydantic_ai.models.google import GoogleModel

    return GoogleModel("gemini-2.5-flash")


def azure():
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.azure import AzureProvider

    return OpenAIChatModel(
        "gpt-4.1-mini", provider=AzureProvider(api_version="2025-04-01-preview")
    )


models = {f.__name__: f for f in [anthropic, bedrock, gemini, azure]}
agent = Agent(models[api](), instructions=CASE.system, name="assistant")


def answer(question):
    if CASE.stream:
        return agent.run_stream_sync(question).get_output()
    return agent.run_sync(question)


run_turns(answer)
provider.force_flush()
