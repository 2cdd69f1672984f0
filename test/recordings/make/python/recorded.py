"""What the programs share: the case to run, the tools, and a setup of OpenTelemetry."""

import json
import os
from types import SimpleNamespace

_given = json.loads(os.environ["RECORDED_CASE"])

# name, mode, system, turns (the user's questions), stream, session_id and user_id.
CASE = SimpleNamespace(
    name=_given["name"],
    mode=_given["mode"],
    system=_given["system"],
    turns=_given["turns"],
    stream=_given.get("stream", False),
    session_id=_given.get("sessionId"),
    user_id=_given.get("userId"),
    uses_weather="tool" in _given["name"],
)

MODEL = "gpt-4.1-mini"

# A PNG of one red dot.
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJg"
    "gg=="
)

WEATHER = {"Paris": "21 degrees, sunny", "Oslo": "-3 degrees, snow"}

WEATHER_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def get_weather(city: str) -> str:
    """Returns the weather in a city.

    Args:
        city: The name of the city.
    """
    if city not in WEATHER:
        raise ValueError(f"no weather station on {city}")
    return WEATHER[city]


def start_telemetry():
    """Sends spans, logs and metrics as OTLP over HTTP, as `opentelemetry-instrument` does."""
    from opentelemetry import metrics, trace
    from opentelemetry._logs import set_logger_provider
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    tracer_provider = TracerProvider()
    tracer_provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(tracer_provider)

    logger_provider = LoggerProvider()
    logger_provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
    set_logger_provider(logger_provider)

    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    metrics.set_meter_provider(MeterProvider(metric_readers=[reader]))

    return tracer_provider


def run_turns(answer):
    """Calls `answer` with each question. A run that fails must not end the program."""
    for question in CASE.turns:
        try:
            answer(question)
        except Exception as error:  # what the program must survive is the subject
            print(f"failed: {error!r}")
