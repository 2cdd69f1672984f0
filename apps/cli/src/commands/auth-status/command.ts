import { define } from '../../command/define.ts'
import type { AuthStatus } from './run.ts'

export const authStatus = define<object, [], AuthStatus>({
  brief: 'Show the server, where the token is from, and when it expires',
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).authStatus,
})
