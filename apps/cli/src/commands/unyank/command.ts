import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import type { Unyank } from './run.ts'

export const unyank = define<object, [version: string, agent?: AgentReference], Unyank>({
  brief: 'Take back the yank of a version',
  description: 'The version counts again when the latest version is chosen.',
  examples: [['slipway unyank 1.2.0 handbook', 'takes back its yank']],
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'version', brief: 'The published version' },
      agentParameter,
    ],
  },
  json: { bodyOf: 'POST /agents/{account}/{name}/versions/{version}/unyank' },
  load: async () => (await import('./run.ts')).unyank,
})
