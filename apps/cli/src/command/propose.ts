import { setTimeout as delay } from 'node:timers/promises'

import { Cli } from './cli.ts'
import type { ProcessContext } from './process-context.ts'

const DEADLINE_MS = 300
const FLAGS = { json: false, quiet: true, verbose: false }
const PAGE = 100

const sources = {
  contexts: async (cli: Cli) => (await cli.contexts.list()).contexts.map(({ name }) => name),
  accounts: async (cli: Cli) =>
    (await (await cli.client()).GET('/api/v1/me', {})).data.accounts.map(({ name }) => name),
  agents: async (cli: Cli, partial: string) => {
    const [, owner] = /^([^/]+)\//.exec(partial) ?? []
    const client = await cli.client()
    const path = { account: owner ?? (await cli.account()) }
    const init = { params: { path, query: { limit: PAGE } } }
    const { data } = await client.GET('/api/v1/agents/{account}', init)
    return data.agents.map(({ name }) => (owner === undefined ? name : `${owner}/${name}`))
  },
} as const

/**
 * Names that begin with what the user has typed. There are none if the server can't be asked, or
 * takes longer than 300 ms since the start of the process.
 */
export async function propose(
  context: ProcessContext,
  kind: keyof typeof sources,
  partial: string,
): Promise<readonly string[]> {
  try {
    const names = await Promise.race([
      namesOf(context, kind, partial),
      delay(remainingMs(context.process.env), [], { ref: false }),
    ])
    return names.filter((name) => name.startsWith(partial))
  } catch {
    return []
  }
}

async function namesOf(
  context: ProcessContext,
  kind: keyof typeof sources,
  partial: string,
): Promise<readonly string[]> {
  const cli = new Cli(kind === 'contexts' ? context : await withoutRefresh(context), FLAGS)
  return await sources[kind](cli, partial)
}

/**
 * The same context with the stored token as a fixed one. A completion that ends at its deadline
 * must not refresh the token: the new one could be lost, and providers accept a refresh token only
 * once.
 */
async function withoutRefresh(context: ProcessContext): Promise<ProcessContext> {
  const { env } = context.process
  if (env['SLIPWAY_TOKEN']) return context
  const cli = new Cli(context, FLAGS)
  const { context: server } = await cli.server()
  const stored = server && (await cli.tokens.get(server.name))
  const isUsable = stored?.url === server?.url && (stored?.expires_at ?? Infinity) > Date.now()
  if (stored === undefined || !isUsable) throw new Error('there is no token that can be used now')
  const fixed = {
    SLIPWAY_TOKEN: stored.access_token,
    SLIPWAY_ACCOUNT: env['SLIPWAY_ACCOUNT'] ?? server?.account,
  }
  return { ...context, process: { ...context.process, env: { ...env, ...fixed } } }
}

function remainingMs(env: NodeJS.ProcessEnv): number {
  const chosen = Number(env['SLIPWAY_COMPLETION_TIMEOUT_MS'])
  const deadline = Number.isFinite(chosen) && chosen > 0 ? chosen : DEADLINE_MS
  return Math.max(0, deadline - performance.now())
}
