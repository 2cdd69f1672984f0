"""OpenLIT's instrumentation of the OpenAI SDK."""

import openlit

openlit.init()

import openai_answer

openai_answer.run()
