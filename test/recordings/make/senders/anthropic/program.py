"""The Anthropic SDK, which makes spans itself, also next to OpenInference's instrumentation."""

from contextlib import nullcontext

from anthropic import Anthropic
from opentelemetry import trace

from recorded import CASE, WEATHER_SCHEMA, get_weather, run_turns, start_telemetry

provider = start_telemetry()
session = nullcontext()
if "openinference" in CASE.mode:
    from openinference.instrumentation import using_attributes
    from openinference.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument(tracer_provider=provider)
    if CASE.session_id:
        session = using_attributes(session_id=CASE.session_id, user_id=CASE.user_id)

client = Anthropic(max_retries=0)
if CASE.session_id:
    options = {**client.open_telemetry, "conversation_id": CASE.session_id}
    client = client.with_options(open_telemetry=options)

TOOL = {
    "name": "get_weather",
    "description": "Returns the weather in a city.",
    "input_schema": WEATHER_SCHEMA,
}
tracer = trace.get_tracer("agent")
messages = []


def complete():
    options = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 200,
        "system": CASE.system,
        "messages": messages,
    }
    if CASE.uses_weather:
        options["tools"] = [TOOL]
    if not CASE.stream:
        return client.messages.create(**options)
    with client.messages.stream(**options) as stream:
        return stream.get_final_message()


def run_tool(call):
    result = {"type": "tool_result", "tool_use_id": call.id}
    try:
        return {**result, "content": get_weather(**call.input)}
    except ValueError as error:
        return {**result, "content": str(error), "is_error": True}


def answer(question):
    with tracer.start_as_current_span("answer"):
        messages.append({"role": "user", "content": question})
        while True:
            message = complete()
            content = [block.model_dump(exclude_none=True) for block in message.content]
            messages.append({"role": "assistant", "content": content})
            calls = [block for block in message.content if block.type == "tool_use"]
            if not calls:
                return
            messages.append({"role": "user", "content": [run_tool(call) for call in calls]})


with session:
    run_turns(answer)
