import { request } from '../../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'
import { ingestTokenOf, sendSpans, type SentSpan } from '../../support/ingest.ts'

const NAME = 'help-desk'
const HOUR_MS = 3_600_000
const TRACES = 240

const TURNS = [
  ['How do I share a folder?', 'Select it and choose "Share", then "Create link".'],
  ['Does the link expire?', 'It works until you remove it under "Shared links".'],
  ['Can I restore a file that I deleted?', 'Yes, for 30 days: open "Deleted files".'],
  [
    'Why is my upload slow?',
    'Large files are checked after the upload. Close the page if you like.',
  ],
  ['Where do I change my password?', 'Open "Account", then "Security".'],
  ['Can two people edit a file at once?', 'Yes. You see the cursors of the others.'],
] as const

const MODELS = ['claude-sonnet-4-5', 'gpt-4o', 'gpt-4o-mini'] as const

const README = `# Help desk

Answers questions about a file service from its FAQ, and names the articles that it used.

- **Input**: a question, in any language.
- **Output**: an answer of at most 200 words.

\`\`\`
curl https://help-desk.example/ask -d '{"question": "How do I share a folder?"}'
\`\`\`
`

/** An agent that people would deploy, with a day of traces. */
export interface HelpDesk extends AsyncDisposable {
  readonly account: string
  readonly name: string
  /** Deploys a build that fails because of its credential. */
  breakIt(): Promise<void>
}

/** Registers, publishes and deploys the agent, and sends its traces. */
export async function openHelpDesk(): Promise<HelpDesk> {
  await using starting = new AsyncDisposableStack()
  const agent = starting.use(await registerFaultyAgent(NAME))
  const { account } = agent
  const source = `/agents/${account}/${NAME}`
  let spec = ''
  const describe = (text: string) => {
    spec = text.replace(
      'agent:\n',
      `meta:\n  description: ${DESCRIPTION}\n  tags: [support]\nagent:\n`,
    )
    return spec
  }
  await agent.register('a41f09', describe)
  const registry = 'http://registry.example'
  const build = { build_id: 'b7c210', registry, spec_content: spec, readme: README }
  await send('POST', `${source}/register`, build)
  await send('POST', `${source}/publish`, { build_id: 'a41f09', version: '1.0.0' })
  await send('POST', `${source}/publish`, { build_id: 'b7c210', version: '1.1.0' })
  await deploy(agent, 'a41f09')
  const { k8s_namespace: namespace } = await deploy(agent, 'b7c210')
  const token = await ingestTokenOf(namespace)
  const now = Date.now()
  for (let hour = 0; hour < 24; hour += 1) {
    const traces = Array.from({ length: TRACES / 24 }, (_, index) =>
      traceAt(now - (23 - hour) * HOUR_MS, hour * 10 + index),
    )
    await sendSpans(token, traces.flat())
  }
  await agent.register('c90e4d', (text) =>
    describe(text).replace('default: none', 'default: credential'),
  )
  const running = starting.move()
  return {
    account,
    name: NAME,
    breakIt: async () => void (await deploy(agent, 'c90e4d', '')),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}

const DESCRIPTION = 'Answers questions about a file service from its FAQ'

async function send(method: string, path: string, body: unknown) {
  const answer = await request(method, path, { as: 'alice', body })
  if (answer.status >= 300) throw new Error(`${path} returned ${answer.status}: ${answer.text}`)
  return answer.body
}

async function deploy({ account }: FaultyAgent, build_id: string, query = '?wait=120') {
  const user_credentials = { SERVICE_TOKEN: 'a-token-0123456789' }
  return await send('POST', `/deploy${query}`, { account, name: NAME, build_id, user_credentials })
}

/** The spans of a trace: the agent searches its articles, then asks a model. */
function traceAt(endMs: number, index: number): SentSpan[] {
  const traceId = (index + 1).toString(16).padStart(32, 'a')
  const [root, search] = ['a1b2c3d4e5f60718', 'b1b2c3d4e5f60718']
  const [input, output] = TURNS[index % TURNS.length] ?? TURNS[0]
  const model = MODELS[(index * 7) % MODELS.length] ?? MODELS[0]
  const isError = index % 31 === 17
  const durationMs = 700 + ((index * 977) % 2_300)
  const startMs = endMs - ((index * 347_213) % HOUR_MS) - durationMs
  const session = { 'session.id': `chat-${Math.floor(index / 6)}`, 'user.id': `user-${index % 9}` }
  return [
    {
      traceId,
      spanId: root,
      name: 'answer',
      startMs,
      durationMs,
      isError,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': NAME,
        'input.value': input,
        ...(isError ? {} : { 'output.value': output }),
        ...session,
      },
    },
    {
      traceId,
      spanId: search,
      parentSpanId: root,
      name: 'search articles',
      startMs: startMs + 20,
      durationMs: 160,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' },
    },
    {
      traceId,
      parentSpanId: root,
      name: `chat ${model}`,
      startMs: startMs + 190,
      durationMs: durationMs - 200,
      isError,
      tokens: String(600 + ((index * 613) % 4_000)),
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': model.startsWith('gpt') ? 'openai' : 'anthropic',
        'gen_ai.request.model': model,
      },
    },
  ]
}
