import type { CatalogSearch } from '../../address/search.ts'
import type { ListedAgent } from './agent-card.tsx'

/** The agents that have the tag, and all of the words in name, description or tags. */
export function matchingAgents(
  agents: readonly ListedAgent[],
  { q = '', tag }: CatalogSearch,
): readonly ListedAgent[] {
  const words = q.toLowerCase().split(/\s+/)
  return agents.filter(({ name, versions: [newest] }) => {
    const { description = '', tags = [] } = newest ?? {}
    if (tag !== undefined && !tags.includes(tag)) return false
    const text = [name, description, ...tags].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
