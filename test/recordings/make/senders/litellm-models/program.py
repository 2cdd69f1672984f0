"""LiteLLM's own spans with several providers."""

import litellm
from opentelemetry import trace

from litellm_models import LITELLM
from recorded import CASE, run_turns, start_telemetry

provider = start_telemetry()
litellm.callbacks = ["otel"]
api = CASE.mode.split("+")[1]


def answer(question):
    messages = [
        {"role": "system", "content": CASE.system},
        {"role": "user", "content": question},
    ]
    options = {**LITELLM[api], "max_tokens": 500, "stream": CASE.stream}
    if CASE.stream:
        options["stream_options"] = {"include_usage": True}
    with trace.get_tracer("agent").start_as_current_span("answer"):
        response = litellm.completion(messages=messages, **options)
        if CASE.stream:
            for _ in response:
                pass


run_turns(answer)
provider.force_flush()
