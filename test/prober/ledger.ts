import { setTimeout as delay } from 'node:timers/promises'

import type { HttpSender } from './http-sender.ts'
import { problemOf } from './outcome.ts'
import type { Build, DeployedAgent, Person } from './stage.ts'
import type { Tally } from './tally.ts'

/** The largest page of traces that the API has. */
const PAGE = 500
const MAX_OFFSET = 100_000
/** The deployer keeps as many. */
const KEPT_REVISIONS = 100
const PAUSE_MS = 1_000

/** An agent, by its path in the API. */
interface AgentWrites {
  readonly person: Person
  readonly name: string
  /** Versions by build; undefined: only registered. */
  readonly builds: Map<string, string | undefined>
  /** Builds by revision. */
  readonly revisions: Map<number, string>
  readonly traces: Set<string>
}

/** Remembers what was acknowledged, and looks for it. */
export class Ledger {
  readonly #agents = new Map<string, AgentWrites>()

  registered({ person, name, buildId }: Build): void {
    this.#agent(person, name).builds.set(buildId, undefined)
  }

  published({ person, name, buildId }: Build, version: string): void {
    this.#agent(person, name).builds.set(buildId, version)
  }

  deployed({ person, name, buildId }: Build, revision: number): void {
    this.#agent(person, name).revisions.set(revision, buildId)
  }

  traced({ person, name }: DeployedAgent, traceId: string): void {
    this.#agent(person, name).traces.add(traceId)
  }

  /**
   * Looks for everything that was acknowledged, until it is found or the time is over. Returns what
   * is missing, in words.
   */
  async missing(search: Search, patienceMs: number): Promise<string[]> {
    const until = performance.now() + patienceMs
    const all: string[] = []
    for (const agent of this.#agents.values()) {
      let missing = await this.#missingOf(agent, search)
      while (missing.length > 0 && performance.now() < until) {
        await delay(PAUSE_MS)
        missing = await this.#missingOf(agent, search)
      }
      all.push(...missing)
    }
    return all
  }

  async #missingOf(agent: AgentWrites, search: Search): Promise<string[]> {
    const path = `/agents/${agent.person.account}/${agent.name}`
    const token = await agent.person.token()
    const get: Get = async (rest) => await search.get(`${path}${rest}`, token)
    const missing = [
      ...(await missingBuilds(agent, get)),
      ...(await missingDeploys(agent, get)),
      ...(await missingTraces(agent, get)),
    ]
    return missing.map((what) => `${path}: ${what}`)
  }

  #agent(person: Person, name: string): AgentWrites {
    const key = `${person.account}/${name}`
    const known = this.#agents.get(key) ?? {
      person,
      name,
      builds: new Map(),
      revisions: new Map(),
      traces: new Set(),
    }
    this.#agents.set(key, known)
    return known
  }
}

/** Reads what is below the path of an agent; undefined unless the answer is a success. */
type Get = (rest: string) => Promise<unknown>

async function missingBuilds({ builds }: AgentWrites, get: Get): Promise<string[]> {
  if (builds.size === 0) return []
  const { versions } = ((await get('')) ?? { versions: [] }) as {
    readonly versions: readonly { readonly build_id: string; readonly version?: string }[]
  }
  const found = new Map(versions.map((each) => [each.build_id, each.version]))
  return [...builds].flatMap(([buildId, version]) => {
    const isPublished = version === undefined || found.get(buildId) === version
    return [
      ...(found.has(buildId) ? [] : [`register of ${buildId}`]),
      ...(isPublished ? [] : [`publish of ${buildId} as ${version}`]),
    ]
  })
}

async function missingDeploys({ revisions: deployed }: AgentWrites, get: Get): Promise<string[]> {
  if (deployed.size === 0) return []
  const { revisions } = ((await get('/deployment/revisions?limit=1000')) ?? { revisions: [] }) as {
    readonly revisions: readonly { readonly revision: number; readonly build_id: string }[]
  }
  const found = new Map(revisions.map((each) => [each.revision, each.build_id]))
  // The oldest of many revisions are deleted.
  const oldest = revisions.length < KEPT_REVISIONS ? 0 : Math.min(...found.keys())
  const missing = [...deployed].flatMap(([revision, buildId]) =>
    revision < oldest || found.get(revision) === buildId
      ? []
      : `deploy of ${buildId} as revision ${revision}`,
  )
  const { state = 'unknown' } = ((await get('/deployment')) ?? {}) as { readonly state?: string }
  return state === 'ready' ? missing : [...missing, `the deployment is ${state}, not ready`]
}

async function missingTraces({ traces }: AgentWrites, get: Get): Promise<string[]> {
  const found = new Set<string>()
  for (let offset = 0; traces.size > 0 && offset <= MAX_OFFSET; offset += PAGE) {
    const page = await get(`/observability/traces?limit=${PAGE}&offset=${offset}`)
    const { traces: some, total } = (page ?? { traces: [], total: 0 }) as {
      readonly traces: readonly { readonly trace_id: string }[]
      readonly total: number
    }
    for (const { trace_id: id } of some) found.add(id)
    if (offset + PAGE >= total) break
  }
  return [...traces].filter((id) => !found.has(id)).map((id) => `trace ${id}`)
}

/** Reads for the search, which count as the kind `check`. */
export class Search {
  readonly #url: string
  readonly #sender: HttpSender
  readonly #tally: Tally

  constructor(url: string, sender: HttpSender, tally: Tally) {
    this.#url = url
    this.#sender = sender
    this.#tally = tally
  }

  /** Returns a body; undefined unless the answer is a success. */
  async get(path: string, token: string): Promise<unknown> {
    const sentAt = performance.now()
    const outcome = await this.#sender.send({ method: 'GET', url: `${this.#url}${path}`, token })
    const isAbsent = 'status' in outcome && outcome.status === 404
    if (!isAbsent) this.#tally.count('check', sentAt, outcome)
    return 'status' in outcome && problemOf(outcome) === undefined ? outcome.body : undefined
  }
}
