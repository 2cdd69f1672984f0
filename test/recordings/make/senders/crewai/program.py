"""CrewAI with OpenInference's instrumentations of it and of the OpenAI SDK."""

from contextlib import nullcontext

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from openinference.instrumentation import using_session, using_user
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

import recorded
from recorded import CASE, MODEL, run_turns, start_telemetry

provider = start_telemetry()
CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)

llm = LLM(model=f"openai/{MODEL}", max_retries=0)


def crew_of(role: str, goal: str, tools: list) -> Crew:
    agent = Agent(role=role, goal=goal, backstory=goal, llm=llm, tools=tools, max_retry_limit=0)
    task = Task(description="{question}", expected_output="One sentence.", agent=agent)
    return Crew(agents=[agent], tasks=[task])


@tool("ask_guide")
def ask_guide(request: str) -> str:
    """Asks the guide for sights."""
    return str(crew_of("guide", "You know Rome.", []).kickoff({"question": request}))


tools = [tool("get_weather")(recorded.get_weather)] if CASE.uses_weather else []
if CASE.name == "nested":
    tools = [ask_guide]
crew = crew_of("assistant", CASE.system or "You answer.", tools)

session = using_session(CASE.session_id) if CASE.session_id else nullcontext()
user = using_user(CASE.user_id) if CASE.user_id else nullcontext()
with session, user:
    run_turns(lambda question: crew.kickoff({"question": question}))
