import type { CorpusProject } from '../corpus-project.ts'
import { pyproject } from './serve.ts'
import { BY_UV } from './uv.ts'

const QUESTION = 'What is the capital of France?'

/** A project that runs what the documentation of a framework begins with, for each request. */
function quickStart(
  name: string,
  dependencies: readonly string[],
  ask: string,
  more: Partial<CorpusProject> = {},
): CorpusProject {
  return {
    ...BY_UV,
    name,
    files: {
      'pyproject.toml': pyproject(name, ['fastapi', 'uvicorn', ...dependencies]),
      'main.py': `import uvicorn
from fastapi import FastAPI

app = FastAPI()
QUESTION = ${JSON.stringify(QUESTION)}

${ask}

if __name__ == "__main__":
    uvicorn.run(app, host="0.0.0.0", port=8080)
`,
    },
    answer: 'Paris',
    usesModel: true,
    ...more,
  }
}

/** The quick starts of agent frameworks. */
export const frameworkProjects: readonly CorpusProject[] = [
  {
    ...BY_UV,
    name: 'fastapi-uvicorn',
    files: {
      'pyproject.toml': pyproject('fastapi-uvicorn', ['fastapi[standard]']),
      'app/__init__.py': '',
      'app/api.py': `from fastapi import FastAPI

app = FastAPI()


@app.get("/")
async def root():
    return {"message": "Hello World"}
`,
      Procfile: 'web: fastapi run app/api.py --port ${PORT:-8000}\n',
    },
    answer: 'Hello World',
  },
  {
    ...BY_UV,
    name: 'fastapi-gunicorn',
    command: 'gunicorn app.api:app -k uvicorn_worker.UvicornWorker --bind 0.0.0.0:$PORT',
    files: {
      'pyproject.toml': pyproject('fastapi-gunicorn', ['fastapi', 'gunicorn', 'uvicorn-worker']),
      'app/__init__.py': '',
      'app/api.py': `from fastapi import FastAPI

app = FastAPI()


@app.get("/")
def root():
    return {"served by": "gunicorn"}
`,
    },
    variables: { HOME: '/tmp' },
    answer: 'gunicorn',
  },
  quickStart(
    'langgraph-quick-start',
    ['langgraph', 'langchain-openai'],
    `from typing import Annotated, TypedDict

from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages


class State(TypedDict):
    messages: Annotated[list, add_messages]


llm = ChatOpenAI(model="gpt-4.1-mini")


def chatbot(state: State):
    return {"messages": [llm.invoke(state["messages"])]}


builder = StateGraph(State)
builder.add_node("chatbot", chatbot)
builder.add_edge(START, "chatbot")
builder.add_edge("chatbot", END)
graph = builder.compile()


@app.get("/")
def root():
    result = graph.invoke({"messages": [{"role": "user", "content": QUESTION}]})
    return {"answer": result["messages"][-1].content}`,
    { run: 'long' },
  ),
  quickStart(
    'crewai-quick-start',
    ['crewai'],
    `from crewai import LLM, Agent, Crew, Task

llm = LLM(model="openai/gpt-4.1-mini")


@app.get("/")
def root():
    agent = Agent(role="Guide", goal="Answer questions", backstory="You know maps.", llm=llm)
    task = Task(description=QUESTION, expected_output="A city", agent=agent)
    return {"answer": Crew(agents=[agent], tasks=[task]).kickoff().raw}`,
    { variables: { HOME: '/tmp', CREWAI_DISABLE_TELEMETRY: 'true', OTEL_SDK_DISABLED: 'true' } },
  ),
  quickStart(
    'llamaindex-quick-start',
    ['llama-index-core', 'llama-index-llms-openai'],
    `import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI


def multiply(a: float, b: float) -> float:
    """Useful for multiplying two numbers."""
    return a * b


agent = FunctionAgent(
    tools=[multiply],
    llm=OpenAI(model="gpt-4.1-mini", api_base=os.environ["OPENAI_BASE_URL"]),
    system_prompt="You are a helpful assistant.",
)


@app.get("/")
async def root():
    return {"answer": str(await agent.run(QUESTION))}`,
  ),
  quickStart(
    'pydantic-ai-quick-start',
    ['pydantic-ai-slim[openai]'],
    `from pydantic_ai import Agent

agent = Agent("openai-chat:gpt-4.1-mini", instructions="Be concise.")


@app.get("/")
async def root():
    return {"answer": (await agent.run(QUESTION)).output}`,
    { run: 'long' },
  ),
  quickStart(
    'openai-agents-quick-start',
    ['openai-agents'],
    `from agents import Agent, Runner

agent = Agent(name="Assistant", instructions="You are a helpful assistant", model="gpt-4.1-mini")


@app.get("/")
async def root():
    return {"answer": (await Runner.run(agent, QUESTION)).final_output}`,
  ),
  quickStart(
    'adk-quick-start',
    ['google-adk'],
    `from google.adk.agents import Agent
from google.adk.runners import InMemoryRunner
from google.genai import types

root_agent = Agent(
    name="guide",
    model="gemini-2.5-flash",
    description="Answers questions.",
    instruction="You are a helpful agent.",
)
runner = InMemoryRunner(agent=root_agent, app_name="guide")


@app.get("/")
async def root():
    session = await runner.session_service.create_session(app_name="guide", user_id="user")
    message = types.Content(role="user", parts=[types.Part(text=QUESTION)])
    texts = []
    async for event in runner.run_async(
        user_id="user", session_id=session.id, new_message=message
    ):
        if event.is_final_response() and event.content:
            texts.append(event.content.parts[0].text)
    return {"answer": texts}`,
  ),
  quickStart(
    'strands-quick-start',
    ['strands-agents[openai]'],
    `import os

from strands import Agent
from strands.models.openai import OpenAIModel

model = OpenAIModel(
    client_args={
        "api_key": os.environ["OPENAI_API_KEY"],
        "base_url": os.environ["OPENAI_BASE_URL"],
    },
    model_id="gpt-4.1-mini",
)


@app.get("/")
def root():
    return {"answer": str(Agent(model=model)(QUESTION))}`,
  ),
  quickStart(
    'claude-agent-sdk-quick-start',
    ['claude-agent-sdk'],
    `from claude_agent_sdk import AssistantMessage, TextBlock, query


@app.get("/")
async def root():
    texts = []
    async for message in query(prompt=QUESTION):
        if isinstance(message, AssistantMessage):
            texts += [block.text for block in message.content if isinstance(block, TextBlock)]
    return {"answer": texts}`,
    { variables: { HOME: '/tmp' } },
  ),
  quickStart(
    'smolagents-quick-start',
    ['smolagents[openai]'],
    `import os

from smolagents import OpenAIModel, ToolCallingAgent

model = OpenAIModel(
    model_id="gpt-4.1-mini",
    api_base=os.environ["OPENAI_BASE_URL"],
    api_key=os.environ["OPENAI_API_KEY"],
)


@app.get("/")
def root():
    return {"answer": ToolCallingAgent(tools=[], model=model).run(QUESTION)}`,
  ),
]
