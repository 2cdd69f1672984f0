import { define } from '../../command/define.ts'
import type { AccountCreate } from './run.ts'

export const accountCreate = define<object, [name: string], AccountCreate>({
  brief: 'Create a team account',
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'name', brief: 'Its name' }],
  },
  examples: [['slipway account create acme', 'creates an account that you own']],
  json: { bodyOf: 'POST /accounts' },
  load: async () => (await import('./run.ts')).accountCreate,
})
