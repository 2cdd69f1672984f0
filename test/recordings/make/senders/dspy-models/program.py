"""DSPy with several providers, and OpenInference."""

import dspy
from openinference.instrumentation.dspy import DSPyInstrumentor
from openinference.instrumentation.litellm import LiteLLMInstrumentor

from litellm_models import LITELLM
from recorded import CASE, run_turns, start_telemetry

provider = start_telemetry()
DSPyInstrumentor().instrument(tracer_provider=provider)
LiteLLMInstrumentor().instrument(tracer_provider=provider)
api = CASE.mode.split("+")[1]

dspy.configure(lm=dspy.LM(**LITELLM[api], cache=False, num_retries=0))
program = dspy.Predict("question -> answer")
run_turns(lambda question: program(question=question))
