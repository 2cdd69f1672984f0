import { waitFor } from '@slipway/testing'

import { freshName } from '../../../contract/cases/case.ts'
import { buildBody } from '../../../contract/support/catalog-fixture.ts'
import { request, type Answer, type RequestOptions } from '../../../support/api.ts'
import type { FaultyAgent } from '../../../support/faulty-agent.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../../../support/ingest.ts'

/** What the calls of one round work on. */
export interface World {
  /** A team of alice, with the agent `shelf`, which has two builds, and the agent `draft`. */
  readonly team: string
  /** The name of another team, which a call creates. */
  readonly made: string
  readonly bobId: string
  /** The name of alice's deployed agent, which has one trace. */
  readonly agent: string
  readonly session: string
}

async function done(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const answer = await request(method, path, { as: 'alice', ...options })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer
}

/** Makes what the calls of a round need, and deploys the agent. */
export async function makeWorld({ account, name }: FaultyAgent): Promise<World> {
  const team = freshName('team')
  await done('POST', '/accounts', { body: { name: team } })
  for (const [agent, build] of [
    ['shelf', 'b1'],
    ['shelf', 'b2'],
    ['draft', 'b1'],
  ] as const)
    await done('POST', `/agents/${team}/${agent}/register`, { body: buildBody(agent, build) })
  const me = await done('GET', '/me', { as: 'bob' })

  const credentials = { SERVICE_TOKEN: 'any-token' }
  const body = { account, name, user_credentials: credentials }
  const { k8s_namespace: namespace } = (await done('POST', '/deploy?wait=200', { body })).body
  const session = freshName('chat')
  await sendSpans(await ingestTokenOf(namespace), [
    {
      traceId: newTraceId(),
      name: 'answer',
      durationMs: 20,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm-1',
        'session.id': session,
        'input.value': 'the question',
        'output.value': 'the answer',
      },
    },
  ])
  const path = `/agents/${account}/${name}/observability/sessions/${encodeURIComponent(session)}`
  await waitFor(async () => (await request('GET', path, { as: 'alice' })).status === 200, {
    what: 'the session',
  })
  return { team, made: freshName('made'), bobId: me.body.user.id, agent: name, session }
}
