import { define } from '../../command/define.ts'
import type { UsageOfAccount } from './run.ts'

export const usage = define<object, [], UsageOfAccount>({
  brief: 'Show the limits of the account, and how much of them it uses',
  examples: [['slipway usage --account acme', 'shows those of another account']],
  json: { bodyOf: 'GET /accounts/{account}/usage' },
  load: async () => (await import('./run.ts')).usage,
})
