import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'

test('asks the model with the key and the question', async (t) => {
  let asked
  const server = createServer(async (request, response) => {
    asked = JSON.parse((await request.toArray()).join(''))
    assert.equal(request.url, '/chat/completions')
    assert.equal(request.headers.authorization, 'Bearer key')
    response.end(JSON.stringify({ choices: [{ message: { content: 'Paris.' } }] }))
  }).listen(0)
  t.after(() => server.close())
  await once(server, 'listening')
  process.env.OPENAI_BASE_URL = `http://127.0.0.1:${server.address().port}`
  process.env.OPENAI_API_KEY = 'key'
  process.env.MODEL = 'small'
  const { answer } = await import('./answer.js')
  assert.equal(await answer('What is the capital of France?'), 'Paris.')
  assert.equal(asked.model, 'small')
  assert.equal(asked.messages.at(-1).content, 'What is the capital of France?')
})
