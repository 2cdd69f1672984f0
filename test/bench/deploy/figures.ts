import { rounded } from '../support/compare.ts'
import { quantile } from '../support/load.ts'
import type { DeployBench } from './system.ts'
import type { Work } from './work.ts'

// The goals of each figure.
const DEPLOY_RATIO_GOAL = 1.2
const VALIDATE_RATIO_GOAL = 0.5
const PER_SECOND_GOAL = 50
const RATE_RATIO_GOAL = 0.8

const LIBRARY = 'the same objects, applied one after another by the client library'
const HTTP = 'the same objects, applied one after another by HTTP over open connections'
const STATE_READS = 200

/**
 * Compares each deploy with applying the same objects, one after another. The order changes each
 * round, because the cluster is busy after each of them.
 */
export async function* sequentialFigures(
  bench: DeployBench,
  work: Work,
  rounds: number,
): AsyncGenerator<object> {
  const { account, options, deployments } = bench
  const deploy = new Timer()
  const library = new Timer()
  const http = new Timer()
  const redeploy = new Timer()
  const libraryAgain = new Timer()
  const httpAgain = new Timer()
  const validate = new Timer()
  const state = new Timer()
  for (const [index, name] of work.names.splice(0, rounds).entries()) {
    let namespace = ''
    const runs = [
      () => deploy.time(() => work.deploy(name)),
      () => library.time(async () => (namespace = await work.applyByLibrary())),
      () => http.time(() => work.applyByHttp()),
    ]
    for (const run of rotate(runs, index)) await run()
    const runsAgain = [
      () => redeploy.time(() => work.deploy(name)),
      () => libraryAgain.time(() => work.applyByLibrary(namespace)),
      () => httpAgain.time(() => work.applyByHttp(namespace)),
    ]
    for (const run of rotate(runsAgain, index)) await run()
    await validate.time(() => work.validate(name))
    await state.time(() => deployments.getDeployment({ account, name }, options))
  }
  for (const [figure, slipway, comparedWith, compared] of [
    ['deploy', deploy, LIBRARY, library],
    ['deploy', deploy, HTTP, http],
    ['redeploy, unchanged', redeploy, LIBRARY, libraryAgain],
    ['redeploy, unchanged', redeploy, HTTP, httpAgain],
  ] as const) {
    const ratio = rounded(slipway.p50() / compared.p50(), 3)
    yield {
      figure,
      compared_with: comparedWith,
      objects: work.objects,
      slipway: slipway.totals(),
      raw: compared.totals(),
      ratio,
      ...(figure === 'deploy' && {
        goal_ratio: DEPLOY_RATIO_GOAL,
        met: ratio <= DEPLOY_RATIO_GOAL,
      }),
    }
  }
  const ratio = rounded(validate.p50() / deploy.p50(), 3)
  yield {
    figure: 'validate',
    compared_with: 'a deploy of the same agent',
    slipway: validate.totals(),
    ratio,
    goal_ratio: VALIDATE_RATIO_GOAL,
    met: ratio <= VALIDATE_RATIO_GOAL,
  }
  yield { figure: 'state read, between deploys', slipway: state.totals() }
}

/** Counts the requests to the API server that a replica makes for state reads. */
export async function stateFigure({
  account,
  options,
  reader,
  deployments,
}: DeployBench): Promise<object> {
  const { deployments: live } = await deployments.listDeployments({ account }, options)
  const names = live.map(({ name }) => name)
  // Waits until the watches are open and no pod changes.
  const until = performance.now() + 30_000
  for (let before = -1; before !== reader.line.sent && performance.now() < until;) {
    before = reader.line.sent
    await reader.deployments.getDeployment({ account, name: names[0] ?? '' }, options)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  const before = reader.line.sent
  const state = new Timer()
  for (let index = 0; index < STATE_READS; index += 1) {
    const name = names[index % names.length] ?? ''
    await state.time(() => reader.deployments.getDeployment({ account, name }, options))
  }
  const requests = reader.line.sent - before
  return {
    figure: 'state read',
    compared_with: 'no call to the cluster',
    slipway: state.totals(),
    reads: STATE_READS,
    api_server_requests: requests,
    goal_api_server_requests: 0,
    met: requests === 0,
  }
}

/** Compares concurrent deploys with concurrent applies by the library, in alternating rounds. */
export async function* concurrentFigures(
  bench: DeployBench,
  work: Work,
  { atOnce, rounds }: { readonly atOnce: number; readonly rounds: number },
): AsyncGenerator<object> {
  const { deployer, catalog } = bench.processes
  const cpu = () => deployer.cpuMs() + catalog.cpuMs()
  const size = Math.floor(work.names.length / rounds)
  const deploy = new Timer()
  const library = new Timer()
  let cpuMs = 0
  for (let round = 0; round < rounds; round += 1) {
    const queue = work.names.splice(0, size)
    const runs = [
      async () => {
        const before = cpu()
        await deploy.many(size, atOnce, () => work.deploy(queue.shift() ?? ''))
        cpuMs += cpu() - before
      },
      () => library.many(size, atOnce, () => work.applyByLibrary()),
    ]
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run()
  }
  const ratio = rounded(deploy.perSecond() / library.perSecond(), 3)
  yield {
    figure: `deploy, ${atOnce} at once`,
    compared_with: `${LIBRARY}, ${atOnce} at once`,
    slipway: {
      ...deploy.totals(),
      per_second: deploy.perSecond(),
      cpu_ms: rounded(cpuMs / (size * rounds), 2),
    },
    raw: { ...library.totals(), per_second: library.perSecond() },
    ratio,
    goal_per_second: PER_SECOND_GOAL,
    goal_ratio: RATE_RATIO_GOAL,
    // One goal is for large machines, the other for small ones.
    met: deploy.perSecond() >= PER_SECOND_GOAL || ratio >= RATE_RATIO_GOAL,
  }
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}

/** Measures the durations of calls. */
class Timer {
  readonly #latencies: number[] = []
  #elapsedMs = 0

  async time(work: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now()
    await work()
    this.#latencies.push(performance.now() - startedAt)
  }

  /** Makes `count` calls, `atOnce` of them concurrently. */
  async many(count: number, atOnce: number, work: () => Promise<unknown>): Promise<void> {
    let left = count
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0) await this.time(work)
      }),
    )
    this.#elapsedMs += performance.now() - startedAt
  }

  p50(): number {
    return this.#at(0.5)
  }

  perSecond(): number {
    return rounded((this.#latencies.length * 1000) / this.#elapsedMs, 2)
  }

  totals() {
    return {
      requests: this.#latencies.length,
      p50_ms: this.#at(0.5),
      p95_ms: this.#at(0.95),
      p99_ms: this.#at(0.99),
    }
  }

  #at(fraction: number): number {
    return rounded(quantile({ latencies: Float64Array.from(this.#latencies).sort() }, fraction), 2)
  }
}
