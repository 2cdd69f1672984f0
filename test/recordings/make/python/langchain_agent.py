"""An agent of LangChain, which remembers what was said in a session."""

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

import recorded
from recorded import CASE, MODEL, run_turns

model = ChatOpenAI(model=MODEL, max_retries=0, streaming=CASE.stream, stream_usage=True)
guide = create_agent(model, tools=[], system_prompt="You know Rome.", name="guide")


@tool
def ask_guide(request: str) -> str:
    """Asks the guide for sights."""
    return guide.invoke({"messages": [{"role": "user", "content": request}]})["messages"][-1].text


def run(with_config=lambda config: config):
    """Runs the case. `with_config` adds to the configuration of an invocation."""
    tools = [tool(recorded.get_weather)] if CASE.uses_weather else []
    if CASE.name == "nested":
        tools = [ask_guide]
    agent = create_agent(
        model,
        tools=tools,
        system_prompt=CASE.system,
        checkpointer=InMemorySaver() if CASE.session_id else None,
        name="assistant",
    )

    def answer(question):
        thread = {"configurable": {"thread_id": CASE.session_id}} if CASE.session_id else {}
        config = with_config(thread)
        given = {"messages": [{"role": "user", "content": question}]}
        if not CASE.stream:
            return agent.invoke(given, config)
        for _ in agent.stream(given, config, stream_mode="messages"):
            pass

    run_turns(answer)
