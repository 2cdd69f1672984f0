"""Google's SDK for Gemini, with OpenTelemetry's instrumentation. The SDK calls the functions."""

from contextlib import nullcontext

from google import genai
from google.genai import types
from opentelemetry import trace
from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor

import recorded
from recorded import CASE, run_turns, start_telemetry

start_telemetry()
GoogleGenAiSdkInstrumentor().instrument()

client = genai.Client()
config = types.GenerateContentConfig(
    system_instruction=CASE.system,
    tools=[recorded.get_weather] if CASE.uses_weather else None,
)
MODEL = "gemini-2.5-flash"
chat = client.chats.create(model=MODEL, config=config)
tracer = trace.get_tracer("agent")


def answer(question):
    # The SDK makes a span for each request, so that a run needs one around them.
    span = nullcontext()
    if "without-root" not in CASE.mode:
        span = tracer.start_as_current_span("answer")
    with span:
        if "models" in CASE.mode:
            return client.models.generate_content(
                model=MODEL, contents=question, config=config
            )
        if not CASE.stream:
            return chat.send_message(question)
        for _ in chat.send_message_stream(question):
            pass


run_turns(answer)
