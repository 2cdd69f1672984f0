import { request } from '../../support/api.ts'
import { registerFaultyAgent } from '../../support/faulty-agent.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../../support/ingest.ts'

const NAME = 'bench-console'
const TRACES_AT_ONCE = 100

/** A deployment that writes 1,000 lines a second, with traces. */
export interface ConsoleStage extends AsyncDisposable {
  /** The address of its page. */
  readonly path: string
  /** Deploys it again with other settings, which causes events. */
  change(round: number): Promise<void>
}

/** Deploys the agent, and sends traces of it. Disposing of the stage undeploys it. */
export async function setConsoleStage(traces: number): Promise<ConsoleStage> {
  await using stack = new AsyncDisposableStack()
  const agent = stack.use(await registerFaultyAgent(NAME))
  await agent.register(`chatter-${Date.now()}`, (spec) =>
    spec.replace('default: none', 'default: chatter'),
  )
  const { account } = agent
  const deploy = async (overrides: object, query = '') => {
    const user_credentials = { SERVICE_TOKEN: 'a-token-0123456789' }
    const body = { account, name: NAME, user_credentials, overrides }
    const answer = await request('POST', `/deploy${query}`, { as: 'alice', body })
    if (answer.status >= 300) throw new Error(`deploy returned ${answer.status}: ${answer.text}`)
    return answer
  }
  const { body } = await deploy({}, '?wait=120')
  const token = await ingestTokenOf(body.k8s_namespace)
  for (let sent = 0; sent < traces; sent += TRACES_AT_ONCE) {
    const spans = Array.from({ length: TRACES_AT_ONCE }, (_, index) => ({
      traceId: newTraceId(),
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'input.value': `Question ${sent + index} ${'words of a user '.repeat(40)}`,
        'output.value': `Answer ${sent + index} ${'words of an agent '.repeat(40)}`,
        'session.id': `session-${index % 10}`,
      },
    }))
    const { status } = await sendSpans(token, spans)
    if (status !== 200) throw new Error(`the ingest returned ${status}`)
  }
  const running = stack.move()
  return {
    path: `/accounts/${account}/deployments/${NAME}`,
    change: async (round) => void (await deploy({ 'agent.environment.ROUND': String(round) })),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}
