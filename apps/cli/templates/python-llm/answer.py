import json
import os
from urllib.request import Request, urlopen

from opentelemetry import trace

INSTRUCTIONS = "Answer in one short paragraph."
TIMEOUT_SECONDS = 60


def answer(question: str) -> str:
    """What the agent does: asks the model. Change the instructions, or add tools."""
    return chat(
        [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": question},
        ]
    )


def chat(messages: list[dict]) -> str:
    """Calls the model within a span that has its name and tokens."""
    model = os.environ["MODEL"]
    url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    request = Request(
        f"{url}/chat/completions",
        data=json.dumps({"model": model, "messages": messages}).encode(),
        headers={
            "Content-Type": "application/json",
            "Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}",
        },
    )
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": model}
    with trace.get_tracer("my-agent").start_as_current_span(
        f"chat {model}", kind=trace.SpanKind.CLIENT, attributes=attributes
    ) as span:
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            body = json.load(response)
        usage = body.get("usage") or {}
        span.set_attributes(
            {
                "gen_ai.response.model": body.get("model", model),
                "gen_ai.usage.input_tokens": usage.get("prompt_tokens", 0),
                "gen_ai.usage.output_tokens": usage.get("completion_tokens", 0),
            }
        )
        return body["choices"][0]["message"]["content"]
