import { ApiError, type Schemas } from '@slipway/client'

import { agentOf, type Agent, type AgentReference } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import { consent, requireConsent, type ConsentFlags } from '../../command/consent.ts'
import type { Implementation } from '../../command/implementation.ts'
import { agentName } from '../../deployments/agent-name.ts'
import { untilAnswered } from '../../deployments/change.ts'
import { fields, hint, lines, table, type Block } from '../../output/blocks.ts'

type Deployment = Schemas['Deployment']
type Result = Schemas['UndeployResult']

export const undeploy: Implementation<ConsentFlags, [agent?: AgentReference], Result> = {
  async run(cli, flags, given) {
    requireConsent(cli, flags)
    const agent = await agentOf(cli, given)
    const client = await cli.client()
    const params = { path: { account: agent.account, name: agent.name } }
    if (!flags.yes) {
      const path = '/api/v1/agents/{account}/{name}/deployment'
      const deployment = (await client.GET(path, { params, signal: cli.signal })).data
      const objects = await objectsOf(cli, agent)
      cli.printer.explain(deletionView(deployment, objects), { isAsked: true })
      await consent(cli, `Delete this deployment of ${agent.name} in ${agent.account}?`)
    }
    const send = async () => (await client.POST('/api/v1/undeploy', { body: { ...agent } })).data
    return await untilAnswered(cli, send, 'undeploying …')
  },

  view: ({ name, k8s_namespace: namespace }, cli) => [
    fields({ agent: name, status: 'undeployed', namespace }),
    hint(`next: slipway deploy ${agentNameOf(cli, name)}`),
  ],
}

function agentNameOf(cli: Cli, name: string): string {
  return agentName(cli, { account: cli.flags.account ?? '', name })
}

/** The objects of a deployment: those of a deploy of the build that runs. */
async function objectsOf(cli: Cli, agent: Agent): Promise<readonly Schemas['PlannedChange'][]> {
  const client = await cli.client()
  const body = { ...agent, build_id: 'current' }
  const params = { query: { dry_run: 'server' as const } }
  try {
    const init = { params, body, signal: cli.signal }
    return (await client.POST('/api/v1/deploy/validate', init)).data.plan ?? []
  } catch (error) {
    // For example because its credentials were lost. The deletion itself works.
    if (error instanceof ApiError) return []
    throw error
  }
}

/** What will be deleted. */
function deletionView(
  { k8s_namespace: namespace, state, components }: Deployment,
  plan: readonly Schemas['PlannedChange'][],
): readonly Block[] {
  const objects = plan.filter(({ action }) => action !== 'create')
  const stateful = objects.filter(({ kind }) => kind === 'StatefulSet')
  return [
    fields({ namespace: `${namespace}, with everything in it`, state }),
    table({
      columns: [
        { title: 'COMPONENT', shrinkTo: 8 },
        { title: 'PODS', align: 'right' },
      ],
      rows: components.map(({ name, pods }) => [name, String(pods.length)]),
      empty: 'no components',
    }),
    ...(objects.length === 0 ? [] : [lines(...objects.map((each) => `${each.kind}/${each.name}`))]),
    ...(stateful.length === 0 ? [] : [lines({ text: lossOf(stateful), style: 'bad' })]),
  ]
}

/** Workloads with volumes are stateful sets. */
function lossOf(stateful: readonly Schemas['PlannedChange'][]): string {
  return `the data in the volumes of ${stateful.map(({ name }) => name).join(', ')} is lost`
}
