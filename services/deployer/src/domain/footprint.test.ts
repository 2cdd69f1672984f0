import {
  buildTemplate,
  defaultTemplateSettings,
  parseSpec,
  type DeploymentTemplate,
} from '@slipway/agent-spec'
import { expect, test } from 'vitest'

import { componentsOf, sumAmounts, withConfig } from './footprint.ts'

const GIB = 1024 ** 3
const NONE = { storage_bytes: 0, config_bytes: 0, gpus: 0 }
const SPEC = `
spec: astro/v1
name: full
agent: { image: registry.example/agent:1 }
models:
  llm: { provider: ollama, model: llama3 }
knowledge:
  docs: { provider: qdrant, persistent: true }
ingestion:
  docs: { container: { image: registry.example/ingest:1 }, trigger: { type: manual } }
`

function template(): DeploymentTemplate {
  const settings = defaultTemplateSettings()
  const source = { account: 'a', name: 'full', build: 'b1', registry: 'oci://registry.example' }
  return buildTemplate({ spec: parseSpec(SPEC).spec, source, settings })
}

test('a component counts with the limits of all of its replicas', () => {
  const filled = template()
  filled.agent.replicas = 3
  filled.agent.resources.limits = { cpu: '1.5', memory: '512Mi' }
  expect(componentsOf(filled)).toEqual({
    agent: { pods: 3, cpu: 4500, memory_bytes: 1.5 * GIB, ...NONE },
    'model-llm': { pods: 1, cpu: 4000, memory_bytes: 16 * GIB, ...NONE, gpus: 1 },
    'knowledge-docs': {
      pods: 1,
      cpu: 1000,
      memory_bytes: GIB,
      ...NONE,
      storage_bytes: 10 * GIB,
    },
    'ingestion-docs': { pods: 1, cpu: 500, memory_bytes: GIB / 2, ...NONE },
  })
})

test('enormous amounts add up to a number that can be stored', () => {
  const filled = template()
  filled.agent.resources.limits = { cpu: '9e99', memory: '9e99' }
  const { cpu, memory_bytes } = sumAmounts(Object.values(componentsOf(filled)))
  expect([cpu, memory_bytes]).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
})

test('a component without replicas counts as one pod, because it has other objects', () => {
  const filled = template()
  filled.agent.replicas = 0
  expect(componentsOf(filled)['agent']).toMatchObject({ pods: 1, cpu: 0, memory_bytes: 0 })
})

test('variables count with the component that has them', () => {
  const counted = withConfig(componentsOf(template()), { agent: 5, 'knowledge-docs': 7 })
  expect(counted['agent']).toMatchObject({ pods: 1, config_bytes: 5 })
  expect(sumAmounts(Object.values(counted))).toMatchObject({ pods: 4, config_bytes: 12 })
})

test('what an older release has stored counts as nothing where it lacks an amount', () => {
  const { config_bytes: _, ...older } = sumAmounts(Object.values(componentsOf(template())))
  expect(sumAmounts([older, older])).toMatchObject({ pods: 8, config_bytes: 0 })
})
