import { compare, compareAtHalfLoad, type Contender } from '../support/compare.ts'
import type { RequestMaker } from '../support/load.ts'
import { PEOPLE, specOf, subjectOf } from './population.ts'
import { detailUrl, type BenchSystem } from './system.ts'

// The goals of each figure.
const RATIO_GOAL = 0.6
const CACHED_CPU_RATIO_GOAL = 1.3
const P99_GOAL_MS = 30

/** Options: what to measure, and for how long. */
export interface FigureOptions {
  readonly agents: number
  readonly rounds: number
  readonly roundMs: number
  /** Only figures whose name contains this are measured. */
  readonly only: string
}

/** Compares public reads from the gateway's cache with a bare Fastify that sends the same bytes. */
export async function* cachedFigures(
  system: BenchSystem,
  options: FigureOptions,
): AsyncGenerator<object> {
  const { gateway, bareGateway } = system.processes
  const detail = new URL(detailUrl(system.gatewayUrl)).pathname
  for (const [name, path] of [
    ['list', '/api/v1/agents?limit=20'],
    ['detail', detail],
  ] as const) {
    if (!`cached ${name}`.includes(options.only)) continue
    const { nextIndex: _, ...result } = await compare({
      slipway: {
        load: { url: system.gatewayUrl, request: always(get(path)) },
        processes: [gateway],
      },
      bare: {
        load: { url: system.bareUrl, request: always(get(`/cached/${name}`)) },
        processes: [bareGateway],
      },
      connections: 32,
      status: 200,
      ...options,
    })
    yield {
      figure: `cached ${name}`,
      compared_with: 'a bare Fastify that sends the same bytes and logs nothing',
      ...result,
      goal_ratio: RATIO_GOAL,
      goal_cpu_ratio: CACHED_CPU_RATIO_GOAL,
      met: result.ratio >= RATIO_GOAL && result.cpu_ratio <= CACHED_CPU_RATIO_GOAL,
    }
  }
}

/**
 * Compares requests that need an RPC with a bare Fastify that makes one bare grpc-js call, which
 * runs the same SQL.
 */
export async function* uncachedFigures(
  system: BenchSystem,
  options: FigureOptions,
): AsyncGenerator<object> {
  for (const { name, status, requests } of operations(system, options.agents)) {
    if (!name.includes(options.only)) continue
    const { gateway, catalog, bareGateway, bareService } = system.processes
    const slipway: Contender = {
      load: { url: system.gatewayUrl, request: requests(0) },
      processes: [gateway, catalog],
    }
    const bare: Contender = {
      load: { url: system.bareUrl, request: requests(1) },
      processes: [bareGateway, bareService],
    }
    const contest = { slipway, bare, status, ...options }
    const full = await compare({ ...contest, connections: 32 })
    const half = await compareAtHalfLoad(full, { ...contest, connections: 64 })
    const { nextIndex: _, ...result } = full
    yield {
      figure: name,
      compared_with: 'a bare Fastify, one bare grpc-js call, the same SQL; neither logs',
      ...result,
      goal_ratio: RATIO_GOAL,
      at_half_load: half,
      goal_p99_ms: P99_GOAL_MS,
      met: result.ratio >= RATIO_GOAL && half.slipway.p99_ms < P99_GOAL_MS,
    }
  }
}

interface Operation {
  readonly name: string
  readonly status: number
  /** The requests of one side. Each agent is written at most once, by one of the sides. */
  readonly requests: (side: 0 | 1) => RequestMaker
}

function operations(system: BenchSystem, agents: number): Operation[] {
  const { ownerTokens, publisherTokens } = system
  const agentOf = (index: number) => subjectOf(index % (PEOPLE * 10))
  const ownerToken = (index: number) => ownerTokens[Math.floor(index / 10) % PEOPLE] ?? ''
  const publisherToken = (index: number) => publisherTokens[Math.floor(index / 10) % PEOPLE] ?? ''
  // A prime step spreads the writes over the accounts.
  const spread = (index: number, side: 0 | 1, half: 0 | 1) => {
    const count = agents / 4
    if (index >= count) throw new Error('too few agents for this number of writes; raise --agents')
    return ((index * 7919) % count) * 2 + side + (half * agents) / 2
  }
  return [
    {
      name: 'uncached detail',
      status: 200,
      requests: () => (index) => {
        const at = (index * 7919) % (PEOPLE * 10)
        const { account, agent } = agentOf(at)
        return get(`/api/v1/agents/${account}/${agent}`, ownerToken(at))
      },
    },
    {
      name: '/me',
      status: 200,
      requests: () => (index) => {
        const at = (index % PEOPLE) * 10
        return get('/api/v1/me', ownerToken(at), at)
      },
    },
    {
      name: 'register',
      status: 201,
      requests: (side) => (index) => {
        const at = spread(index, side, 0)
        const { account, agent, newBuild } = subjectOf(at)
        const body = {
          build_id: newBuild,
          registry: 'oci://registry.example/team',
          spec_content: specOf(agent),
          readme: '# Read me',
        }
        return post(`/api/v1/agents/${account}/${agent}/register`, publisherToken(at), body)
      },
    },
    {
      name: 'publish',
      status: 201,
      requests: (side) => (index) => {
        const at = spread(index, side, 1)
        const { account, agent, version } = subjectOf(at)
        const body = { build_id: 'build-2', version }
        return post(`/api/v1/agents/${account}/${agent}/publish`, publisherToken(at), body)
      },
    },
  ]
}

function get(path: string, token?: string, index?: number): Buffer {
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  const number = index === undefined ? '' : `x-index: ${index}\r\n`
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: bench\r\naccept: application/json\r\n` +
      `${authorization}${number}\r\n`,
  )
}

function post(path: string, token: string, body: object): Buffer {
  const text = JSON.stringify(body)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

function always(request: Buffer): RequestMaker {
  return () => request
}
