import { define } from '../../command/define.ts'
import { contextName } from '../../command/parameters.ts'
import type { ContextRemove } from './run.ts'

export const contextRemove = define<object, [name: string], ContextRemove>({
  brief: 'Forget a server, and remove its tokens from this machine',
  positional: { kind: 'tuple', parameters: [contextName] },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).contextRemove,
})
