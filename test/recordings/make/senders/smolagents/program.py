"""smolagents with OpenInference. Its agents end with a call of the tool `final_answer`."""

from contextlib import nullcontext

from openinference.instrumentation import using_attributes
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import CodeAgent, OpenAIModel, ToolCallingAgent, tool

import recorded
from recorded import CASE, MODEL, run_turns, start_telemetry

SmolagentsInstrumentor().instrument(tracer_provider=start_telemetry())

model = OpenAIModel(MODEL, client_kwargs={"max_retries": 0})
Agent = CodeAgent if "code" in CASE.mode else ToolCallingAgent
guide = ToolCallingAgent(tools=[], model=model, name="guide", description="Knows Rome.")


@tool
def ask_guide(request: str) -> str:
    """Asks the guide for sights.

    Args:
        request: What to ask.
    """
    return guide.run(request)


tools = [tool(recorded.get_weather)] if CASE.uses_weather else []
if CASE.name == "nested":
    tools = [ask_guide]
agent = Agent(tools=tools, model=model, instructions=CASE.system, stream_outputs=CASE.stream)

session = nullcontext()
if CASE.session_id:
    session = using_attributes(session_id=CASE.session_id, user_id=CASE.user_id)
with session:
    run_turns(lambda question: agent.run(question, reset=False))
