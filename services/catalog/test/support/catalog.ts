import { createClient, type CallOptions } from '@connectrpc/connect'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'
import { createLogger } from '@slipway/shared/logger'
import { createDatabase, type Database } from '@slipway/shared/db'
import { createGrpcTransport, readRemoteError, type RpcTransport } from '@slipway/shared/rpc'
import {
  testDatabase,
  testIssuer,
  testNats,
  type TestIssuer,
  type TestNats,
} from '@slipway/testing'

import { readConfig } from '../../src/config.ts'
import { migrations } from '../../src/db/migrations/index.ts'
import type { CatalogSchema } from '../../src/db/tables.ts'
import { startCatalog, type CatalogOverrides } from '../../src/service.ts'

/** A running catalog with its own database, NATS and issuer, and clients to call it. */
export interface TestCatalog extends AsyncDisposable {
  readonly accounts: ReturnType<typeof accountClient>
  readonly agents: ReturnType<typeof agentClient>
  readonly tokens: ReturnType<typeof tokenClient>
  readonly db: Database<CatalogSchema>
  readonly nats: TestNats
  readonly issuer: TestIssuer
  readonly opsAddress: string
  readonly grpcAddress: string
  readonly databaseUrl: string
  /** Starts another replica on the same database. */
  startReplica(): Promise<Pick<TestCatalog, 'accounts' | 'agents' | 'tokens'>>
  /** Call options of a user. */
  as(subject: string): Promise<CallOptions>
  /** Call options of a service. */
  asService(name: string): Promise<CallOptions>
  /** Signs a user in; returns their id and their personal account. */
  signIn(
    subject: string,
  ): Promise<{ userId: string; account: string; accountId: string; options: CallOptions }>
}

/** Starts a catalog for one test file. */
export async function startTestCatalog(
  env: Record<string, string> = {},
  overrides: CatalogOverrides = {},
): Promise<TestCatalog> {
  const stack = new AsyncDisposableStack()
  try {
    const issuer = stack.use(await testIssuer())
    const nats = stack.use(await testNats())
    const database = stack.use(await testDatabase({ migrations }))
    const db = stack.use(
      createDatabase<CatalogSchema>({ url: database.url, applicationName: 'catalog test' }),
    )
    const config = readConfig({
      GRPC_ADDRESS: '127.0.0.1:0',
      CONNECT_ADDRESS: '127.0.0.1:0',
      OPS_ADDRESS: '127.0.0.1:0',
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      AUTH_ISSUERS: issuer.issuersJson,
      ...env,
    })
    const start = async () => {
      const service = stack.use(
        await startCatalog(config, { logger: createLogger('catalog', 'silent'), ...overrides }),
      )
      const transport = stack.use(
        createGrpcTransport(
          [service.grpcAddress],
          [AccountService, AgentService, MachineTokenService],
        ),
      )
      return {
        service,
        accounts: accountClient(transport),
        agents: agentClient(transport),
        tokens: tokenClient(transport),
      }
    }
    const { service, accounts, agents, tokens } = await start()
    const as = async (subject: string) => authorization(await issuer.userToken(subject))
    return {
      accounts,
      agents,
      tokens,
      startReplica: start,
      db,
      nats,
      issuer,
      opsAddress: service.opsAddress,
      grpcAddress: service.grpcAddress,
      databaseUrl: database.url,
      as,
      asService: async (name) => authorization(await issuer.serviceToken(name)),
      async signIn(subject) {
        const options = await as(subject)
        const { user, accounts: own } = await accounts.getProfile({}, options)
        const personal = own[0]?.account
        return {
          userId: user?.id ?? '',
          account: personal?.name ?? '',
          accountId: personal?.id ?? '',
          options,
        }
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** The reason or message of a call's error; `ok` if it succeeds. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'ok'
  } catch (error) {
    const { reason, message } = readRemoteError(error)
    return reason ?? message
  }
}

/** Like outcomeOf; throws if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  const outcome = await outcomeOf(call)
  if (outcome === 'ok') throw new Error('the call did not fail')
  return outcome
}

/** A spec without warnings. */
export function specOf(name: string, extra = ''): string {
  return `spec: astro/v1\nname: ${name}\nagent:\n  image: registry.example/${name}:1\n${extra}`
}

function authorization(token: string): CallOptions {
  return { headers: { authorization: `Bearer ${token}` } }
}

function accountClient(transport: RpcTransport) {
  return createClient(AccountService, transport)
}

function tokenClient(transport: RpcTransport) {
  return createClient(MachineTokenService, transport)
}

function agentClient(transport: RpcTransport) {
  return createClient(AgentService, transport)
}
