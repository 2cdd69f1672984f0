import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import type { Publish, PublishFlags } from './run.ts'

export const publish = define<PublishFlags, [version: string, agent?: AgentReference], Publish>({
  brief: 'Publish a build as a version that everyone can deploy',
  description:
    'A version follows https://semver.org, without a leading v. It always means the same build:\n' +
    'it can be yanked, but never deleted. Publishing a build again as the same version changes\n' +
    'nothing.',
  examples: [
    ['slipway publish 1.2.0', 'publishes the newest build of the agent in this folder'],
    ['slipway publish 1.1.3 handbook --build b6', 'publishes another build'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'version', brief: 'The version, for example 1.2.0' },
      agentParameter,
    ],
  },
  flags: {
    build: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'id',
      brief: 'The build; by default, the one pushed last from this folder, or the newest one',
    },
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).publish,
})
