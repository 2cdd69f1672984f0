"""LiteLLM's own spans, next to a span of the program for each answer."""

import json

import litellm
from opentelemetry import trace

from recorded import CASE, MODEL, WEATHER_SCHEMA, get_weather, run_turns, start_telemetry

provider = start_telemetry()
litellm.callbacks = ["otel"]

FUNCTION = {
    "name": "get_weather",
    "description": "Returns the weather in a city.",
    "parameters": WEATHER_SCHEMA,
}
options = {"model": f"openai/{MODEL}"}
if CASE.uses_weather:
    options["tools"] = [{"type": "function", "function": FUNCTION}]
if CASE.user_id:
    options["user"] = CASE.user_id
tracer = trace.get_tracer("agent")
messages = [{"role": "system", "content": CASE.system}]


def run_tool(call):
    try:
        return get_weather(**json.loads(call.function.arguments))
    except ValueError as error:
        return f"error: {error}"


def answer(question):
    with tracer.start_as_current_span("answer") as span:
        if CASE.session_id:
            span.set_attribute("session.id", CASE.session_id)
        messages.append({"role": "user", "content": question})
        while True:
            message = litellm.completion(messages=messages, **options).choices[0].message
            messages.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                return
            for call in message.tool_calls:
                messages.append(
                    {"role": "tool", "tool_call_id": call.id, "content": run_tool(call)}
                )


run_turns(answer)
provider.force_flush()
