import { formsOf } from './redact-forms.ts'
import { merged, SecretSearch } from './redact-search.ts'
import { replaceRanges } from './redact.ts'

/** A line that is longer is passed on in parts. */
const MAX_LINE = 64 * 1024
const TIME = /(?:^|\n)\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g

/** What a log is redacted with. */
export interface LogRedaction {
  readonly values: readonly string[]
  /** Whether each line begins with its time, which stays. */
  readonly timestamps: boolean
  /** A log of this length has been cut, so its last line may end within a value. */
  readonly limitBytes: number
}

/**
 * Redacts secret values from a log, as redactSecrets does from a text that is never truncated. It
 * passes on whole lines, and what isn't UTF-8 as it is.
 */
export async function* redactLog(
  log: AsyncIterable<Uint8Array>,
  { values, timestamps, limitBytes }: LogRedaction,
): AsyncGenerator<Uint8Array> {
  const search = new SecretSearch(formsOf(values))
  const { longest } = search
  let isStart = true
  const encode = (text: string, isEnd = false): Buffer => {
    // A short value doesn't change times.
    const searched = timestamps ? text.replace(TIME, ({ length }) => '\0'.repeat(length)) : text
    const ranges = [...search.rangesIn(searched, { isWhole: true })]
    if (isStart) {
      // The runtime breaks long lines, so the last lines of a log may begin within a value.
      const start = timestamps ? (/^\0* ?/.exec(searched)?.[0].length ?? 0) : 0
      ranges.push([start, start + search.endIn(searched.slice(start))])
    }
    isStart = false
    const cut = isEnd ? search.rangesIn(searched, { isWhole: false }).at(-1) : undefined
    if (cut?.[1] === text.length) ranges.push(cut)
    return Buffer.from(replaceRanges(text, merged(ranges)), 'latin1')
  }
  let rest = ''
  let bytes = 0
  for await (const chunk of log) {
    // An empty chunk shows that the log is open.
    if (chunk.length === 0) yield chunk
    bytes += chunk.length
    rest += Buffer.from(chunk).toString('latin1')
    const end = rest.lastIndexOf('\n') + 1
    if (end > 0) yield encode(rest.slice(0, end))
    rest = rest.slice(end)
    if (rest.length <= MAX_LINE + longest) continue
    const length = cutOf(rest, search, rest.length - longest)
    yield encode(rest.slice(0, length))
    rest = rest.slice(length)
  }
  if (rest !== '' && bytes < limitBytes) yield encode(rest, true)
}

/** Where a long line can be cut, at `wanted` or near it, so that no value is cut. */
function cutOf(text: string, search: SecretSearch, wanted: number): number {
  const across = search
    .rangesIn(text, { isWhole: true })
    .find(([start, end]) => start < wanted && wanted < end)
  return across?.[1] ?? wanted
}
