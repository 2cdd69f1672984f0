import { expect, test } from 'vitest'

import { readTemplate } from './read-template.ts'

test('reads credentials, inputs, settings, schedules and adapters', () => {
  const form = readTemplate({
    source: { account: 'alice', name: 'helper', build: 'b1' },
    agent: {
      replicas: 2,
      resources: { limits: { cpu: '1' } },
      environment: { LEVEL: 'info' },
      inputs: ['LEVEL'],
      expose: { enabled: false },
    },
    knowledge: { docs: { replicas: 1, storage: { size: '10Gi' } } },
    ingestion: {
      load: { trigger: { type: 'schedule', schedule: '' } },
      once: { trigger: { type: 'manual' } },
    },
    interfaces: { adapters: [], available_adapters: ['web'] },
    credentials: {
      TOKEN: { value: '', description: 'A token' },
      MODE: { value: '', description: '', optional: true, secret: false, default: 'fast' },
    },
    editable: ['agent.replicas'],
  })
  expect(form.build).toBe('b1')
  expect(form.credentials).toEqual([
    { key: 'TOKEN', description: 'A token', isRequired: true, isSecret: true },
    { key: 'MODE', description: '', isRequired: false, isSecret: false, fallback: 'fast' },
    {
      key: 'LEVEL',
      description: 'Input of agent',
      isRequired: false,
      isSecret: false,
      fallback: 'info',
    },
  ])
  expect(form.parts.map(({ path, settings }) => [path, settings.map((each) => each.path)])).toEqual(
    [
      ['agent', ['agent.replicas', 'agent.resources.limits.cpu', 'agent.expose.enabled']],
      ['knowledge.docs', ['knowledge.docs.replicas', 'knowledge.docs.storage.size']],
      ['ingestion.load', []],
      ['ingestion.once', []],
    ],
  )
  expect([form.schedules, form.adapters, form.editable]).toEqual([
    ['load'],
    ['web'],
    ['agent.replicas'],
  ])
})

test('reads a template that has other parts than it knows', () => {
  expect(readTemplate({ agent: 'new', models: [], credentials: null })).toEqual({
    build: '',
    credentials: [],
    parts: [{ path: 'agent', settings: [] }],
    schedules: [],
    adapters: [],
    editable: [],
  })
})
