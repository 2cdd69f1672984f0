import { expect, test } from 'vitest'

import { prepare, specOf } from './support/fixtures.ts'

const spec = specOf(`
models: { large: { provider: ollama } }
ingestion: { g: { container: { image: g:1 }, trigger: { type: manual } } }
`)

test.each([
  ['agent.replcas', 'agent.replicas'],
  ['agent.enviroment.REGION', 'agent.environment.REGION'],
  ['ingestion.g.resorces', 'ingestion.g.resources'],
  ['models.lrge.replicas', 'models.large.replicas'],
])('%s may mean %s', (path, meant) => {
  expect(prepare(spec, { overrides: { [path]: 2 } }).problems).toEqual([
    `overrides.${path}: not an editable path of this agent; did you mean ${meant}?`,
  ])
})
