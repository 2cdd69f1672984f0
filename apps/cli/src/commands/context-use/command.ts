import { define } from '../../command/define.ts'
import { contextName } from '../../command/parameters.ts'
import type { ContextUse } from './run.ts'

export const contextUse = define<object, [name: string], ContextUse>({
  brief: 'Choose the server that commands use',
  examples: [['slipway context use -', 'goes back to the context before']],
  positional: { kind: 'tuple', parameters: [contextName] },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).contextUse,
})
