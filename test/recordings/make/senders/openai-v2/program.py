"""The official instrumentation of OpenAI."""

from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

import openai_answer
from recorded import start_telemetry

start_telemetry()
OpenAIInstrumentor().instrument()
openai_answer.run()
