import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import type { AgentsShow } from './run.ts'

export const agentsShow = define<object, [agent?: AgentReference], AgentsShow>({
  brief: 'Show an agent: its versions and builds, what it needs, and its readme',
  description:
    'Members of the account see all builds, others the published versions. If you are signed\n' +
    'in, it also lists the credentials that a deploy needs.',
  examples: [['slipway agents show acme/handbook', 'shows an agent of another account']],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).agentsShow,
})
