import { define } from '../../command/define.ts'
import { accountName } from '../../command/parameters.ts'
import type { AccountSwitch } from './run.ts'

export const accountSwitch = define<object, [name: string], AccountSwitch>({
  brief: 'Choose the account that commands use',
  examples: [['slipway account switch -', 'goes back to the account before']],
  positional: { kind: 'tuple', parameters: [accountName] },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).accountSwitch,
})
