import { expect, test } from 'vitest'

import { missedVariableIn } from './missed-variable.ts'

// What programs write that read a variable which they don't get.
test.each([
  ["KeyError: 'WEATHER_API'", 'WEATHER_API'],
  ["KeyError: 'TOKEN'", 'TOKEN'],
  ['Error: Missing required environment variable: WEATHER_API', 'WEATHER_API'],
  ['Missing required environment variable `TOKEN`', 'TOKEN'],
  [
    'The OPENAI_API_KEY environment variable is missing or empty; either provide it, or …',
    'OPENAI_API_KEY',
  ],
  [
    'openai.OpenAIError: The api_key client option must be set either by passing api_key ' +
      'to the client or by setting the OPENAI_API_KEY environment variable',
    'OPENAI_API_KEY',
  ],
  [
    '  Did not find tavily_api_key, please add an environment variable `TAVILY_API_KEY` ' +
      'which contains it',
    'TAVILY_API_KEY',
  ],
  ['panic: environment variable DATABASE_URL is not set', 'DATABASE_URL'],
  ['Error: process.env.DATABASE_URL is undefined', 'DATABASE_URL'],
  ['ValueError: DATABASE_URL env var required', 'DATABASE_URL'],
  [
    'decouple.UndefinedValueError: SECRET_KEY not found. Declare it as envvar or define a ' +
      'default value.',
    'SECRET_KEY',
  ],
  [
    '1 validation error for Settings\nweather_api\n  Field required [type=missing, ' +
      'input_value={}, input_type=dict]',
    'WEATHER_API',
  ],
  ['Missing environment variables:\n    WEATHER_API: undefined', 'WEATHER_API'],
])('%s', (log, name) => {
  const lines = ['Traceback (most recent call last):', ...log.split('\n')]
  expect(missedVariableIn(lines)).toBe(name)
})

test.each([
  "KeyError: 'city'",
  'loaded 12 variables of the environment',
  'starting with LOG_LEVEL=debug',
  '1 validation error for Order\nitem\n  Field required [type=missing]',
  'POST /chat 400: the field MAX_TOKENS is required',
])('finds none in: %s', (log) => {
  expect(missedVariableIn(log.split('\n'))).toBeUndefined()
})
