import { expect, test } from 'vitest'

import { refusedKeyIn } from './refused-key.ts'

const template = {
  credentials: { OPENAI_API_KEY: { secret: true }, MODEL: { secret: false } },
} as never

test.each([
  "openai.AuthenticationError: Error code: 401 - {'error': {'message': 'Incorrect API key'}}",
  "langchain_openai.OpenAIAuthenticationError: Error code: 401 - {'error': 'x'}",
  'AI_APICallError: Incorrect API key provided: sk-***.',
  '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
  'google.genai.errors.ClientError: 400 API key not valid. Please pass a valid API key.',
])('%s', (line) => {
  const [advice] = refusedKeyIn(['POST /ask', line, 'GET /health 200'], template)
  expect(advice?.finding).toBe(`its log says that a key was refused: ${line}`)
  expect(advice?.step).toBe(
    'If it is about OPENAI_API_KEY, deploy again with another value in `user_credentials`.',
  )
})

test.each([
  'INFO: 10.0.0.1:4242 - "POST /chat HTTP/1.1" 401 Unauthorized',
  'send the access token',
])('takes no refusal of the program itself for one: %s', (line) => {
  expect(refusedKeyIn([line], template)).toEqual([])
})

test('says nothing of an agent without credentials', () => {
  expect(refusedKeyIn(['AuthenticationError'], { credentials: {} } as never)).toEqual([])
})
