import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { listen, readBody, type LocalServer, type Place } from '../local-server.ts'
import type { Reply, Scenario, Usage } from '../scenario.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse, bedrockInvoke } from './bedrock.ts'
import { chooseReply } from './choose-reply.ts'
import { gemini } from './gemini.ts'
import type { Ledger } from './ledger.ts'
import type { AnswerIds, ModelApi } from './model-api.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { embeddings, embeddingUsage } from './openai-embeddings.ts'
import { openaiResponses } from './openai-responses.ts'
import { vertexMessages } from './vertex-messages.ts'

/** The APIs by their paths. Azure has those of OpenAI under the name of a deployment. */
const APIS: readonly (readonly [RegExp, ModelApi])[] = [
  [/\/chat\/completions$/, openaiChat],
  [/\/responses$/, openaiResponses],
  [/\/messages$/, anthropicMessages],
  [/\/models\/[^/]+:(generate|streamGenerate)Content$/, gemini],
  [/\/models\/[^/]+:(rawPredict|streamRawPredict)$/, vertexMessages],
  [/^\/model\/[^/]+\/converse(-stream)?$/, bedrockConverse],
  [/^\/model\/[^/]+\/invoke(-with-response-stream)?$/, bedrockInvoke],
  [/^\/api\/chat$/, ollama],
]

/** The dated versions that answer for the models of the programs. */
const ANSWERING_MODELS: Readonly<Record<string, string>> = {
  'gpt-4.1-mini': 'gpt-4.1-mini-2025-04-14',
  'claude-sonnet-4-5': 'claude-sonnet-4-5-20250929',
}

type Json = Readonly<Record<string, unknown>>

/** Starts a server that answers by the scenario, and writes what it bills into the ledger. */
export async function startModelServer(
  scenario: Scenario,
  ledger: Pick<Ledger, 'add'>,
  place?: Place,
): Promise<LocalServer> {
  return await listen(
    createServer((request, response) => {
      answer(request, response, scenario, ledger).catch((error: unknown) => {
        response.writeHead(422, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: { message: String(error) } }))
      })
    }),
    place,
  )
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scenario: Scenario,
  ledger: Pick<Ledger, 'add'>,
): Promise<void> {
  const path = decodeURIComponent((request.url ?? '').replace(/\?.*/, ''))
  const body = JSON.parse((await readBody(request)).toString('utf8')) as Json
  if (path.endsWith('/embeddings')) return answerEmbeddings(response, body, ledger)
  const api = APIS.find(([pattern]) => pattern.test(path))?.[1]
  if (!api) throw new Error(`the model server has no ${path}`)

  const { model, stream, messages } = api.readRequest(body, path)
  const { reply: chosen, turn } = chooseReply(scenario, messages)
  const reply = withServer(asFields(asFinalAnswer(chosen, body), body), body)
  if ('refusal' in reply) return sendJson(response, api.error(reply.refusal), 400)
  const billed = { ...reply, usage: usageIn(api, reply.usage) }

  const random = randomBytes(12).toString('hex')
  const ids: AnswerIds = {
    id: api.idPrefix + random,
    callId: api.callIdPrefix + random,
    model: ANSWERING_MODELS[model] ?? model,
    request: body,
  }
  ledger.add(api.name, ids.id, ids.model, turn, billed.usage)
  if (!stream) return sendJson(response, api.whole(billed, ids))
  const { streamType = 'text/event-stream' } = api
  response.writeHead(200, { 'content-type': streamType, 'x-request-id': `req_${random}` })
  for (const part of api.streamed(billed, ids)) response.write(part)
  response.end()
}

/** An API bills what it doesn't have as ordinary input or output. */
function usageIn({ lacks = [] }: ModelApi, usage: Usage): Usage {
  return { ...usage, ...Object.fromEntries(lacks.map((part) => [part, 0])) }
}

/** Agents with this tool give their answer as its argument. */
const FINAL_ANSWER = 'final_answer'

function asFinalAnswer(reply: Reply, { tools }: Json): Reply {
  const hasTool = JSON.stringify(tools ?? []).includes(`"name":"${FINAL_ANSWER}"`)
  if (!hasTool || !('text' in reply)) return reply
  return { call: { name: FINAL_ANSWER, arguments: { answer: reply.text } }, usage: reply.usage }
}

/** DSPy asks for the fields of an answer under headings. */
const FIELD = '[[ ## answer ## ]]'

function asFields(reply: Reply, { messages }: Json): Reply {
  const isAsked = JSON.stringify(messages ?? []).includes(FIELD)
  if (!isAsked || !('text' in reply)) return reply
  return { text: `${FIELD}\n${reply.text}\n\n[[ ## completed ## ]]`, usage: reply.usage }
}

/** The name of a tool of an MCP server has that of the server before it. */
function withServer(reply: Reply, { tools }: Json): Reply {
  if (!('call' in reply)) return reply
  const served = new RegExp(`"name":"(mcp__\\w+__${reply.call.name})"`)
  const name = served.exec(JSON.stringify(tools ?? []))?.[1] ?? reply.call.name
  return { ...reply, call: { ...reply.call, name } }
}

function answerEmbeddings(response: ServerResponse, body: Json, ledger: Pick<Ledger, 'add'>): void {
  const model = String(body['model'])
  ledger.add('openai.embeddings', '', model, 0, embeddingUsage(body['input']))
  sendJson(response, embeddings(body, model))
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  const headers = {
    'content-type': 'application/json',
    'x-request-id': `req_${randomBytes(8).toString('hex')}`,
  }
  response.writeHead(status, headers)
  response.end(JSON.stringify(body))
}
