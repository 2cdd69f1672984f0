import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { adviceFor, changeView, endpointsView } from './change-view.ts'

const inside = { name: 'agent-http', type: 'http' as const, url: 'http://notes.acme.svc:8080' }
const outside = { name: 'web', type: 'web' as const, url: 'https://notes.example.com' }
const result: Schemas['DeployResult'] = {
  status: 'success',
  name: 'notes',
  build_id: 'b1',
  k8s_namespace: 'acme-notes',
  deployed_at: '2026-11-22T12:00:00.000Z',
  images: {},
  revision: 1,
  resources: [],
  errors: [],
  service_endpoints: [inside, outside],
}

test('says from where each address can be called', () => {
  expect(endpointsView([inside, outside])).toEqual([
    {
      kind: 'fields',
      fields: [
        ['http', { text: `${inside.url} (inside the cluster)`, plain: inside.url }],
        ['web', { text: `${outside.url} (public)`, plain: outside.url }],
      ],
    },
  ])
  expect(endpointsView([inside])).toHaveLength(2)
})

test('the next commands fit what has happened', () => {
  const rest = 'slipway logs notes, slipway traces notes'
  expect(adviceFor({ status: 'ready', result }, 'notes')).toEqual([`curl ${outside.url}`, rest])
  const odd = { ...result, service_endpoints: [inside, { ...outside, url: 'https://x.y/$(z)' }] }
  expect(adviceFor({ status: 'ready', result: odd }, 'notes')).toEqual([rest])
  expect(adviceFor({ status: 'pending', result }, 'notes')).toEqual([
    'slipway status notes --watch',
    'slipway logs notes',
  ])
})

test('a deploy that is not ready in time says why, as its state does', () => {
  const deployment = {
    reason: 'NotReady: the startup check (GET / on port 8080) has not succeeded yet',
    warnings: ['the cluster did not answer in time'],
    failures: [
      {
        component: 'agent',
        pod: 'notes-agent-1',
        container: 'agent',
        reason: 'Unhealthy',
        message: 'the startup check failed, because nothing listens there',
        log_lines: ['listening on 9090'],
        next: ['Correct `port` in the spec.'],
      },
    ],
  } as unknown as Schemas['Deployment']
  const change = { status: 'pending', account: 'alice', result, deployment } as const
  const shown = JSON.stringify(changeView(change, { flags: {} } as never))
  expect(shown).toContain(deployment.reason)
  expect(shown).toContain('agent, notes-agent-1: Unhealthy: the startup check failed')
  expect(shown).toContain('listening on 9090')
  expect(shown).toContain('`port` in astroai.yml (then slipway push)')
  expect(shown).toContain('the cluster did not answer in time')
})

test('there is nothing to roll back to from the first revision', () => {
  const failed = (revision: number) =>
    adviceFor({ status: 'failed', result: { ...result, revision } }, 'notes')
  expect(failed(1)).toEqual(['slipway logs notes'])
  expect(failed(2)).toEqual(['slipway logs notes, slipway rollback notes'])
})

test('a ready agent whose log says that something is missing', () => {
  const cli = { flags: {} } as never
  const warnings = ['agent: it is ready, but …. Start it, or correct `user_credentials`.']
  const deployment = { warnings } as never
  const change = { status: 'ready', account: 'alice', result, deployment } as const
  const texts = changeView(change, cli).flatMap((block) => ('lines' in block ? block.lines : []))
  expect(texts).toEqual([
    {
      text: 'agent: it is ready, but …. Start it, or correct --env-file or --secrets-from.',
      style: 'bad',
    },
  ])
})
