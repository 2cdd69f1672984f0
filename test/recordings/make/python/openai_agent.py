"""An agent that uses the OpenAI SDK directly, with its tools in a loop."""

import json

from openai import OpenAI

from recorded import CASE, MODEL, PICTURE, WEATHER_SCHEMA, get_weather

FUNCTION = {
    "name": "get_weather",
    "description": "Returns the weather in a city.",
    "parameters": WEATHER_SCHEMA,
}


class ChatAgent:
    """Uses chat completions, and remembers its conversation."""

    def __init__(self, run_tool=get_weather):
        self.client = OpenAI(max_retries=0)
        self.run_tool = run_tool
        self.messages = [{"role": "system", "content": CASE.system}]

    def ask(self, question: str) -> str:
        self.messages.append({"role": "user", "content": _content(question)})
        while True:
            message = self._complete()
            self.messages.append(message)
            if not message.get("tool_calls"):
                return message["content"]
            for call in message["tool_calls"]:
                result = self._result(json.loads(call["function"]["arguments"]))
                self.messages.append(
                    {"role": "tool", "tool_call_id": call["id"], "content": result}
                )

    def _result(self, arguments: dict) -> str:
        try:
            return self.run_tool(**arguments)
        except ValueError as error:
            return f"error: {error}"

    def _complete(self) -> dict:
        options = {"model": MODEL, "messages": self.messages}
        if CASE.uses_weather:
            options["tools"] = [{"type": "function", "function": FUNCTION}]
        if not CASE.stream:
            response = self.client.chat.completions.create(**options)
            return response.choices[0].message.model_dump(exclude_none=True)
        options["stream"] = True
        options["stream_options"] = {"include_usage": True}
        message = {"role": "assistant", "content": ""}
        for chunk in self.client.chat.completions.create(**options):
            if chunk.choices:
                _add(message, chunk.choices[0].delta)
        return message


class ResponsesAgent:
    """Uses the Responses API, and sends its conversation with each request."""

    def __init__(self, run_tool=get_weather):
        self.client = OpenAI(max_retries=0)
        self.run_tool = run_tool
        self.items = []

    def ask(self, question: str) -> str:
        self.items.append({"role": "user", "content": question})
        while True:
            response = self._respond()
            self.items += [item.model_dump(exclude_none=True) for item in response.output]
            calls = [item for item in response.output if item.type == "function_call"]
            if not calls:
                return response.output_text
            for call in calls:
                self.items.append(
                    {
                        "type": "function_call_output",
                        "call_id": call.call_id,
                        "output": self.run_tool(**json.loads(call.arguments)),
                    }
                )

    def _respond(self):
        options = {"model": MODEL, "instructions": CASE.system, "input": self.items}
        if CASE.uses_weather:
            options["tools"] = [{"type": "function", "strict": True, **FUNCTION}]
        if not CASE.stream:
            return self.client.responses.create(**options)
        response = None
        for event in self.client.responses.create(stream=True, **options):
            if event.type == "response.completed":
                response = event.response
        return response


def embed(texts):
    """Returns the embeddings of texts."""
    response = OpenAI(max_retries=0).embeddings.create(
        model="text-embedding-3-small", input=texts
    )
    return [entry.embedding for entry in response.data]


def _content(question: str):
    if CASE.name != "image":
        return question
    url = f"data:image/png;base64,{PICTURE}"
    return [
        {"type": "text", "text": question},
        {"type": "image_url", "image_url": {"url": url}},
    ]


def _add(message: dict, delta) -> None:
    message["content"] += delta.content or ""
    for part in delta.tool_calls or []:
        calls = message.setdefault("tool_calls", [])
        if part.id:
            function = {"name": part.function.name, "arguments": ""}
            calls.append({"id": part.id, "type": "function", "function": function})
        calls[-1]["function"]["arguments"] += part.function.arguments or ""
