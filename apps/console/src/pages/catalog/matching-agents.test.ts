import { expect, test } from 'vitest'

import type { ListedAgent } from './agent-card.tsx'
import { matchingAgents } from './matching-agents.ts'

function agent(name: string, description: string, tags: string[]): ListedAgent {
  const registry = 'registry.example'
  return { account: 'alice', name, registry, versions: [{ build_id: 'b1', description, tags }] }
}

const agents = [
  agent('support', 'Answers questions', ['chat']),
  agent('billing', 'Answers about invoices', ['chat', 'money']),
  { ...agent('empty', '', []), versions: [] },
]

test.each([
  [{}, ['support', 'billing', 'empty']],
  [{ q: 'answers' }, ['support', 'billing']],
  [{ q: ' INVOICES money ' }, ['billing']],
  [{ q: 'support invoices' }, []],
  [{ tag: 'chat', q: 'quest' }, ['support']],
  [{ tag: 'cha' }, []],
])('finds agents for %j', (search, names) => {
  expect(matchingAgents(agents, search).map(({ name }) => name)).toEqual(names)
})
