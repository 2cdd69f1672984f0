import { expect, test } from 'vitest'
import { customKindSchemas, kindSchemas } from './kind-schemas.ts'

const gvk = (group: string, kind: string) => ({ group, version: 'v1', kind })
const components = {
  'api.Pod': {
    description: 'A pod',
    type: 'object',
    properties: { spec: { allOf: [{ $ref: '#/components/schemas/api.PodSpec' }], default: {} } },
    'x-kubernetes-group-version-kind': [gvk('', 'Pod')],
  },
  'api.PodSpec': {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Its name' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      parts: { type: 'array', items: { type: 'object', properties: {} } },
    },
  },
  'api.Other': { type: 'string' },
  'api.DeleteOptions': {
    type: 'object',
    'x-kubernetes-group-version-kind': [gvk('', 'DeleteOptions'), gvk('apps', 'DeleteOptions')],
  },
}

test('returns a schema for each kind, with what it refers to', () => {
  const schemas = { 'api.Pod': expect.anything(), 'api.PodSpec': expect.anything() }
  expect(kindSchemas(components)).toEqual([
    {
      file: 'v1/v1/pod.json',
      schema: { $ref: '#/components/schemas/api.Pod', components: { schemas } },
    },
  ])
})

test('refuses unknown fields at every level, but not in maps', () => {
  const spec = {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      parts: {
        type: 'array',
        items: { type: 'object', properties: {}, additionalProperties: false },
      },
    },
  }
  expect(kindSchemas(components)[0]).toMatchObject({
    schema: { components: { schemas: { 'api.PodSpec': spec } } },
  })
})

test('names the file of a custom resource after its group, version and kind', () => {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const versions = [{ name: 'v1', schema: { openAPIV3Schema } }]
  const spec = { group: 'monitoring.coreos.com', names: { kind: 'ServiceMonitor' }, versions }
  expect(customKindSchemas({ spec })).toEqual([
    { file: 'monitoring.coreos.com/v1/servicemonitor.json', schema: openAPIV3Schema },
  ])
})
