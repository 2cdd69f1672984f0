"""LangSmith's export of LangChain's runs as OpenTelemetry spans."""

from langsmith import Client
from langchain_core.tracers.langchain import wait_for_all_tracers

import langchain_agent
from recorded import CASE


def with_session(config):
    metadata = {"session_id": CASE.session_id, "user_id": CASE.user_id}
    return {**config, "metadata": metadata} if CASE.session_id else config


langchain_agent.run(with_session)
wait_for_all_tracers()
Client().flush()
