"""MLflow's tracing of the OpenAI SDK, with its decorator."""

from contextlib import contextmanager

import mlflow
from mlflow.tracing import provider

import openai_answer
from recorded import CASE, get_weather

# With an endpoint in OpenTelemetry's variables, it sends its spans there.
mlflow.set_tracking_uri("sqlite:///mlflow.db")
mlflow.openai.autolog()
traced = mlflow.trace(get_weather, span_type="TOOL")


@contextmanager
def start_agent(name):
    with mlflow.start_span(name, span_type="AGENT") as span:
        if CASE.session_id:
            span.set_attributes({"session.id": CASE.session_id, "user.id": CASE.user_id})
        yield span


openai_answer.run(run_tool=lambda city: traced(city=city), span=start_agent)
provider.provider.get().force_flush()
