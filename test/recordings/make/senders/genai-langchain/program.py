"""LangChain with the official instrumentation in OpenTelemetry's repository for generative AI."""

from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor

import langchain_agent
from recorded import start_telemetry

start_telemetry()
LangChainInstrumentor().instrument()
langchain_agent.run()
