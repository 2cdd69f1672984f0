"""smolagents with several providers through LiteLLM, and OpenInference."""

from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import LiteLLMModel, ToolCallingAgent

from litellm_models import LITELLM
from recorded import CASE, run_turns, start_telemetry

SmolagentsInstrumentor().instrument(tracer_provider=start_telemetry())

options = dict(LITELLM[CASE.mode.split("+")[1]])
model = LiteLLMModel(options.pop("model"), **options)
agent = ToolCallingAgent(tools=[], model=model, instructions=CASE.system)
run_turns(agent.run)
