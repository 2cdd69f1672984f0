"""LlamaIndex's agent with OpenInference's instrumentation."""

import asyncio
import os
from contextlib import nullcontext

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context
from llama_index.llms.openai import OpenAI
from openinference.instrumentation import using_session, using_user
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

import recorded
from recorded import CASE, MODEL, start_telemetry

LlamaIndexInstrumentor().instrument(tracer_provider=start_telemetry())

llm = OpenAI(
    MODEL,
    api_base=os.environ["OPENAI_BASE_URL"],
    max_retries=0,
    additional_kwargs={"stream_options": {"include_usage": True}} if CASE.stream else {},
)
guide = FunctionAgent(name="guide", llm=llm, system_prompt="You know Rome.", streaming=False)


async def ask_guide(request: str) -> str:
    """Asks the guide for sights."""
    return str(await guide.run(request))


tools = [recorded.get_weather] if CASE.uses_weather else []
if CASE.name == "nested":
    tools = [ask_guide]
agent = FunctionAgent(
    name="assistant",
    llm=llm,
    tools=tools,
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


session = using_session(CASE.session_id) if CASE.session_id else nullcontext()
user = using_user(CASE.user_id) if CASE.user_id else nullcontext()
with session, user:
    asyncio.run(main())
