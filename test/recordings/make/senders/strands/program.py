"""Strands Agents with its telemetry."""

from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.telemetry import StrandsTelemetry

import recorded
from recorded import CASE, MODEL, run_turns

StrandsTelemetry().setup_otlp_exporter().setup_meter(enable_otlp_exporter=True)

model = OpenAIModel(model_id=MODEL, client_args={"max_retries": 0})


@tool
def ask_guide(request: str) -> str:
    """Asks the guide for sights."""
    guide = Agent(model, name="guide", system_prompt="You know Rome.", callback_handler=None)
    return str(guide(request)).strip()


tools = [tool(recorded.get_weather)] if CASE.uses_weather else []
if CASE.name == "nested":
    tools = [ask_guide]
attributes = {"session.id": CASE.session_id, "user.id": CASE.user_id} if CASE.session_id else {}
agent = Agent(
    model,
    name="assistant",
    system_prompt=CASE.system,
    tools=tools,
    callback_handler=None,
    trace_attributes=attributes,
)
run_turns(agent)
