import { ApiError, type Schemas } from '@slipway/client'
import type { Static } from 'typebox'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import { consent, requireConsent, type ConsentFlags } from '../../command/consent.ts'
import type { Implementation } from '../../command/implementation.ts'
import { withTimeLimit } from '../../command/time-limit.ts'
import { agentName } from '../../deployments/agent-name.ts'
import type { WaitFlags } from '../../deployments/change.ts'
import { readDeployment } from '../../deployments/read-deployment.ts'
import { TERMINATING } from '../../deployments/rollout-lines.ts'
import { untilReplaced } from '../../deployments/until-replaced.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, type ExitCode } from '../../errors/exit-code.ts'
import { fields, hint } from '../../output/blocks.ts'
import { sayBelow } from '../../output/say-below.ts'
import type { schema } from './result.ts'

export interface RestartFlags extends ConsentFlags, WaitFlags {
  readonly pod?: string
  readonly component?: string
}

const INTERRUPTED = 'interrupted: the other pods stay as they are'
const DETACHED = 'detached: the restart of the last pod goes on'

export type Restarted = Static<typeof schema>

export const restart: Implementation<RestartFlags, [agent?: AgentReference], Restarted> = {
  async run(cli, flags, given) {
    requireConsent(cli, flags)
    const agent = await agentOf(cli, given)
    const deployment = await readDeployment(cli, agent, cli.signal)
    const wanted = podsToRestart(deployment, flags)
    if (!flags.yes) {
      const what = wanted.length === 1 ? `pod ${wanted[0]?.pod.name}` : `${wanted.length} pods`
      await consent(cli, `Restart ${what} of ${agent.name} in ${agent.account}?`)
    }
    const signal = withTimeLimit(cli, flags.timeout)
    const client = await cli.client()
    const { account } = agent
    const pods: string[] = []
    const outcome = (status: Restarted['status']) => ({ status, account, name: agent.name, pods })
    const stopped = (at: number) => {
      const left = wanted.slice(at).map(({ pod }) => pod.name)
      const isInterrupted = cli.signal.aborted && left.length > 0
      if (cli.signal.aborted) sayBelow(cli.printer, isInterrupted ? INTERRUPTED : DETACHED)
      const status = isInterrupted ? 'interrupted' : 'pending'
      return { ...outcome(status), ...(left.length > 0 && { left }) }
    }
    for (const [index, { pod, component }] of wanted.entries()) {
      if (signal.aborted) return stopped(index)
      const path = { namespace: deployment.k8s_namespace, pod: pod.name }
      const params = { path, query: { account } }
      const send = async () =>
        await client.POST('/api/v1/deployments/{namespace}/pods/{pod}/restart', { params })
      if (!(await isFound(send))) continue // It has been replaced meanwhile.
      pods.push(pod.name)
      cli.printer.say(`restarting pod ${pod.name}`)
      if (flags.detach) continue
      if (!(await untilReplaced(cli, agent, { pod, component, signal }))) return stopped(index + 1)
    }
    return outcome(flags.detach ? 'started' : 'restarted')
  },

  view: ({ status, account, name, pods, left }, cli) => [
    fields({
      agent: name,
      status: { text: status, style: exitCodeOf[status] === exitCodes.ok ? 'good' : 'warning' },
      pods: pods.join(' '),
      'not restarted': left?.join(' '),
    }),
    hint(`next: slipway status ${agentName(cli, { account, name })}`),
  ],

  exitCode: ({ status }) => exitCodeOf[status],
}

const exitCodeOf: Readonly<Record<Restarted['status'], ExitCode>> = {
  restarted: exitCodes.ok,
  started: exitCodes.ok,
  pending: exitCodes.pending,
  interrupted: exitCodes.interrupted,
}

async function isFound(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'pod_not_found') return false
    throw error
  }
}

interface WantedPod {
  readonly pod: Schemas['Pod']
  readonly component: string
}

/** The pods that the flags name. */
function podsToRestart(
  { components }: Schemas['Deployment'],
  { pod: name, component: ofComponent }: RestartFlags,
): readonly WantedPod[] {
  const all = components
    .filter((each) =>
      ofComponent === undefined
        ? each.kind !== 'ingestion' || name !== undefined
        : each.name === ofComponent,
    )
    .flatMap(({ name: component, pods }) =>
      pods.filter(({ phase }) => phase !== TERMINATING).map((pod) => ({ pod, component })),
    )
  const wanted = name === undefined ? all : all.filter(({ pod }) => pod.name === name)
  if (wanted.length > 0) return wanted
  throw new CliError(
    name === undefined ? 'there are no pods to restart' : `no pod is named ${name}`,
    {
      code: 'unknown_pod',
      why: `the components are ${components.map((each) => each.name).join(', ')}`,
      next: 'slipway status, which lists the pods',
    },
  )
}
