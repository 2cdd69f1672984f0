"""The Claude Agent SDK, which runs Claude Code. That sends the telemetry."""

import asyncio
import os
import tempfile

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ResultMessage,
    create_sdk_mcp_server,
    query,
    tool,
)

import recorded
from recorded import CASE, run_turns


@tool("get_weather", "Returns the weather in a city.", {"city": str})
async def get_weather(args):
    return {"content": [{"type": "text", "text": recorded.get_weather(args["city"])}]}


# It keeps its sessions in its home.
home = tempfile.TemporaryDirectory(dir=os.getcwd())
weather = create_sdk_mcp_server("weather", tools=[get_weather])
options = ClaudeAgentOptions(
    model="claude-sonnet-4-5",
    system_prompt=CASE.system,
    tools=[],
    mcp_servers={"weather": weather} if CASE.uses_weather else {},
    allowed_tools=["mcp__weather__get_weather"],
    setting_sources=[],
    cwd=home.name,
    env={"HOME": home.name, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
)


async def answer(question):
    async for message in query(prompt=question, options=options):
        if isinstance(message, ResultMessage) and CASE.session_id:
            options.resume = message.session_id


run_turns(lambda question: asyncio.run(answer(question)))
home.cleanup()
