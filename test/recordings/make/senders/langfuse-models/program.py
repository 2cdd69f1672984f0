"""The SDK of Langfuse: its wrapper of the OpenAI SDK, and OpenInference for the SDKs of others."""

from langfuse import Langfuse, observe
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

client = Langfuse(public_key="pk", secret_key="sk", span_exporter=OTLPSpanExporter())

from litellm_models import CLAUDE  # noqa: E402
from recorded import CASE, MODEL, run_turns  # noqa: E402

api = CASE.mode.split("+")[1]


def ask_azure(messages):
    from langfuse.openai import AzureOpenAI

    chat = AzureOpenAI(api_version="2025-04-01-preview", max_retries=0).chat
    if not CASE.stream:
        return chat.completions.create(model=MODEL, messages=messages).choices[0].message.content
    options = {"stream": True, "stream_options": {"include_usage": True}}
    chunks = chat.completions.create(model=MODEL, messages=messages, **options)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def ask_anthropic(messages):
    import anthropic
    from openinference.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument()
    system, *rest = messages
    response = anthropic.Anthropic(max_retries=0).messages.create(
        model=CLAUDE,
        max_tokens=500,
        system=system["content"],
        messages=rest,
        stream=CASE.stream,
    )
    if not CASE.stream:
        return response.content[0].text
    return "".join(
        event.delta.text for event in response if event.type == "content_block_delta"
    )


def ask_gemini(messages):
    from google import genai
    from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor

    GoogleGenAIInstrumentor().instrument()
    system, user = messages
    google = genai.Client()
    models = google.models
    ask = models.generate_content_stream if CASE.stream else models.generate_content
    response = ask(
        model="gemini-2.5-flash",
        contents=user["content"],
        config={"system_instruction": system["content"]},
    )
    return "".join(part.text for part in response) if CASE.stream else response.text


ASK = {"azure": ask_azure, "anthropic": ask_anthropic, "gemini": ask_gemini}


@observe(name="answer", as_type="agent")
def answer(question):
    return ASK[api](
        [{"role": "system", "content": CASE.system}, {"role": "user", "content": question}]
    )


run_turns(answer)
client.flush()
