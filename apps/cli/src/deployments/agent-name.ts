import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'

/** An agent as the next command must name it: with its account if that was chosen by an option. */
export function agentName({ flags }: Cli, { account, name }: Agent): string {
  return flags.account === undefined ? name : `${account}/${name}`
}
