"""LlamaIndex's agent with OpenLLMetry's instrumentations of it and of the OpenAI SDK.

That of LlamaIndex has no spans for the models of OpenAI.
"""

import asyncio
import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context
from llama_index.llms.openai import OpenAI
from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

import recorded
from recorded import CASE, MODEL, start_telemetry

provider = start_telemetry()
LlamaIndexInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)

agent = FunctionAgent(
    name="assistant",
    llm=OpenAI(MODEL, api_base=os.environ["OPENAI_BASE_URL"], max_retries=0),
    tools=[recorded.get_weather] if CASE.uses_weather else [],
    system_prompt=CASE.system,
    streaming=CASE.stream,
)


async def main():
    context = Context(agent)
    for question in CASE.turns:
        try:
            await agent.run(question, ctx=context)
        except Exception as error:  # what the program must survive is the subject
            print(f"failed: {error!r}")


asyncio.run(main())
