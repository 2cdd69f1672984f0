import { parseAgent, type AgentReference } from '../../command/agent-reference.ts'
import { yesFlag } from '../../command/consent.ts'
import { define } from '../../command/define.ts'
import { proposals } from '../../command/parameters.ts'
import { waitFlags } from '../../deployments/wait-flags.ts'
import type { DeployFlags, DeployOutcome } from './run.ts'

const texts = { kind: 'parsed', parse: String, variadic: true, optional: true } as const
const text = { kind: 'parsed', parse: String, optional: true } as const

export const deploy = define<DeployFlags, [agent?: AgentReference], DeployOutcome>({
  brief: 'Deploy an agent, and wait until it runs',
  description:
    'Shows what would change in the cluster, asks, deploys, and follows the pods until they are\n' +
    'ready or have failed. Credentials are never arguments: they are asked for, or read from a\n' +
    'file or standard input, and those that you do not give stay as they are. Without a version\n' +
    'or build, the newest build is deployed; in a folder that has pushed an earlier build again\n' +
    'since, as after a revert, that one.\n\n' +
    'OTHER/NAME deploys the published agent of another account into yours.\n\n' +
    'Ctrl-C stops waiting, and the deploy goes on. The exit code is 5 if a part has failed, and\n' +
    '8 if it still goes on when the wait ends.',
  examples: [
    ['slipway deploy', 'deploys the agent in the spec of this folder'],
    ['slipway deploy support-agent@1.2.0 --plan', 'shows what would change'],
    ['slipway deploy support-agent --env-file .env --yes', 'deploys without a question'],
    ['slipway deploy --build current --set agent.replicas=2', 'changes a setting'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: parseAgent,
        placeholder: 'agent',
        brief: 'NAME, NAME@VERSION or OTHER/NAME; by default, the agent in the spec of this folder',
        optional: true,
        proposeCompletions: proposals('agents'),
      },
    ],
  },
  flags: {
    build: { ...text, placeholder: 'id', brief: 'The build; `current` is the one that runs' },
    yes: yesFlag,
    plan: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Only show what would change',
    },
    envFile: { ...text, placeholder: 'file', brief: 'Credentials: lines NAME=VALUE, or JSON' },
    secretsFrom: { ...text, placeholder: 'file', brief: 'The same; `-` is standard input' },
    set: { ...texts, placeholder: 'path=value', brief: 'Override a setting; `null` ends that' },
    overrides: { ...text, placeholder: 'file', brief: 'Overrides as YAML or JSON' },
    schedule: { ...texts, placeholder: 'name=cron', brief: 'When an ingestion runs, in UTC' },
    interface: { ...texts, placeholder: 'name', brief: 'Enable an interface, for example web' },
    ...waitFlags,
  },
  aliases: { y: 'yes' },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).deploy,
})
