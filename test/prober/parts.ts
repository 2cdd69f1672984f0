import type { GrpcSender } from './grpc-sender.ts'
import type { HttpSender, Sent } from './http-sender.ts'
import type { Ledger } from './ledger.ts'
import type { Outcome } from './outcome.ts'
import type { Stage } from './stage.ts'
import type { Tally } from './tally.ts'

/** A kind of request, and its share of the rate: about how many of 200 are of this kind. */
export interface Kind {
  readonly name: string
  readonly share: number
  /** Sends one request, and what follows from it. */
  send(): Promise<void>
}

/** What the workload needs. */
export interface Parts {
  readonly stage: Stage
  readonly sender: HttpSender
  readonly tally: Tally
  readonly ledger: Ledger
  /** The URL of the ingest over HTTP, without a path. */
  readonly otlpUrl: string | undefined
  readonly otlpGrpc: GrpcSender | undefined
  /** Whether senders of OTLP retry, as exporters do. */
  readonly retries: boolean
}

/** Sends a request to the API and counts the outcome. */
export async function call(
  { stage, sender, tally }: Parts,
  kind: string,
  { path, ...sent }: Omit<Sent, 'url'> & { readonly path: string },
): Promise<Outcome> {
  const sentAt = performance.now()
  const outcome = await sender.send({ ...sent, url: `${stage.url}${path}` })
  tally.count(kind, sentAt, outcome)
  return outcome
}
