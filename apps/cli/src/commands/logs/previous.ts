import { ApiError } from '@slipway/client'

import type { Agent } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import { readDeployment } from '../../deployments/read-deployment.ts'
import { CliError } from '../../errors/cli-error.ts'
import type { LogEntry } from './result.ts'

/** Which part of the logs to read. */
export interface LogPart {
  readonly component: string | undefined
  readonly since: Date | undefined
  readonly tail: number
}

/** Yields the logs before the last restart of all pods that have restarted, one after the other. */
export async function* previousLogs(
  cli: Cli,
  agent: Agent,
  { component, since, tail }: LogPart,
): AsyncGenerator<LogEntry> {
  const { components, k8s_namespace: namespace } = await readDeployment(cli, agent, cli.signal)
  const chosen = components.filter(({ name }) => component === undefined || name === component)
  const restarted = chosen.flatMap(({ kind, pods }) =>
    // The main container of a pod is called like the kind of its component.
    pods.filter(({ restarts }) => restarts > 0).map(({ name }) => ({ pod: name, container: kind })),
  )
  if (restarted.length === 0)
    throw new CliError(`no container of ${component ?? agent.name} has restarted`, {
      code: 'no_previous_log',
      next: `slipway logs ${agent.name}, which also has the end of the logs of pods that are gone`,
    })
  const client = await cli.client()
  const { account } = agent
  for (const { pod, container } of restarted) {
    const of = { account, namespace, pod, container }
    const options = { previous: true, tailLines: tail, signal: cli.signal }
    try {
      for await (const { time, text } of client.podLogs(of, options))
        if (since === undefined || Date.parse(time) >= since.getTime())
          yield { kind: 'line', time, pod, container, text }
    } catch (error) {
      // The pod is gone, or its node no longer has the log.
      if (!(error instanceof ApiError) || ![400, 404].includes(error.status)) throw error
      cli.printer.say(`${pod}: ${error.detail}`, 'warning')
    }
  }
}
