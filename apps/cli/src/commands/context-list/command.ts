import { define } from '../../command/define.ts'
import type { ContextList } from './run.ts'

export const contextList = define<object, [], ContextList>({
  brief: 'List the servers that you have signed in to or added',
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).contextList,
})
