"""The SDKs of model providers, with OpenLLMetry's or OpenInference's instrumentation of each."""

import json
import os

from opentelemetry import trace

from recorded import CASE, run_turns, start_telemetry

provider = start_telemetry()
sender, api = CASE.mode.split("+")
CLAUDE = "claude-sonnet-4-5-20250929"
BEDROCK = f"us.anthropic.{CLAUDE}-v1:0"
GEMINI = "gemini-2.5-flash"


def instrument():
    if sender == "traceloop":
        from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor
        from opentelemetry.instrumentation.bedrock import BedrockInstrumentor
        from opentelemetry.instrumentation.google_generativeai import (
            GoogleGenerativeAiInstrumentor,
        )
        from opentelemetry.instrumentation.ollama import OllamaInstrumentor
        from opentelemetry.instrumentation.openai import OpenAIInstrumentor

        kinds = [
            AnthropicInstrumentor,
            BedrockInstrumentor,
            GoogleGenerativeAiInstrumentor,
            OllamaInstrumentor,
            OpenAIInstrumentor,
        ]
    else:
        from openinference.instrumentation.anthropic import AnthropicInstrumentor
        from openinference.instrumentation.bedrock import BedrockInstrumentor
        from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor
        from openinference.instrumentation.openai import OpenAIInstrumentor

        kinds = [
            AnthropicInstrumentor,
            BedrockInstrumentor,
            GoogleGenAIInstrumentor,
            OpenAIInstrumentor,
        ]
    for kind in kinds:
        kind().instrument(tracer_provider=provider)


def consume(stream):
    for _ in stream:
        pass


def ask_anthropic(question):
    import anthropic

    if api == "anthropic":
        client = anthropic.Anthropic(max_retries=0)
    elif api == "anthropic-vertex":
        url = os.environ["GOOGLE_VERTEX_BASE_URL"]
        client = anthropic.AnthropicVertex(
            base_url=f"{url}/v1", region="global", project_id="p", access_token="unused"
        )
    else:
        client = anthropic.AnthropicBedrock(base_url=os.environ["ANTHROPIC_BASE_URL"])
    response = client.messages.create(
        model=BEDROCK if api == "anthropic-bedrock" else CLAUDE,
        max_tokens=500,
        system=CASE.system,
        messages=[{"role": "user", "content": question}],
        stream=CASE.stream,
    )
    if CASE.stream:
        consume(response)


def ask_bedrock(question):
    import boto3

    client = boto3.client("bedrock-runtime", region_name="us-east-1")
    if api == "bedrock":
        request = {
            "modelId": BEDROCK,
            "system": [{"text": CASE.system}],
            "messages": [{"role": "user", "content": [{"text": question}]}],
        }
        if CASE.stream:
            return consume(client.converse_stream(**request)["stream"])
        return client.converse(**request)
    body = {
        "anthropic_version": "bedrock-2023-05-31",
        "max_tokens": 500,
        "system": CASE.system,
        "messages": [{"role": "user", "content": [{"type": "text", "text": question}]}],
    }
    request = {"modelId": BEDROCK, "body": json.dumps(body)}
    if CASE.stream:
        return consume(client.invoke_model_with_response_stream(**request)["body"])
    return client.invoke_model(**request)["body"].read()


def ask_google(question):
    from google import genai
    from google.genai import types

    options = {}
    if api == "vertex":
        from google.oauth2.credentials import Credentials

        options = {
            "vertexai": True,
            "project": "p",
            "location": "global",
            "credentials": Credentials("unused"),
            "http_options": types.HttpOptions(base_url=os.environ["GOOGLE_VERTEX_BASE_URL"]),
        }
    client = genai.Client(**options)
    models = client.models
    request = {
        "model": GEMINI,
        "contents": question,
        "config": types.GenerateContentConfig(system_instruction=CASE.system),
    }
    if CASE.stream:
        return consume(models.generate_content_stream(**request))
    return models.generate_content(**request)


def ask_openai(question):
    import openai

    model = "gpt-4.1-mini"
    if api == "azure":
        client = openai.AzureOpenAI(api_version="2025-04-01-preview", max_retries=0)
    else:
        client = openai.OpenAI(max_retries=0)
    messages = [
        {"role": "system", "content": CASE.system},
        {"role": "user", "content": question},
    ]
    if api == "responses":
        response = client.responses.create(model=model, input=messages, stream=CASE.stream)
    elif CASE.stream:
        options = {"stream": True, "stream_options": {"include_usage": True}}
        response = client.chat.completions.create(model=model, messages=messages, **options)
    else:
        response = client.chat.completions.create(model=model, messages=messages)
    if CASE.stream:
        consume(response)


def ask_ollama(question):
    import ollama

    messages = [
        {"role": "system", "content": CASE.system},
        {"role": "user", "content": question},
    ]
    response = ollama.chat(model="llama3.3", messages=messages, stream=CASE.stream)
    if CASE.stream:
        consume(response)


ASK = {
    "anthropic": ask_anthropic,
    "anthropic-vertex": ask_anthropic,
    "anthropic-bedrock": ask_anthropic,
    "bedrock": ask_bedrock,
    "bedrock-invoke": ask_bedrock,
    "gemini": ask_google,
    "vertex": ask_google,
    "openai": ask_openai,
    "responses": ask_openai,
    "azure": ask_openai,
    "ollama": ask_ollama,
}

instrument()


def answer(question):
    with trace.get_tracer("agent").start_as_current_span("answer"):
        ASK[api](question)


run_turns(answer)
