import { compare } from '../domain/compare.ts'
import { cutToBytes } from '../domain/text.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { withBorrowed } from './borrowed-facts.ts'
import { readFewDetails, readPageRuns } from './few-details.ts'
import { readManyDetails, readManyOrders } from './many-details.ts'
import { bigintOf, numberOf, textOf } from './query-rows.ts'
import type { Run } from './run.ts'
import { ownerParameters, traceTail } from './spans-sql.ts'
import { toFacts, type TraceFacts } from './trace-facts.ts'

/** The details of a trace in a list. */
export interface TraceDetails extends TraceFacts {
  readonly name: string
  readonly isError: boolean
  readonly durationNs: bigint
  readonly input: string
  readonly output: string
}

/** The traces of a page: their roots, and when the first and last of their spans started. */
export interface PageTraces {
  readonly roots: readonly { readonly traceId: string; readonly rootSpanId: string }[]
  /** The same traces, if they are known. */
  readonly runs?: readonly Run[] | undefined
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
}

/** A response has at most 16 MiB on the wire. */
const MAX_TEXT_BYTES = 12 * 1024 * 1024

/** Returns the traces of a page that are known. */
export function tracesOfRuns(runs: readonly Run[]): PageTraces {
  return {
    roots: runs,
    runs,
    firstStartNs: runs.map(({ firstStartNs }) => firstStartNs).toSorted(compare)[0] ?? 0n,
    lastStartNs:
      runs
        .map(({ lastStartNs }) => lastStartNs)
        .toSorted(compare)
        .at(-1) ?? 0n,
  }
}

/** Returns the details of the traces of a page, by trace id. */
export async function readPageDetails(
  reader: TraceReader,
  owner: TracedAgent,
  { roots, runs, firstStartNs, lastStartNs }: PageTraces,
): Promise<ReadonlyMap<string, TraceDetails>> {
  if (roots.length === 0) return new Map()
  const parameters = {
    ...ownerParameters(owner),
    firstStartNs,
    lastStartNs,
    traceIds: roots.map(({ traceId }) => traceId),
    roots: roots.map(({ traceId, rootSpanId }) => traceId + rootSpanId),
    tails: roots.map(({ traceId }) => traceTail(traceId)),
  }
  const spansOfRoots = new Map(roots.map(({ traceId, rootSpanId }) => [traceId, rootSpanId]))
  const read = runs ?? (await readPageRuns(reader, spansOfRoots, parameters))
  const few = read && (await readFewDetails(reader, read, parameters))
  const found = few ?? (await readManyDetails(reader, parameters))
  const readOrders = async () => few ?? (await readManyOrders(reader, parameters))
  const rows = await withBorrowed(reader, owner, found, readOrders)
  const texts = rows.map((row) => ({
    input: textOf(row, 'input_text'),
    output: textOf(row, 'output_text'),
  }))
  const fitted = fitTexts(texts)
  const facts = await toFacts(reader, owner, rows)
  return new Map(
    facts.map((own, index) => {
      const row = rows[index] ?? {}
      const details = {
        ...own,
        name: textOf(row, 'root_name'),
        isError: numberOf(row, 'is_failed') > 0,
        durationNs: bigintOf(row, 'root_duration'),
        ...(fitted[index] ?? { input: '', output: '' }),
      }
      return [textOf(row, 'trace'), details]
    }),
  )
}

type Texts = Pick<TraceDetails, 'input' | 'output'>

/** Truncates all texts to an equal share if their total size exceeds the limit of a response. */
function fitTexts(texts: readonly Texts[]): readonly Texts[] {
  const total = texts.reduce(
    (sum, { input, output }) => sum + Buffer.byteLength(input) + Buffer.byteLength(output),
    0,
  )
  if (total <= MAX_TEXT_BYTES) return texts
  const share = Math.floor(MAX_TEXT_BYTES / texts.length / 2)
  return texts.map(({ input, output }) => ({
    input: cutToBytes(input, share),
    output: cutToBytes(output, share),
  }))
}
