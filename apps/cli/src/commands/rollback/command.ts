import type { AgentReference } from '../../command/agent-reference.ts'
import { yesFlag } from '../../command/consent.ts'
import { define } from '../../command/define.ts'
import { parseRevision } from '../../deployments/agent-and-last.ts'
import { agentOrRevision } from '../../deployments/agent-or-revision.ts'
import { waitFlags } from '../../deployments/wait-flags.ts'
import type { RollbackFlags, RollbackOutcome } from './run.ts'

export const rollback = define<
  RollbackFlags,
  [agent?: AgentReference | number, revision?: number],
  RollbackOutcome
>({
  brief: 'Go back to an earlier revision',
  description:
    'Restores a revision with its build, settings and credentials: that with the given number,\n' +
    'or else the newest earlier one that was ready and differs. Volumes keep their data. The\n' +
    'next deploy takes the newest build again, unless you give it another one.',
  examples: [
    ['slipway rollback', 'the newest earlier revision that was ready'],
    ['slipway rollback 4 --yes', 'revision 4 of the agent in this folder'],
    ['slipway rollback support-agent 4', 'revision 4 of another agent'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      agentOrRevision,
      { parse: parseRevision, placeholder: 'revision', brief: 'Its number', optional: true },
    ],
  },
  flags: { yes: yesFlag, ...waitFlags },
  aliases: { y: 'yes' },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).rollback,
})
