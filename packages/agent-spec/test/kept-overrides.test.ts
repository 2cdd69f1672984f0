import { describe, expect, test } from 'vitest'

import type { JsonValue, PreviousValues } from '../src/index.ts'
import { prepare, specOf } from './support/fixtures.ts'

const spec = specOf(`
agent: { image: a:1, port: 80 }
knowledge: { cache: { container: { image: c:1 } } }
`)

function override(overrides: Record<string, JsonValue>, previous?: PreviousValues) {
  return prepare(spec, { overrides, ...(previous ? { previous } : {}) })
}

describe('overrides over several deploys', () => {
  test('stay until they are changed or removed', () => {
    const first = override({ 'agent.replicas': 2, 'agent.expose.enabled': true }).filled.values
    const second = override({ 'agent.replicas': null }, first).filled
    expect(second.values.overrides).toEqual({ 'agent.expose.enabled': true })
    expect(second.template.agent).toMatchObject({ replicas: 1, expose: { enabled: true } })
  })

  test('are replaced by a mapping above them, as far as it sets them', () => {
    const limits = 'agent.resources.limits'
    const first = { [`${limits}.cpu`]: '4', [`${limits}.memory`]: '2Gi', 'agent.replicas': 2 }
    const kept = override(first).filled.values
    const { template, values } = override({ [limits]: { cpu: '2' } }, kept).filled
    expect(template.agent.resources.limits).toEqual({ cpu: '2', memory: '2Gi' })
    expect(values.overrides).toEqual({
      'agent.replicas': 2,
      [limits]: { cpu: '2' },
      [`${limits}.memory`]: '2Gi',
    })
  })

  test('are dropped if the new build has no such path', () => {
    const kept = {
      'models.gone.replicas': 2,
      'knowledge.cache.storage': { size: '1Gi' },
      'agent.replicas': 2,
    }
    const previous = {
      credentialKeys: [],
      extraCredentialKeys: [],
      interfaces: [],
      schedules: {},
      overrides: kept,
    }
    const { filled, problems } = override({}, previous)
    expect(problems).toEqual([])
    expect(filled.values.overrides).toEqual({ 'agent.replicas': 2 })
  })
})
