import type { Schemas } from '@slipway/client'
import { changesNothing } from '@slipway/words/plan'
import { expect, test } from 'vitest'

import { renderPlain } from '../output/render-plain.ts'
import { renderForTerminal } from '../output/render-terminal.ts'
import { imageLines, planView } from './plan-view.ts'

const plan: Schemas['PlannedChange'][] = [
  { kind: 'Secret', name: 'support-agent-agent-1f2e3d', action: 'create' },
  {
    kind: 'Deployment',
    name: 'support-agent-agent',
    action: 'change',
    restarts: ['support-agent-agent-6d5f8c7b9-x2k4p'],
    fields: [
      { path: 'spec.replicas', old: 1, new: 2 },
      { path: 'spec.template.metadata.labels.\u001b[2Jx', new: { a: 'y'.repeat(300) } },
    ],
    omitted_fields: 3,
  },
  { kind: 'Service', name: 'support-agent-agent', action: 'unchanged' },
  { kind: 'Secret', name: 'support-agent-agent-0a0b0c', action: 'delete' },
]

const onTerminal = (columns: number) =>
  planView(plan)
    .filter((block) => block.kind !== 'hint')
    .map((block) => renderForTerminal(block, { columns, color: false }))
    .join('\n')

test('shows what is created, changed and deleted, and what restarts', () => {
  expect(onTerminal(120)).toBe(`\
ACTION  KIND        NAME                        RESTARTS
create  Secret      support-agent-agent-1f2e3d
change  Deployment  support-agent-agent         support-agent-agent-6d5f8c7b9-x2k4p
delete  Secret      support-agent-agent-0a0b0c
Deployment/support-agent-agent
  spec.replicas: 1 → 2
  spec.template.metadata.labels.x: not set → {"a":"${'y'.repeat(114)}…
  and 3 more fields
1 object unchanged`)
})

test('fits 40 columns', () => {
  const [table = ''] = onTerminal(40).split('\nDeployment/')
  expect(table).toBe(`\
ACTION  KIND      NAME          RESTARTS
create  Secret    support-age…
change  Deploym…  support-age…  support…
delete  Secret    support-age…`)
})

test('a pipe gets rows with whole names', () => {
  const [table] = planView(plan)
  expect(table && table.kind !== 'hint' && renderPlain(table)).toBe(
    'ACTION\tKIND\tNAME\tRESTARTS\n' +
      'create\tSecret\tsupport-agent-agent-1f2e3d\t\n' +
      'change\tDeployment\tsupport-agent-agent\tsupport-agent-agent-6d5f8c7b9-x2k4p\n' +
      'delete\tSecret\tsupport-agent-agent-0a0b0c\t',
  )
})

test('a plan without changes says so; an empty one says nothing', () => {
  const unchanged = plan.filter(({ action }) => action === 'unchanged')
  expect([unchanged, plan, []].map(changesNothing)).toEqual([true, false, false])
  expect(planView(unchanged)).toMatchObject([{ lines: [{ text: 'nothing changes: 1 object' }] }])
})

test('names the images that can not be pulled', () => {
  const image = { path: 'agent.image', image: 'r/x:1' }
  expect(
    imageLines([
      { ...image, availability: 'available' },
      { ...image, availability: 'no_access', message: 'it wants other credentials' },
      { ...image, availability: 'unknown' },
    ]),
  ).toMatchObject([
    { text: 'agent.image: it wants other credentials' },
    { text: 'agent.image: r/x:1 is unknown' },
  ])
})

test('counts the objects whose labels name another build, and lists what else changes', () => {
  const label = (path: string) => ({ path, old: 'b1', new: 'b2' })
  const view = planView([
    {
      kind: 'Service',
      name: 'a',
      action: 'change',
      fields: [
        label('metadata.annotations[slipway.dev/build-id]'),
        label('metadata.labels[app.kubernetes.io/version]'),
      ],
    },
    {
      kind: 'Deployment',
      name: 'a',
      action: 'change',
      fields: [
        label('spec.template.metadata.labels[slipway.dev/template-hash]'),
        label('spec.template.spec.containers[agent].image'),
        label('metadata.labels[team]'),
      ],
    },
  ])
  const text = view.map((block) => (block.kind === 'hint' ? '' : renderPlain(block))).join('\n')
  expect(text).toContain(
    'Deployment/a\n' +
      '  spec.template.spec.containers[agent].image: b1 → b2\n' +
      '  metadata.labels[team]: b1 → b2\n' +
      'the labels of 2 objects name another build',
  )
  expect(text).not.toContain('slipway.dev')
})
