import { define } from '../../command/define.ts'
import type { LoginFlags, LoginResult } from './run.ts'

export const login = define<LoginFlags, [url?: string], LoginResult>({
  brief: 'Sign in to a server in your browser',
  description:
    'Shows a code and opens a page of the identity provider, where you confirm the code. The\n' +
    'tokens are stored in the keyring of your system, or, without one, in a file that only you\n' +
    'can read. The server becomes the current context. If it signs in like another server that\n' +
    'you know, it could act as you there, so you are asked first.',
  examples: [
    ['slipway login https://slipway.example.com', 'signs in to a server'],
    ['slipway login', 'signs in to the current server again'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'url', brief: 'Its address', optional: true }],
  },
  flags: {
    name: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'context',
      brief: 'The name of the context; by default, the host name',
    },
    browser: { kind: 'boolean', default: true, brief: 'Open the page in a browser' },
    shareSignIn: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Trust the server with your access to another one that signs in alike',
    },
    insecure: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Allow http:// to another machine',
    },
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).login,
})
