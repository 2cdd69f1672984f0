import { define } from '../../command/define.ts'
import type { OpenFlags, OpenPage } from './run.ts'

export const open = define<OpenFlags, [], OpenPage>({
  brief: 'Open the pages of the server in your browser',
  description:
    'Opens the description of the API, or with --guides the guides and the reference. Prints\n' +
    'the address, also where there is no browser.',
  flags: {
    guides: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Open the guides and the reference',
    },
    browser: { kind: 'boolean', default: true, brief: 'Open a browser if there is one' },
  },
  examples: [['slipway open --guides', 'opens the guides']],
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).open,
})
