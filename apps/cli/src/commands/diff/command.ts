import type { AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { parseRevision } from '../../deployments/agent-and-last.ts'
import { agentOrRevision } from '../../deployments/agent-or-revision.ts'
import type { Diff } from './run.ts'

const revision = { parse: parseRevision, placeholder: 'revision', optional: true } as const

export const diff = define<
  object,
  [agent?: AgentReference | number, from?: number, to?: number],
  Diff
>({
  brief: 'Show how two revisions differ',
  description:
    'Compares who made two revisions, when, from which builds, what their builds run, and their\n' +
    'overrides, schedules, interfaces and names of credentials. With one revision, it is\n' +
    'compared with the one in the cluster. Values of credentials are not compared.',
  examples: [
    ['slipway diff 3 5', 'how revision 5 differs from revision 3'],
    ['slipway diff support-agent 3', 'how what runs differs from revision 3'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      agentOrRevision,
      { ...revision, brief: 'The first revision' },
      { ...revision, brief: 'The second revision; by default, that in the cluster' },
    ],
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).diff,
})
