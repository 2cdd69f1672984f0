"""Semantic Kernel with its own spans. Its messages are log records."""

import asyncio
import logging

from opentelemetry import trace
from opentelemetry._logs import get_logger_provider
from opentelemetry.sdk._logs import LoggingHandler
from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function

import recorded
from recorded import CASE, MODEL, start_telemetry

start_telemetry()
handler = LoggingHandler(logger_provider=get_logger_provider())
logging.getLogger().addHandler(handler)
logging.getLogger().setLevel(logging.INFO)

service = OpenAIChatCompletion(ai_model_id=MODEL)


class Weather:
    @kernel_function(name="get_weather", description="Returns the weather in a city.")
    def get_weather(self, city: str) -> str:
        return recorded.get_weather(city)


plugins = [Weather()] if CASE.uses_weather else []
agent = ChatCompletionAgent(
    service=service, name="assistant", instructions=CASE.system, plugins=plugins
)


async def answer(question, thread):
    if not CASE.stream:
        return await agent.get_response(question, thread=thread)
    async for _ in agent.invoke_stream(question, thread=thread):
        pass


async def main():
    thread = ChatHistoryAgentThread()
    for question in CASE.turns:
        try:
            if not CASE.session_id:
                await answer(question, thread)
                continue
            # Semantic Kernel sends no session.
            attributes = {"session.id": CASE.session_id, "user.id": CASE.user_id}
            with trace.get_tracer("agent").start_as_current_span("answer", attributes=attributes):
                await answer(question, thread)
        except Exception as error:  # what the program must survive is the subject
            print(f"failed: {error!r}")


asyncio.run(main())
