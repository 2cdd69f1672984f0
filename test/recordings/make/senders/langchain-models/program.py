"""LangChain with the models of several providers, and one of those who report its runs."""

import os

from langchain.agents import create_agent

from recorded import CASE, run_turns, start_telemetry

sender, api = CASE.mode.split("+")
CLAUDE = "claude-sonnet-4-5-20250929"


def no_flush():
    pass


callbacks = []
flush = no_flush
if sender == "langsmith":
    from langchain_core.tracers.langchain import wait_for_all_tracers
    from langsmith import Client

    def flush():
        wait_for_all_tracers()
        Client().flush()

elif sender == "langfuse":
    from langfuse import Langfuse
    from langfuse.langchain import CallbackHandler
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    client = Langfuse(public_key="pk", secret_key="sk", span_exporter=OTLPSpanExporter())
    callbacks = [CallbackHandler()]
    flush = client.flush
elif sender == "openinference":
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=start_telemetry())
else:
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument(tracer_provider=start_telemetry())


def anthropic():
    from langchain_anthropic import ChatAnthropic

    return ChatAnthropic(model=CLAUDE, max_retries=0, stream_usage=True)


def bedrock():
    from langchain_aws import ChatBedrockConverse

    return ChatBedrockConverse(
        model=f"us.anthropic.{CLAUDE}-v1:0",
        region_name="us-east-1",
        endpoint_url=os.environ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
    )


def gemini():
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(
        model="gemini-2.5-flash", base_url=os.environ["GOOGLE_GEMINI_BASE_URL"], max_retries=1
    )


def azure():
    from langchain_openai import AzureChatOpenAI

    return AzureChatOpenAI(
        azure_deployment="gpt-4.1-mini",
        api_version="2025-04-01-preview",
        max_retries=0,
        stream_usage=True,
    )


def ollama():
    from langchain_ollama import ChatOllama

    return ChatOllama(model="llama3.3")


models = {f.__name__: f for f in [anthropic, bedrock, gemini, azure, ollama]}
agent = create_agent(models[api](), tools=[], system_prompt=CASE.system, name="assistant")


def answer(question):
    given = {"messages": [{"role": "user", "content": question}]}
    config = {"callbacks": callbacks}
    if not CASE.stream:
        return agent.invoke(given, config)
    for _ in agent.stream(given, config, stream_mode="messages"):
        pass


run_turns(answer)
flush()
