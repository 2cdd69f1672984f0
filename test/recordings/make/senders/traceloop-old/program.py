"""An earlier OpenLLMetry, with an attribute for each message."""

from opentelemetry.instrumentation.openai import OpenAIInstrumentor

import openai_answer
from recorded import start_telemetry

OpenAIInstrumentor().instrument(tracer_provider=start_telemetry())
openai_answer.run()
