import { expect, test } from 'vitest'
import { repositoryOf } from './agent-image.ts'

test.each([
  ['support-agent', 'support-agent', 'support-agent-ingest'],
  ['My agent_2', 'my-agent-2', 'my-agent-2-ingest'],
  ['@scope', 'scope', 'scope-ingest'],
  ['-rf', 'rf', 'rf-ingest'],
  ['.hidden', 'hidden', 'hidden-ingest'],
  ['日本語', 'agent-77710aed', 'agent-77710aed-ingest'],
  ['__', 'agent-9911f4d2', 'agent-9911f4d2-ingest'],
])('the images of the folder %s have a name that registries take', (folder, agent, ingest) => {
  expect([repositoryOf(folder, 'agent'), repositoryOf(folder, 'ingest')]).toEqual([agent, ingest])
})

test('names of long folders are cut, and differ', () => {
  const long = 'a'.repeat(200)
  const names = [repositoryOf(`${long}1`, 'agent'), repositoryOf(`${long}2`, 'agent')]
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name).toMatch(/^a{141}-[0-9a-f]{8}$/)
})
