import { GrpcSender } from './grpc-sender.ts'
import { HttpSender } from './http-sender.ts'
import { changes } from './changes.ts'
import { Ledger, Search } from './ledger.ts'
import { sendAtPace } from './pacer.ts'
import type { Kind, Parts } from './parts.ts'
import { catalogReads, deploymentReads } from './reads.ts'
import { reportOf, type Report } from './report.ts'
import { Stage, type StageOptions } from './stage.ts'
import { Tally } from './tally.ts'
import { traces } from './traces.ts'

/** What is probed. */
export interface ProbeOptions extends StageOptions {
  /** The URL of the ingest over HTTP, without a path. */
  readonly otlpUrl?: string | undefined
  /** host:port of the ingest over gRPC. */
  readonly otlpGrpc?: string | undefined
  /** Whether senders of OTLP retry, as exporters do. */
  readonly retries?: boolean
}

/** The load, and for how long what is missing is looked for. */
export interface Load {
  readonly rate: number
  readonly maxInFlight?: number
  /** Ends the load. */
  readonly signal: AbortSignal
  readonly patienceMs?: number
}

/** A prober whose users and agents are ready. Disposing of it undeploys the agents. */
export class Probe implements AsyncDisposable {
  readonly #options: ProbeOptions
  readonly #stage: Stage
  readonly #sender: HttpSender

  private constructor(options: ProbeOptions, stage: Stage, sender: HttpSender) {
    this.#options = options
    this.#stage = stage
    this.#sender = sender
  }

  /** Signs the users in, and deploys the agents. */
  static async open(options: ProbeOptions): Promise<Probe> {
    const sender = new HttpSender()
    try {
      return new Probe(options, await Stage.open(options, sender), sender)
    } catch (error) {
      sender[Symbol.dispose]()
      throw error
    }
  }

  /** Sends the mixed workload until the signal, then looks for everything that was acknowledged. */
  async run({ rate, maxInFlight = 512, signal, patienceMs = 60_000 }: Load): Promise<Report> {
    const { otlpUrl, otlpGrpc, retries = false } = this.#options
    using stack = new DisposableStack()
    const grpc = otlpGrpc === undefined ? undefined : stack.use(new GrpcSender(otlpGrpc))
    const [stage, sender, tally, ledger] = [this.#stage, this.#sender, new Tally(), new Ledger()]
    const parts: Parts = { stage, sender, tally, ledger, otlpUrl, otlpGrpc: grpc, retries }
    const startedAt = performance.now()
    const heldBack = await sendAtPace(kindsOf(parts), { rate, maxInFlight, signal })
    const seconds = (performance.now() - startedAt) / 1000
    const missing = await ledger.missing(new Search(stage.url, sender, tally), patienceMs)
    return reportOf({ url: this.#options.url, rate, seconds, heldBack, missing, tally })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#stage.close()
    } finally {
      this.#sender[Symbol.dispose]()
    }
  }
}

function kindsOf(parts: Parts): Kind[] {
  const reads = [
    ...catalogReads(parts),
    ...(parts.stage.deployed.length > 0 ? deploymentReads(parts) : []),
  ]
  return [...reads, ...changes(parts), ...traces(parts)]
}
