import { define } from '../../command/define.ts'
import type { LogoutResult } from './run.ts'

export const logout = define<object, [], LogoutResult>({
  brief: 'Remove your tokens from this machine',
  description:
    'Revokes the refresh token at the identity provider, if it offers that, and removes the\n' +
    'tokens of the current context from this machine.',
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).logout,
})
