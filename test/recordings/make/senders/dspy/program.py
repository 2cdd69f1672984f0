"""DSPy with OpenInference. Only its calls of LiteLLM have tokens."""

from contextlib import nullcontext

import dspy
from openinference.instrumentation import using_attributes
from openinference.instrumentation.dspy import DSPyInstrumentor
from openinference.instrumentation.litellm import LiteLLMInstrumentor

from recorded import CASE, MODEL, run_turns, start_telemetry

provider = start_telemetry()
DSPyInstrumentor().instrument(tracer_provider=provider)
LiteLLMInstrumentor().instrument(tracer_provider=provider)
session = nullcontext()
if CASE.session_id:
    session = using_attributes(session_id=CASE.session_id, user_id=CASE.user_id)

dspy.configure(lm=dspy.LM(f"openai/{MODEL}", cache=False, num_retries=0))
program = dspy.Predict("question -> answer")

with session:
    run_turns(lambda question: program(question=question))
