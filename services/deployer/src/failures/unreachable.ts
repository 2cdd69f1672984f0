/** A service that a program could not reach, by its log. */
export interface Unreachable {
  /** Its host and port, or one of them; empty if the log doesn't say. */
  readonly address: string
  /** Why, in words; empty if the log doesn't say. */
  readonly why: string
  readonly line: string
}

/**
 * What libraries and operating systems write, and what it means. Codes stand alone:
 * `ModuleNotFoundError` has ENOTFOUND in it.
 */
const WHYS: readonly (readonly [RegExp, string])[] = [
  [
    /\bECONNREFUSED\b|connection refused|ConnectionRefused|Connect call failed/i,
    'nothing listens there',
  ],
  [
    /\b(?:ENOTFOUND|EAI_AGAIN)\b|no such host|name or service not known|name resolution/i,
    'there is no such name',
  ],
  [
    /UnknownHost|nodename nor servname|could not (?:resolve|translate) host|getaddrinfo failed/i,
    'there is no such name',
  ],
  [
    /\b(?:ETIMEDOUT|CONNECT_TIMEOUT)\b|ConnectTimeout|ServerSelectionTimeout|i\/o timeout/i,
    'it did not answer in time',
  ],
  [/connect(?:ion)?(?: attempt)? timed? ?out/i, 'it did not answer in time'],
  [
    /\b(?:EHOSTUNREACH|ENETUNREACH)\b|no route to host|network is unreachable/i,
    'no network leads there',
  ],
  [/APIConnectionError|connection attempts failed|NoBrokersAvailable/i, ''],
  [/(?:can(?:no|')t|could not|unable to|failed to|error) connect(?:ing)? to/i, ''],
]
/** Forms of an address: its host, and its port if it has one. */
const ADDRESSES: readonly RegExp[] = [
  /host='([^']+)', port='?(\d+)/,
  /\(host: "?([\w.-]+)"?, port: (\d+)\)/,
  /server at "([^"]+)"[^,]*, port (\d+)/,
  /\('([\w.:-]+)', (\d{1,5})/,
  /lookup ([\w.-]+)(?: on \S+)?: no such host/,
  /(?:ENOTFOUND|EAI_AGAIN|UnknownHostException:) ([\w.-]+)/,
  /(?:host ?name|host) "([^"]+)"/,
  /(?<![\w.:/])((?:[a-z0-9][\w-]*\.)*[a-z0-9][\w-]*|\[[\da-f:]+\]|::1):(\d{2,5})\b(?!:\d)/i,
  /\/\/(?:[^\s/@]*@)?((?:[a-z0-9][\w-]*\.)*[a-z0-9][\w-]*):(\d{2,5})\b/i,
]
/** A time or a line of a source looks like an address. */
const NO_HOST = /^\d+$|\.(?:py|m?js|c?js|m?ts|tsx|go|rs|java|kt|rb|cs|php)$/i
const MOST_TEXT = 300

/** Finds what a log says last about a service that can't be reached, with its address if it can. */
export function unreachableIn(logLines: readonly string[]): Unreachable | undefined {
  const found = logLines.flatMap((line) => lineOf(line) ?? [])
  return found.findLast(({ address }) => address !== '') ?? found.at(-1)
}

function lineOf(line: string): Unreachable | undefined {
  const [, why] = WHYS.find(([pattern]) => pattern.test(line)) ?? []
  if (why === undefined) return undefined
  const [host, port] = addressIn(line)
  return {
    address: [host, port].filter(Boolean).join(':'),
    why,
    line: line.trim().slice(0, MOST_TEXT).toWellFormed(),
  }
}

function addressIn(line: string): string[] {
  for (const pattern of ADDRESSES)
    for (const [, host = '', port = ''] of line.matchAll(new RegExp(pattern, 'gi')))
      if (!NO_HOST.test(host)) return [host, port]
  return []
}
