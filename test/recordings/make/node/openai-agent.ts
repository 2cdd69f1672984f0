import { getWeather, given, MODEL, usesWeather } from './recorded.ts'

interface Call {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; arguments: string }
}

interface Message {
  readonly role: string
  content: string | null
  tool_calls?: Call[]
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string | null
      readonly tool_calls?: readonly {
        readonly id?: string
        readonly function: { readonly name?: string; readonly arguments?: string }
      }[]
    }
  }[]
}

interface Item {
  readonly type: string
  readonly call_id: string
  readonly arguments: string
}

interface Response {
  readonly output: readonly Item[]
  readonly output_text: string
}

/** What is used of the OpenAI SDK. */
interface Client {
  readonly chat: { readonly completions: { create(body: object): PromiseLike<unknown> } }
  readonly responses: { create(body: object): PromiseLike<unknown> }
}

interface Weather {
  readonly city: string
}

const FUNCTION = {
  name: 'get_weather',
  description: 'Returns the weather in a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}

/**
 * An agent that uses the OpenAI SDK directly, with its tools in a loop: with chat completions, or
 * in the mode `responses` with that API. Returns the function that asks it.
 */
export function openaiAgent(
  client: Client,
  runTool = async ({ city }: Weather): Promise<string> => getWeather(city),
): (question: string) => Promise<string> {
  const messages: unknown[] = [{ role: 'system', content: given.system }]

  async function result(json: string): Promise<string> {
    try {
      return await runTool(JSON.parse(json) as Weather)
    } catch (error) {
      return `error: ${(error as Error).message}`
    }
  }

  async function complete(): Promise<Message> {
    const tools = usesWeather ? { tools: [{ type: 'function', function: FUNCTION }] } : {}
    const body = { model: MODEL, messages, ...tools }
    if (given.stream !== true) {
      const { choices } = (await client.chat.completions.create(body)) as {
        readonly choices: readonly [{ readonly message: Message }]
      }
      return choices[0].message
    }
    const options = { stream: true, stream_options: { include_usage: true } }
    const message: Message = { role: 'assistant', content: '' }
    const chunks = await client.chat.completions.create({ ...body, ...options })
    for await (const chunk of chunks as AsyncIterable<Chunk>) add(message, chunk)
    return message
  }

  async function chat(question: string): Promise<string> {
    messages.push({ role: 'user', content: question })
    for (;;) {
      const message = await complete()
      messages.push(message)
      if (message.tool_calls === undefined) return message.content ?? ''
      for (const call of message.tool_calls) {
        const content = await result(call.function.arguments)
        messages.push({ role: 'tool', tool_call_id: call.id, content })
      }
    }
  }

  async function respond(question: string): Promise<string> {
    const input: unknown[] = [{ role: 'user', content: question }]
    const tools = usesWeather ? { tools: [{ type: 'function', strict: true, ...FUNCTION }] } : {}
    for (;;) {
      const body = { model: MODEL, instructions: given.system, input, ...tools }
      const response = (await client.responses.create(body)) as Response
      input.push(...response.output)
      const calls = response.output.filter(({ type }) => type === 'function_call')
      if (calls.length === 0) return response.output_text
      for (const call of calls) {
        const output = await result(call.arguments)
        input.push({ type: 'function_call_output', call_id: call.call_id, output })
      }
    }
  }

  return given.mode.includes('responses') ? respond : chat
}

function add(message: Message, { choices }: Chunk): void {
  for (const { delta } of choices) {
    message.content = (message.content ?? '') + (delta.content ?? '')
    for (const { id, function: part } of delta.tool_calls ?? []) {
      const calls = (message.tool_calls ??= [])
      const started = { name: part.name ?? '', arguments: '' }
      if (id !== undefined) calls.push({ id, type: 'function', function: started })
      const last = calls.at(-1)
      if (last !== undefined) last.function.arguments += part.arguments ?? ''
    }
  }
}
