import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { createClient } from '@connectrpc/connect'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { createConnectUnaryTransport } from '@slipway/shared/rpc'
import type { TestIssuer } from '@slipway/testing'

import type { Measured } from '../support/process.ts'
import { specOf, type Subject } from './population.ts'
import { seed } from './seed.ts'
import type { RecordedStatement } from './statements.ts'

/** Additional options for starting a catalog. */
export interface CatalogOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
}

/** Options of a recording. */
export interface Recording {
  /** An empty database. */
  readonly databaseUrl: string
  readonly file: string
  readonly issuer: TestIssuer
  /** The agent of all operations. */
  readonly sample: Subject
}

/**
 * Records the statements of each operation on `sample` in a catalog that writes them to a file. It
 * runs without NATS, so its relay sends no statements.
 */
export async function recordStatements(
  { databaseUrl, file, issuer, sample }: Recording,
  start: (options: CatalogOptions) => Promise<{ measured: Measured; address: string }>,
): Promise<Record<string, RecordedStatement[]>> {
  const recorder = join(import.meta.dirname, 'record-queries.ts')
  const { measured, address } = await start({
    env: { RECORD_QUERIES_TO: file, NATS_URL: 'nats://127.0.0.1:1' },
    nodeArgs: ['--import', recorder],
  })
  await using _process = measured
  await seed(databaseUrl, 1000)
  using transport = createConnectUnaryTransport([address])
  const agents = createClient(AgentService, transport)
  const accounts = createClient(AccountService, transport)
  const { account, agent: name, owner, publisher, newBuild, version } = sample
  const as = async (person: string) => ({
    headers: { authorization: `Bearer ${await issuer.userToken(person)}` },
  })
  const [asOwner, asPublisher] = [await as(owner), await as(publisher)]

  const record = async (operation: () => Promise<unknown>): Promise<RecordedStatement[]> => {
    // The first request of a user may send more statements.
    await agents.getAgent({ account, name }, asOwner)
    rmSync(file, { force: true })
    await operation()
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines
      .map((line) => JSON.parse(line) as RecordedStatement)
      .filter(({ text }) => !isBackground(text))
  }
  const build = {
    account,
    name,
    buildId: newBuild,
    registry: 'oci://registry.example/team',
    specContent: specOf(name),
  }
  return {
    detail: await record(() => agents.getAgent({ account, name }, asOwner)),
    me: await record(() => accounts.getProfile({}, asOwner)),
    publish: await record(() =>
      agents.publishBuild({ account, name, buildId: 'build-2', version }, asPublisher),
    ),
    register: await record(() =>
      agents.registerBuild({ ...build, readme: '# Read me' }, asPublisher),
    ),
  }
}

/** Whether a statement is from the event relay, or notifies it. */
function isBackground(text: string): boolean {
  return /^listen|pg_notify|advisory|from outbox|update outbox|delete from outbox/i.test(
    text.trim(),
  )
}
