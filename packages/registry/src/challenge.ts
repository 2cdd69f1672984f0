/** What a registry wants in the header `Authorization`, from its `WWW-Authenticate`. */
export interface Challenge {
  readonly scheme: 'basic' | 'bearer'
  readonly parameters: Readonly<Record<string, string>>
}

const SCHEME = /(?:^|,\s*)(basic|bearer)(?=\s|,|$)/gi
// Only at the start of a word: otherwise, a long word would be tried from each of its letters.
const PARAMETER = /(?<![a-z_])([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi

/**
 * Returns the challenge of a `WWW-Authenticate` header that this client can meet, Bearer before
 * Basic; undefined if there is none.
 */
export function parseChallenge(header: string | null): Challenge | undefined {
  const text = header ?? ''
  const starts = [...text.matchAll(SCHEME)]
  const challenges = starts.map((start, index): Challenge => {
    const end = starts[index + 1]?.index ?? text.length
    const parameters = [...text.slice(start.index, end).matchAll(PARAMETER)].map(
      ([, name = '', quoted, bare = '']) =>
        [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? bare] as const,
    )
    return {
      scheme: start[1]?.toLowerCase() === 'bearer' ? 'bearer' : 'basic',
      parameters: Object.fromEntries(parameters),
    }
  })
  return (
    challenges.find(({ scheme, parameters }) => scheme === 'bearer' && 'realm' in parameters) ??
    challenges.find(({ scheme }) => scheme === 'basic')
  )
}
