/** Where the log of a program says that it listens. */
export interface Listening {
  readonly port: number
  /** Whether only the program's own pod reaches it. */
  readonly isLocal: boolean
}

const LISTENS = /\blisten|\b(?:running|started|serving|available|ready|up)\b.*\b(?:on|at|port)\b/i
const TIME = /(?<![\d.])\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?/g
const ADDRESS = /(\[[\d:a-f]*\]|\*|[\w-]+(?:\.[\w-]+)*|):(\d{2,5})\b(?!:)/gi
const PORT = /\bport\b\W{0,4}(\d{2,5})\b|\b(?:on|at) (\d{2,5})\b/i
const LOCAL = /^(?:127\.[\d.]+|localhost|\[::1\])$/i
const LARGEST = 65_535

/** Returns what the last line of a log that names an own address says; undefined without one. */
export function listeningIn(logLines: readonly string[]): Listening | undefined {
  const found = logLines
    .filter((line) => LISTENS.test(line))
    .map((line) => line.replaceAll(TIME, ''))
    .flatMap((line) => addressIn(line) ?? [])
  return found.findLast(({ port }) => port <= LARGEST)
}

function addressIn(line: string): Listening | undefined {
  const [address] = [...line.matchAll(ADDRESS)].filter(([, host = '']) => !/^\d+$/.test(host))
  const [, word, number] = PORT.exec(line) ?? []
  const port = address?.[2] ?? word ?? number
  if (port === undefined) return undefined
  const host = address?.[1] ?? /\b127\.[\d.]+\b|\blocalhost\b/i.exec(line)?.[0] ?? ''
  return { port: Number(port), isLocal: LOCAL.test(host) }
}
