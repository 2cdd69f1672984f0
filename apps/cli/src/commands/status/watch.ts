import type { Agent } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import { isMissing } from '../../command/is-missing.ts'
import { wait } from '../../command/wait.ts'
import { readDeployment } from '../../deployments/read-deployment.ts'
import { changesBetween } from './changes.ts'
import { readAll, readOne } from './read.ts'
import { Signs } from './signs.ts'
import type { AllStatus, Deployment, OneStatus } from './types.ts'

/** How often to look for what has no event: restarts of pods, and new log lines of failures. */
const UNSETTLED_MS = 3_000
const SETTLED_MS = 15_000
/** There are no events of a whole account. */
const LIST_MS = 3_000

/** Yields the state of a deployment whenever it changes, until it is undeployed. */
export async function* watchOne(cli: Cli, agent: Agent): AsyncGenerator<OneStatus> {
  let status = await readOne(cli, agent)
  yield { ...status, changes: changesBetween(undefined, status.deployment) }
  using signs = new Signs(await cli.client(), agent, cli.signal)
  while (!cli.signal.aborted) {
    const before = status.deployment
    const sign = await signs.next(before.state === 'ready' ? SETTLED_MS : UNSETTLED_MS)
    if (sign === 'interrupted') return
    const deployment = sign === 'undeployed' ? undefined : await readIfThere(cli, agent)
    if (deployment === undefined) {
      const gone: Deployment = { ...before, state: 'undeployed', components: [] }
      yield { ...status, deployment: gone, changes: changesBetween(before, gone) }
      return
    }
    const isOther =
      before.revision !== deployment.revision || before.deployed_at !== deployment.deployed_at
    status = isOther ? await readOne(cli, agent) : { ...status, deployment }
    const changes = changesBetween(before, status.deployment)
    if (changes.length > 0 || isRedrawn(cli)) yield { ...status, changes }
  }
}

/** Yields the deployments of the account whenever one changes. */
export async function* watchAll(cli: Cli): AsyncGenerator<AllStatus> {
  let known = new Map<string, string>()
  for (let isFirst = true; !cli.signal.aborted; isFirst = false) {
    const status = await readAll(cli)
    const { deployments } = status.list
    const changed = deployments.filter((each) => known.get(each.name) !== JSON.stringify(each))
    const isChanged = isFirst || changed.length > 0 || deployments.length !== known.size
    if (isChanged || isRedrawn(cli)) yield { ...status, changed }
    known = new Map(deployments.map((each) => [each.name, JSON.stringify(each)]))
    await wait(LIST_MS, cli.signal)
  }
}

async function readIfThere(cli: Cli, agent: Agent): Promise<Deployment | undefined> {
  try {
    return await readDeployment(cli, agent, cli.signal)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** On a terminal, ages change as well. */
function isRedrawn({ printer }: Cli): boolean {
  return printer.isTerminal && printer.format === 'text'
}
