import {
  agentOf,
  agentOfFolder,
  type Agent,
  type AgentReference,
} from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { isDeployed } from '../../deployments/read-deployment.ts'
import { withNames } from '../../deployments/with-names.ts'
import { usageError } from '../../errors/cli-error.ts'
import { exitCodes, type ExitCode } from '../../errors/exit-code.ts'
import { readAll, readOne } from './read.ts'
import type { State, StatusResult } from './types.ts'
import { viewAll, viewChangedDeployments } from './view-all.ts'
import { viewChanges } from './view-changes.ts'
import { viewOne } from './view-one.ts'
import { viewPlain } from './view-plain.ts'
import { watchAll, watchOne } from './watch.ts'

export type { StatusResult } from './types.ts'

export interface StatusFlags {
  readonly all: boolean
  readonly watch: boolean
  readonly exitCode: boolean
}

export const status: Implementation<StatusFlags, [agent?: AgentReference], StatusResult> = {
  async *run(cli, { all, watch, exitCode }, reference) {
    if (all && reference !== undefined) throw usageError('--all and an agent contradict each other')
    const agent = all ? undefined : await chosenAgent(cli, reference)
    if (!watch) {
      yield agent === undefined ? await readAll(cli) : await readOne(cli, agent)
      return
    }
    for await (const result of agent === undefined ? watchAll(cli) : watchOne(cli, agent)) {
      yield result
      if (exitCode && codeOf(result) !== exitCodes.pending) return
    }
  },

  view(result, { printer }, { watch }) {
    const onlyChanges = watch && !printer.isTerminal
    if (result.kind === 'all') return onlyChanges ? viewChangedDeployments(result) : viewAll(result)
    if (printer.isTerminal) return viewOne(result, printer)
    return onlyChanges ? viewChanges(result) : viewPlain(result)
  },

  json: (result) =>
    withNames(result.kind === 'all' ? result.list : result.deployment, result.names),

  exitCode: (result, { exitCode }) => (exitCode ? codeOf(result) : exitCodes.ok),

  replaces: ({ watch }) => watch,
}

/** The named agent, or that of the folder if it is deployed. */
async function chosenAgent(
  cli: Cli,
  reference: AgentReference | undefined,
): Promise<Agent | undefined> {
  if (reference !== undefined) return await agentOf(cli, reference)
  const agent = await agentOfFolder(cli)
  if (agent === undefined || (await isDeployed(cli, agent))) return agent
  cli.printer.say(`${agent.name}, the agent of this folder, is not deployed`)
  return undefined
}

function codeOf(result: StatusResult): ExitCode {
  const states = result.kind === 'all' ? result.list.deployments : [result.deployment]
  const codes = states.map(({ state }) => CODES[state])
  if (codes.includes(exitCodes.deployFailed)) return exitCodes.deployFailed
  return codes.includes(exitCodes.pending) ? exitCodes.pending : exitCodes.ok
}

const CODES: Readonly<Record<State, ExitCode>> = {
  ready: exitCodes.ok,
  progressing: exitCodes.pending,
  undeploying: exitCodes.pending,
  degraded: exitCodes.deployFailed,
  failed: exitCodes.deployFailed,
  undeployed: exitCodes.deployFailed,
}
