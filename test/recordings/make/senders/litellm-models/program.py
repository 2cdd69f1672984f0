"""LiteLLM's own spans with several providers."""

import os

import litellm
from opentelemetry import trace

from recorded import CASE, run_turns, start_telemetry

provider = start_telemetry()
litellm.callbacks = ["otel"]
api = CASE.mode.split("+")[1]
CLAUDE = "claude-sonnet-4-5-20250929"
MODELS = {
    "anthropic": {"model": f"anthropic/{CLAUDE}"},
    "bedrock": {
        "model": f"bedrock/us.anthropic.{CLAUDE}-v1:0",
        "aws_bedrock_runtime_endpoint": os.environ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
    },
    "gemini": {
        "model": "gemini/gemini-2.5-flash",
        "api_base": os.environ["GOOGLE_GEMINI_BASE_URL"] + "/v1beta/models/gemini-2.5-flash",
    },
    "azure": {
        "model": "azure/gpt-4.1-mini",
        "api_base": os.environ["AZURE_OPENAI_ENDPOINT"],
        "api_key": "unused",
        "api_version": "2025-04-01-preview",
    },
    "ollama": {"model": "ollama_chat/llama3.3", "api_base": os.environ["OLLAMA_HOST"]},
}


def answer(question):
    messages = [
        {"role": "system", "content": CASE.system},
        {"role": "user", "content": question},
    ]
    options = {**MODELS[api], "max_tokens": 500, "stream": CASE.stream}
    if CASE.stream:
        options["stream_options"] = {"include_usage": True}
    with trace.get_tracer("agent").start_as_current_span("answer"):
        response = litellm.completion(messages=messages, **options)
        if CASE.stream:
            for _ in response:
                pass


run_turns(answer)
provider.force_flush()
