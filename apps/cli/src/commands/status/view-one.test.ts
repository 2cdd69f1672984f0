import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { revisionWith } from '../../deployments/testing/revision-with.ts'
import { renderForTerminal } from '../../output/render-terminal.ts'
import type { OneStatus } from './types.ts'
import { viewOne } from './view-one.ts'
import { viewPlain } from './view-plain.ts'

const REASON = 'CrashLoopBackOff: the container exited with code 3'
const component = { name: 'agent', kind: 'agent', pod_count: 2, ready_pod_count: 1 } as const
const pod = { phase: 'Running', ready: true, restarts: 0 }

function statusWith(deployment: Partial<Schemas['Deployment']>, reason?: string): OneStatus {
  return {
    kind: 'one',
    deployment: {
      name: 'support',
      state: 'progressing',
      revision: 2,
      build_id: 'b2',
      k8s_namespace: 'agent-support',
      deployed_at: '2026-11-22T12:00:00.000Z',
      deployed_by: 'alice',
      service_endpoints: [],
      components: [],
      ...deployment,
    },
    revision: revisionWith({ revision: 2, live: true, ...(reason !== undefined && { reason }) }),
    names: new Map(),
    changes: [],
  }
}

function shown(status: OneStatus): string {
  const screen = { columns: 100, color: false }
  return viewOne(status, { screen } as Parameters<typeof viewOne>[1])
    .flatMap((block) => (block.kind === 'hint' ? [] : renderForTerminal(block, screen)))
    .join('\n')
}

test('marks the pods of an earlier revision, and counts those of the live one', () => {
  const pods = [
    { ...pod, name: 'support-a', former: true },
    { ...pod, name: 'support-b', ready: false },
  ]
  const agent = { ...component, state: 'progressing', pods } as const
  const status = statusWith({ components: [agent] })
  expect(shown(status)).toMatch(/^agent +agent +progressing +0\/1$/m)
  expect(shown(status)).toMatch(/^POD +REV +READY/m)
  expect(shown(status)).toMatch(/^support-a +earlier +yes/m)
  expect(shown(status)).toMatch(/^support-b +live +no/m)
  const rows = viewPlain(status).flatMap((block) => (block.kind === 'table' ? block.rows : []))
  expect(rows.filter(([kind]) => kind === 'pod').map((row) => row.at(-1))).toEqual(['former', ''])
})

test('has no column for revisions if all pods are of the live one', () => {
  const pods = [{ ...pod, name: 'support-a' }]
  const agent = { ...component, state: 'ready', pods } as const
  expect(shown(statusWith({ components: [agent] }))).not.toContain('REV')
})

test('says why a revision was not ready while its pods have no reason', () => {
  expect(shown(statusWith({}, REASON))).toContain(`was not ready: ${REASON}`)
  expect(shown(statusWith({ reason: REASON }, REASON))).not.toContain('was not ready')
  expect(shown(statusWith({ state: 'ready' }, REASON))).not.toContain('was not ready')
})
