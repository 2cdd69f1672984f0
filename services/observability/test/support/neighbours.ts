import { createHash } from 'node:crypto'

import type { Duration } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { createTokenVerifier } from '@slipway/shared/auth'
import { NotFound } from '@slipway/shared/errors'
import { createLogger } from '@slipway/shared/logger'
import { guardService, startRpcServer, type AccessRules, type RpcServer } from '@slipway/shared/rpc'
import { freePorts, type TestIssuer } from '@slipway/testing'

import type { SpanOwner } from '../../src/domain/span.ts'

/** The response to ResolveIngestToken. Deployers of older releases lack some fields. */
export type TokenOwner = Omit<SpanOwner, 'agentId' | 'deployedBy'> &
  Partial<SpanOwner> & {
    readonly sourceAccountId?: string
    /** How long a replaced token is still valid. */
    readonly validFor?: Duration
  }

/**
 * Stubs of the RPCs of catalog and deployer that observability calls: real sockets and access
 * tokens, but responses from the test's tables. The e2e suite tests the real services together.
 */
export interface Neighbours extends AsyncDisposable {
  readonly catalogAddress: string
  readonly deployerAddress: string
  /** Account ids by name. */
  readonly accounts: Map<string, string>
  /** The members, each as `account id/subject`. */
  readonly members: Set<string>
  /** The owners of spans by ingest token. */
  readonly tokens: Map<string, TokenOwner>
  /** The agents' ids and the seconds of their registration, by `account id/agent`. */
  readonly agents: Map<string, { readonly id: string; readonly since: number }>
  /** The number of calls of each RPC. */
  readonly calls: { checkAccess: number; resolveIngestToken: number }
  /** Closes the server until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts both stubs in one server: the catalog over HTTP/1.1, the deployer over gRPC. */
export async function startNeighbours(issuer: TestIssuer): Promise<Neighbours> {
  const accounts = new Map<string, string>()
  const members = new Set<string>()
  const tokens = new Map<string, TokenOwner>()
  const agents: Neighbours['agents'] = new Map()
  const calls = { checkAccess: 0, resolveIngestToken: 0 }
  const logger = createLogger('neighbours', 'silent')
  const tokenVerifier = createTokenVerifier(issuer.issuers)

  const accountService = {
    checkAccess({ account, agent: name, subject }) {
      calls.checkAccess += 1
      const accountId = accounts.get(account)
      if (accountId === undefined) throw new NotFound('account_not_found', 'account not found')
      const role = members.has(`${accountId}/${subject}`) ? Role.MEMBER : Role.UNSPECIFIED
      const agent = agents.get(`${accountId}/${name}`)
      const member = { accountId, userId: subject, role }
      if (agent === undefined) return member
      const agentCreateTime = { seconds: BigInt(Math.floor(agent.since)), nanos: 0 }
      return { ...member, agentId: agent.id, agentCreateTime }
    },
  } satisfies Partial<ServiceImpl<typeof AccountService>>

  const workloadService = {
    resolveIngestToken({ tokenSha256 }) {
      calls.resolveIngestToken += 1
      const found = [...tokens].find(([token]) =>
        createHash('sha256').update(token).digest().equals(tokenSha256),
      )
      if (found === undefined) throw new NotFound('ingest_token_unknown', 'unknown ingest token')
      return found[1]
    },
  } satisfies Partial<ServiceImpl<typeof WorkloadService>>

  let server: RpcServer | undefined
  const [grpcPort, connectPort] = await freePorts(2)
  const deployerAddress = `127.0.0.1:${grpcPort}`
  const catalogAddress = `127.0.0.1:${connectPort}`
  async function start(): Promise<void> {
    server = await startRpcServer({
      grpcAddress: deployerAddress,
      connectAddress: catalogAddress,
      opsAddress: '127.0.0.1:0',
      services: [
        guardService(
          AccountService,
          accountService as unknown as ServiceImpl<typeof AccountService>,
          forServices(AccountService),
          {
            logger,
            tokenVerifier,
          },
        ),
        guardService(
          WorkloadService,
          workloadService as unknown as ServiceImpl<typeof WorkloadService>,
          forServices(WorkloadService),
          { logger, tokenVerifier },
        ),
      ],
      checks: {},
      logger,
      tokenVerifier,
    })
  }
  async function stop(): Promise<void> {
    await server?.[Symbol.asyncDispose]()
    server = undefined
  }

  await start()
  return {
    catalogAddress,
    deployerAddress,
    accounts,
    members,
    tokens,
    agents,
    calls,
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function forServices<Service extends typeof AccountService | typeof WorkloadService>(
  service: Service,
): AccessRules<Service> {
  const rule = { services: ['observability'] } as const
  return Object.fromEntries(
    service.methods.map(({ localName }) => [localName, rule]),
  ) as unknown as AccessRules<Service>
}
