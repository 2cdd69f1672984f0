import os
import signal
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from answer import answer

LONGEST_QUESTION = 64 * 1024

# A deploy sets the OTEL_* variables, which the SDK reads. Without them, there are no traces.
telemetry = TracerProvider()
if "OTEL_EXPORTER_OTLP_ENDPOINT" in os.environ:
    telemetry.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(telemetry)


def traced(question: str) -> str:
    """Answers within a span, whose input and output the trace shows."""
    with trace.get_tracer("my-agent").start_as_current_span("answer") as span:
        span.set_attribute("input.value", question)
        text = answer(question)
        span.set_attribute("output.value", text)
        return text


class Agent(BaseHTTPRequestHandler):
    def reply(self, status: int, text: str) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self) -> None:
        if self.path == "/healthz":
            return self.reply(200, "ok")
        self.reply(405, "POST a question\n")

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        if length > LONGEST_QUESTION:
            return self.reply(413, "too long\n")
        try:
            text = traced(self.rfile.read(length).decode())
        except Exception:
            traceback.print_exc()
            return self.reply(500, "the agent failed; its log says why\n")
        self.reply(200, f"{text}\n")

    def log_message(self, *_) -> None:
        pass  # health checks would fill the log


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Agent)
# shutdown() waits for serve_forever(), so it needs its own thread.
signal.signal(signal.SIGTERM, lambda *_: Thread(target=server.shutdown).start())
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
telemetry.shutdown()  # sends the last traces
