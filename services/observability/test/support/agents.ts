import { newSpanId, newTraceId, type TestSpan } from './otlp.ts'
import { startPlatform, type Platform } from './platform.ts'

/** Owner of the spans of an agent that alice may see. */
export const OWNER = {
  accountId: 'acc-1',
  agent: 'helper',
  deploymentId: 'dep-1',
  buildId: 'build-1',
} as const

let agentCount = 0

/** Starts observability with two accounts: `acme` with the member alice, `other` with bob. */
export async function startWithAccounts(
  ...options: Parameters<typeof startPlatform>
): Promise<Platform> {
  const platform = await startPlatform(...options)
  platform.neighbours.accounts.set('acme', 'acc-1').set('other', 'acc-2')
  platform.neighbours.members.add('acc-1/alice').add('acc-2/bob')
  return platform
}

/** Registers the ingest token of an agent that no other test uses. */
export function newAgent({ neighbours }: Platform): { name: string; token: string } {
  agentCount += 1
  const [name, token] = [`agent-${agentCount}`, `token-${agentCount}`]
  neighbours.tokens.set(token, { ...OWNER, agent: name })
  return { name, token }
}

/** Returns the root span of a new trace that started a minute ago. */
export function rootSpan(changes: Partial<TestSpan> = {}): TestSpan {
  return {
    traceId: newTraceId(),
    spanId: newSpanId(),
    startMs: Date.now() - 60_000,
    name: 'answer',
    ...changes,
  }
}

/** Lists the traces of an agent, as alice in `acme` unless given otherwise. */
export async function listTraces(
  { traces, as }: Platform,
  name: string,
  request: object = {},
  { subject = 'alice', account = 'acme' } = {},
) {
  return await traces.listTraces({ account, name, ...request }, await as(subject))
}
