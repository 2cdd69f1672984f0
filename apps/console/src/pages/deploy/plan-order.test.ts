import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { orderedChanges, orderedFields } from './plan-order.ts'

type Change = Schemas['PlannedChange']

test('has what is rejected first, then what restarts pods', () => {
  const change = (kind: string, action: Change['action'], ...restarts: string[]): Change => ({
    kind,
    name: 'a',
    action,
    restarts,
  })
  const plan = [
    change('ConfigMap', 'create'),
    change('Service', 'change'),
    change('Secret', 'unchanged'),
    change('Deployment', 'change', 'agent'),
    change('CronJob', 'delete'),
    change('Ingress', 'rejected'),
  ]
  expect(orderedChanges(plan).map(({ kind }) => kind)).toEqual([
    'Ingress',
    'Deployment',
    'CronJob',
    'Service',
    'ConfigMap',
  ])
})

test('has images, variables and sizes first, and labels apart', () => {
  const pod = 'spec.template.spec.containers[agent]'
  const { main, metadata } = orderedFields(
    [
      'metadata.labels[slipway.dev/revision]',
      `${pod}.resources.limits.memory`,
      'spec.template.metadata.labels[slipway.dev/template-hash]',
      `${pod}.ports[0].containerPort`,
      `${pod}.env[LEVEL].value`,
      `${pod}.image`,
      'spec.template.metadata.annotations',
    ].map((path) => ({ path })),
  )
  expect(main.map(({ path }) => path.slice(pod.length + 1))).toEqual([
    'image',
    'env[LEVEL].value',
    'resources.limits.memory',
    'ports[0].containerPort',
  ])
  expect(metadata).toHaveLength(3)
})
