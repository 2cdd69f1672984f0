"""Logfire's instrumentation of the OpenAI SDK, without its service."""

import logfire

import openai_answer

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_openai()
openai_answer.run(span=logfire.span)
logfire.force_flush()
