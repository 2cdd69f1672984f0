import { expect, test } from 'vitest'

import { mayShareSite } from './shared-site.ts'

test.each([
  ['slipway.example.com', 'agents.example.com', true],
  ['example.com', 'agents.example.com', true],
  ['slipway.example.com', 'example.com', true],
  ['Slipway.Example.com', 'agents.example.COM', true],
  ['slipway.example.com', 'agents.notexample.com', false],
  ['slipway.example.com', 'example-agents.com', false],
  ['localhost', 'localhost', false],
])('%s and agents below %s may share a site: %s', (host, domain, expected) => {
  expect(mayShareSite(host, domain)).toBe(expected)
})
