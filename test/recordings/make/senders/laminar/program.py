"""Laminar's SDK with the OpenAI SDK."""

from lmnr import Laminar, observe

# Without a key of Laminar, it sends to where OpenTelemetry's settings say.
Laminar.initialize()

from openai_agent import ChatAgent
from recorded import CASE, get_weather, run_turns

agent = ChatAgent(observe(name="get_weather", span_type="TOOL")(get_weather))


@observe(name="answer")
def answer(question):
    if CASE.session_id:
        Laminar.set_trace_session_id(CASE.session_id)
        Laminar.set_trace_user_id(CASE.user_id)
    return agent.ask(question)


run_turns(answer)
Laminar.flush()
