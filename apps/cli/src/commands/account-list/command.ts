import { define } from '../../command/define.ts'
import type { AccountList } from './run.ts'

export const accountList = define<object, [], AccountList>({
  brief: 'List your accounts',
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).accountList,
})
