import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'

/** A model with an API like OpenAI's, which repeats the last message. It needs the key `key`. */
const server = createServer((request, response) => void answer(request, response))
server.listen(8080)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isAllowed = request.headers.authorization === 'Bearer key'
  if (request.url !== '/v1/chat/completions' || !isAllowed) {
    response.writeHead(isAllowed ? 404 : 401).end()
    return
  }
  const { model, messages } = (await json(request)) as {
    model: string
    messages: { content: string }[]
  }
  const content = `You asked: ${messages.at(-1)?.content ?? ''}`
  const usage = { prompt_tokens: 7, completion_tokens: 5 }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ model, choices: [{ message: { content } }], usage }))
}
