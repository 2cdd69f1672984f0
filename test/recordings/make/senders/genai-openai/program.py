"""The official instrumentation of OpenAI in OpenTelemetry's repository for generative AI."""

from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor

import openai_answer
from recorded import start_telemetry

start_telemetry()
OpenAIInstrumentor().instrument()
openai_answer.run()
