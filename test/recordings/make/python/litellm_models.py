"""What the programs that ask models through LiteLLM share."""

import os

CLAUDE = "claude-sonnet-4-5-20250929"

# The arguments of a call, by provider.
LITELLM = {
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
