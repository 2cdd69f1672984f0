"""OpenInference's instrumentation of LangChain. The metadata of a run has its session."""

from openinference.instrumentation.langchain import LangChainInstrumentor

import langchain_agent
from recorded import CASE, start_telemetry

LangChainInstrumentor().instrument(tracer_provider=start_telemetry())


def with_session(config):
    metadata = {"session_id": CASE.session_id, "user_id": CASE.user_id}
    return {**config, "metadata": metadata} if CASE.session_id else config


langchain_agent.run(with_session)
