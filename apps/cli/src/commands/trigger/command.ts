import type { Schemas } from '@slipway/client'

import { define } from '../../command/define.ts'
import { parseSeconds } from '../../command/values/time.ts'
import type { TriggerFlags } from './run.ts'

export const trigger = define<
  TriggerFlags,
  [agent?: string, ingestion?: string],
  Schemas['IngestionRun']
>({
  brief: 'Run an ingestion now',
  description:
    'Runs an ingestion of a deployed agent. The last argument is the name of the ingestion; the\n' +
    'agent before it may be left out in the folder of its spec.\n\n' +
    'With --wait, the exit code is 5 if the run has failed, and 8 if it still goes on. Ctrl-C\n' +
    'stops waiting, and the run goes on.',
  examples: [
    ['slipway trigger docs --wait', 'runs the ingestion docs, and waits for its end'],
    ['slipway trigger notes docs', 'the same for the agent notes, without waiting'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'agent', brief: 'NAME or ACCOUNT/NAME', optional: true },
      { parse: String, placeholder: 'ingestion', brief: 'Its name in the spec', optional: true },
    ],
  },
  flags: {
    wait: { kind: 'boolean', default: false, withNegated: false, brief: 'Wait for its end' },
    timeout: {
      kind: 'parsed',
      parse: parseSeconds,
      default: '15m',
      placeholder: 'duration',
      brief: 'How long to wait',
    },
  },
  json: { bodyOf: 'POST /agents/{account}/{name}/deployment/ingestions/{ingestion}/runs' },
  load: async () => (await import('./run.ts')).trigger,
})
