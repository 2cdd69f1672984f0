"""An agent that leaves its work to a worker of Celery, with OpenTelemetry's instrumentation."""

import openai_agent
from celery import Celery
from celery.contrib.testing.worker import start_worker
from opentelemetry import trace
from opentelemetry.instrumentation.celery import CeleryInstrumentor
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

from recorded import CASE, run_turns, start_telemetry

provider = start_telemetry()
CeleryInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)

app = Celery("agent", broker="memory://", backend="cache+memory://")
agent = openai_agent.ChatAgent()
attributes = {"session.id": CASE.session_id, "user.id": CASE.user_id} if CASE.session_id else {}


@app.task(name="answer")
def work(question):
    return agent.ask(question)


def answer(question):
    # The request ends before the work does.
    with trace.get_tracer("agent").start_as_current_span("ask", attributes=attributes):
        result = work.delay(question)
    return result.get(timeout=60, disable_sync_subtasks=False)


with start_worker(app, pool="solo", perform_ping_check=False):
    run_turns(answer)
