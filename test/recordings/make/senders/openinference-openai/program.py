"""OpenInference's instrumentation of OpenAI."""

from contextlib import nullcontext

from openinference.instrumentation import using_session, using_user
from openinference.instrumentation.openai import OpenAIInstrumentor

import openai_answer
from recorded import CASE, start_telemetry

OpenAIInstrumentor().instrument(tracer_provider=start_telemetry())

session = using_session(CASE.session_id) if CASE.session_id else nullcontext()
user = using_user(CASE.user_id) if CASE.user_id else nullcontext()
with session, user:
    openai_answer.run()
