import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AgentSchema } from '@slipway/proto/slipway/catalog/v1/agent'
import { expect, test } from 'vitest'

import { agentJson, agentListJson } from './mapping.ts'

const at = timestampFromDate(new Date('2026-11-21T12:00:00.123Z'))
const agent = create(AgentSchema, {
  account: 'alice',
  name: 'bot',
  registry: 'oci://r.example/"x"',
  versions: [
    {
      buildId: 'b2',
      specJson: '{"name":"bot","nested":{"list":[1,"two"]}}',
      readme: '# "Bot"\n',
      registerTime: at,
      validationWarnings: [{ field: 'agent', message: 'has no image' }],
    },
    {
      buildId: 'b1',
      version: '1.0.0',
      specJson: '{}',
      readme: '',
      publishTime: at,
      yanked: true,
      imageDigests: { 'r.example/bot:1': 'sha256:a1' },
    },
  ],
})

test('renders an agent with the members of the API contract', () => {
  expect(JSON.parse(agentJson(agent))).toEqual({
    account: 'alice',
    name: 'bot',
    registry: 'oci://r.example/"x"',
    versions: [
      {
        build_id: 'b2',
        spec: { name: 'bot', nested: { list: [1, 'two'] } },
        readme: '# "Bot"\n',
        registered_at: '2026-11-21T12:00:00.123Z',
        validation_warnings: [{ field: 'agent', message: 'has no image' }],
      },
      {
        build_id: 'b1',
        version: '1.0.0',
        spec: {},
        readme: '',
        image_digests: { 'r.example/bot:1': 'sha256:a1' },
        yanked: true,
        published_at: '2026-11-21T12:00:00.123Z',
      },
    ],
  })
})

test('omits the fields that the catalog omits from large agent details', () => {
  const versions = [
    { buildId: 'b2', specJson: '{}', readme: '', registerTime: at },
    { buildId: 'b1', registerTime: at },
  ]
  const bounded = create(AgentSchema, { account: 'alice', name: 'bot', versions })
  const registered_at = '2026-11-21T12:00:00.123Z'
  expect(JSON.parse(agentJson(bounded)).versions).toEqual([
    { build_id: 'b2', spec: {}, readme: '', registered_at, validation_warnings: [] },
    { build_id: 'b1', registered_at },
  ])
  // Lists have warnings even without specs, which are only included on request.
  const { agents } = JSON.parse(agentListJson({ agents: [bounded], nextPageToken: '' }))
  expect(agents[0].versions[1]).toEqual({
    build_id: 'b1',
    tags: [],
    registered_at,
    validation_warnings: [],
  })
})

test('renders a page with its count and the cursor of the next page', () => {
  const listed = create(AgentSchema, {
    account: 'a',
    name: 'b',
    versions: [{ buildId: '1', description: 'A bot', tags: ['x'] }],
  })
  expect(
    JSON.parse(agentListJson({ agents: [listed, listed], nextPageToken: 'next' })),
  ).toMatchObject({
    agents: [{ versions: [{ build_id: '1', description: 'A bot', tags: ['x'] }] }, {}],
    count: 2,
    next_cursor: 'next',
  })
  expect(agentListJson({ agents: [], nextPageToken: '' })).toBe('{"agents":[],"count":0}')
  const bare = create(AgentSchema, { account: 'a', name: 'b', versions: [{ buildId: '1' }] })
  expect(agentListJson({ agents: [bare], nextPageToken: '' })).toContain(
    '"versions":[{"build_id":"1","tags":[]}]',
  )
})

test('marks an agent that has more versions than listed', () => {
  expect(
    JSON.parse(agentJson(create(AgentSchema, { ...agent, hasMoreVersions: true }))),
  ).toMatchObject({
    versions: [{ build_id: 'b2' }, { build_id: 'b1' }],
    has_more_versions: true,
  })
  expect(agentJson(agent)).not.toContain('has_more_versions')
})
