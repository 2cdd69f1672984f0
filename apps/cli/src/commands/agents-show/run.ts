import type { Client } from '@slipway/client'
import type { Static } from 'typebox'

import { agentOf, type Agent, type AgentReference } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { isMissing } from '../../command/is-missing.ts'
import { hasToken, readersClient } from '../../command/readers-client.ts'
import type { schema } from './result.ts'
import { viewAgent } from './view.ts'

export type AgentsShow = Static<typeof schema>

export const agentsShow: Implementation<object, [agent?: AgentReference], AgentsShow> = {
  async run(cli, _flags, given) {
    const agent = await agentOf(cli, given)
    const client = await readersClient(cli)
    const init = { params: { path: { ...agent } }, signal: cli.signal }
    const [{ data }, credentials] = await Promise.all([
      client.GET('/api/v1/agents/{account}/{name}', init),
      credentialsOf(cli, client, agent),
    ])
    const readme = data.versions.find((version) => version.readme)?.readme
    return {
      account: data.account,
      name: data.name,
      registry: data.registry,
      builds: data.versions.map((build) => ({
        build_id: build.build_id,
        ...(build.version !== undefined && { version: build.version }),
        yanked: build.yanked ?? false,
        ...(build.published_at !== undefined && { published_at: build.published_at }),
        ...(build.registered_at !== undefined && { registered_at: build.registered_at }),
        ...(build.commit !== undefined && { commit: build.commit }),
        warning_count: build.validation_warnings?.length ?? 0,
      })),
      has_more_builds: data.has_more_versions ?? false,
      ...(credentials !== undefined && { credentials }),
      ...(readme !== undefined && { readme }),
    }
  },

  view: (agent, cli) => viewAgent(agent, cli.printer.isTerminal),
}

/** What a deploy needs. Undefined without a token, and if no build can be deployed. */
async function credentialsOf(
  cli: Cli,
  client: Client,
  agent: Agent,
): Promise<AgentsShow['credentials']> {
  if (!(await hasToken(cli))) return undefined
  try {
    const init = { params: { path: { ...agent } }, signal: cli.signal }
    const { data } = await client.GET('/api/v1/agents/{account}/{name}/config', init)
    return data.credentials
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
