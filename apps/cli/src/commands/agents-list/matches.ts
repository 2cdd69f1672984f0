/** What can be searched. */
export interface Searchable {
  readonly account: string
  readonly name: string
  readonly description?: string
  readonly tags: readonly string[]
}

/** Whether an agent has the tag and all words of a query, as the server's search of the catalog. */
export function matches(agent: Searchable, query: string, tag: string | undefined): boolean {
  const { account, name, description = '', tags } = agent
  if (tag !== undefined && !tags.includes(tag)) return false
  const text = [account, name, description, ...tags].join('\n').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
