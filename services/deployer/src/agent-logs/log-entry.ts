/** A line of a log, or an event of the cluster. */
export interface LogEntry {
  /** Nanoseconds since the epoch. */
  readonly time: bigint
  readonly component: string
  /** In an event, the name of the object. */
  readonly pod: string
  /** Empty in an event. */
  readonly container: string
  readonly text: string
  /** One word of Kubernetes; empty in a line. */
  readonly eventReason: string
}

/** Where lines come from. */
export type LogOrigin = Pick<LogEntry, 'component' | 'pod' | 'container'>

const MAX_LINE_BYTES = 16 * 1024
const NEWLINE = 10
const NANOS_PER_MS = 1_000_000n

/** Parses a line that begins with its time; undefined for other lines, which nodes add. */
export function parseLine(line: string, origin: LogOrigin): LogEntry | undefined {
  const end = line.indexOf(' ')
  const stamp = end < 0 ? line : line.slice(0, end)
  const time = parseTime(stamp)
  return time === undefined
    ? undefined
    : { time, ...origin, text: end < 0 ? '' : line.slice(end + 1), eventReason: '' }
}

/** Converts a time to nanoseconds since the epoch. */
export function nanosOf(time: Date): bigint {
  return BigInt(time.getTime()) * NANOS_PER_MS
}

function parseTime(stamp: string): bigint | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(stamp)
  if (match === null) return undefined
  const [, seconds = '', fraction = '', zone = ''] = match
  const millis = Date.parse(`${seconds}${zone}`)
  return Number.isNaN(millis)
    ? undefined
    : BigInt(millis) * NANOS_PER_MS + BigInt(fraction.padEnd(9, '0'))
}

/** Yields the lines of a log. The rest of a line that is longer than 16 KiB is dropped. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  let isTooLong = false
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      if (!isTooLong) yield rest.toString('utf8', 0, Math.min(end, MAX_LINE_BYTES))
      isTooLong = false
      rest = rest.subarray(end + 1)
    }
    if (rest.length <= MAX_LINE_BYTES) continue
    if (!isTooLong) yield rest.toString('utf8', 0, MAX_LINE_BYTES)
    isTooLong = true
    rest = Buffer.alloc(0)
  }
  if (rest.length > 0 && !isTooLong) yield rest.toString('utf8')
}
