"""CrewAI with several providers, and OpenInference for it and for their SDKs."""

import os

from crewai import LLM, Agent, Crew, Task
from openinference.instrumentation.anthropic import AnthropicInstrumentor
from openinference.instrumentation.bedrock import BedrockInstrumentor
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor

from recorded import CASE, run_turns, start_telemetry

provider = start_telemetry()
for instrumentor in [
    CrewAIInstrumentor(),
    AnthropicInstrumentor(),
    BedrockInstrumentor(),
    GoogleGenAIInstrumentor(),
]:
    instrumentor.instrument(tracer_provider=provider)

CLAUDE = "claude-sonnet-4-5-20250929"
models = {
    "anthropic": {"model": f"anthropic/{CLAUDE}", "base_url": os.environ["ANTHROPIC_BASE_URL"]},
    "bedrock": {"model": f"bedrock/us.anthropic.{CLAUDE}-v1:0"},
    "gemini": {"model": "gemini/gemini-2.5-flash"},
}

api = CASE.mode.split("+")[1]
llm = LLM(**models[api], stream=CASE.stream)
goal = CASE.system
agent = Agent(role="assistant", goal=goal, backstory=goal, llm=llm, max_retry_limit=0)
task = Task(description="{question}", expected_output="One sentence.", agent=agent)
crew = Crew(agents=[agent], tasks=[task])

run_turns(lambda question: crew.kickoff({"question": question}))
