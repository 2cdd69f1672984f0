import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import type { Yank } from './run.ts'

export const yank = define<object, [version: string, agent?: AgentReference], Yank>({
  brief: 'Withdraw a version, so that it is no longer deployed by default',
  description:
    'A yanked version stays visible, and its deployments keep running. It is never the latest\n' +
    'version, and is only deployed if a deploy names it.',
  examples: [['slipway yank 1.2.0 handbook', 'withdraws the version 1.2.0']],
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'version', brief: 'The published version' },
      agentParameter,
    ],
  },
  json: { bodyOf: 'POST /agents/{account}/{name}/versions/{version}/yank' },
  load: async () => (await import('./run.ts')).yank,
})
