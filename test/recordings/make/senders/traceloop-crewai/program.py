"""CrewAI with OpenLLMetry's instrumentations of it and of the OpenAI SDK."""

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from opentelemetry.instrumentation.crewai import CrewAIInstrumentor
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

import recorded
from recorded import CASE, MODEL, run_turns, start_telemetry

provider = start_telemetry()
CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)

llm = LLM(model=f"openai/{MODEL}", max_retries=0)
tools = [tool("get_weather")(recorded.get_weather)] if CASE.uses_weather else []
goal = CASE.system or "You answer."
agent = Agent(
    role="assistant", goal=goal, backstory=goal, llm=llm, tools=tools, max_retry_limit=0
)
task = Task(description="{question}", expected_output="One sentence.", agent=agent)
crew = Crew(agents=[agent], tasks=[task])

run_turns(lambda question: crew.kickoff({"question": question}))
