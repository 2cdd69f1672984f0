import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import type { OpenFlags, OpenPage } from './run.ts'

export const open = define<OpenFlags, [agent?: AgentReference], OpenPage>({
  brief: 'Open the console in your browser',
  description:
    'Opens the console, or the page of an agent that is deployed. A server without a console\n' +
    'opens the description of the API instead. Prints the address, also where there is no\n' +
    'browser.',
  positional: {
    kind: 'tuple',
    parameters: [{ ...agentParameter, brief: 'NAME or ACCOUNT/NAME; by default, all deployments' }],
  },
  flags: {
    page: {
      kind: 'enum',
      values: ['api', 'guides'],
      optional: true,
      brief: 'Open the description of the API, or the guides and the reference',
    },
    browser: { kind: 'boolean', default: true, brief: 'Open a browser if there is one' },
  },
  examples: [
    ['slipway open support-agent', 'opens the page of the agent'],
    ['slipway open --page guides', 'opens the guides'],
  ],
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).open,
})
