"""Pydantic AI with logfire or with OpenTelemetry alone, also next to other instrumentations."""

from pydantic_ai import Agent, RunContext
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel

import recorded
from recorded import CASE, MODEL, run_turns

if "otel" not in CASE.mode:
    import logfire

    logfire.configure(send_to_logfire=False, console=False, inspect_arguments=False)
    logfire.instrument_pydantic_ai()
    if CASE.mode == "openai":
        logfire.instrument_openai()
else:
    from opentelemetry import trace

    provider = recorded.start_telemetry()
    if "openinference" in CASE.mode:
        from openinference.instrumentation.pydantic_ai import OpenInferenceSpanProcessor

        # The processor changes spans before the exporter sees them.
        processors = provider._active_span_processor._span_processors
        provider._active_span_processor._span_processors = (
            OpenInferenceSpanProcessor(),
            *processors,
        )
    if "traceloop" in CASE.mode:
        from opentelemetry.instrumentation.openai import OpenAIInstrumentor

        OpenAIInstrumentor().instrument(tracer_provider=provider)
    Agent.instrument_all()

model = (OpenAIResponsesModel if "responses" in CASE.mode else OpenAIChatModel)(MODEL)
agent = Agent(model, instructions=CASE.system, name="assistant")
guide = Agent(model, instructions="You know Rome.", name="guide")

if CASE.uses_weather:
    agent.tool_plain(recorded.get_weather)
if CASE.name == "nested":

    @agent.tool
    async def ask_guide(context: RunContext, request: str) -> str:
        """Asks the guide for sights."""
        return (await guide.run(request, usage=context.usage)).output


history = None


def answer(question):
    global history
    options = {"message_history": history, "conversation_id": CASE.session_id}
    if CASE.stream:
        result = agent.run_stream_sync(question, **options)
        result.get_output()
    else:
        result = agent.run_sync(question, **options)
    history = result.all_messages()


run_turns(answer)
