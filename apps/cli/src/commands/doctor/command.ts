import { define } from '../../command/define.ts'
import type { Doctor } from './run.ts'

export const doctor = define<object, [], Doctor>({
  brief: 'Check settings, connection, sign-in and tools, and say what to do',
  description:
    'Checks what commands need: the settings of this machine, the way to the server, its\n' +
    'version and clock, your token, the identity provider, and tools that build images. Changes\n' +
    'nothing. The exit code is 1 if a check failed.',
  examples: [['slipway doctor --json', 'prints the checks for a report']],
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).doctor,
})
