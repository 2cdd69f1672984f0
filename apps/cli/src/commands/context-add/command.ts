import { define } from '../../command/define.ts'
import type { ContextAdd, ContextAddFlags } from './run.ts'

export const contextAdd = define<ContextAddFlags, [name: string, url: string], ContextAdd>({
  brief: 'Add a server without signing in',
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'name', brief: 'The name of the context' },
      { parse: String, placeholder: 'url', brief: 'The address of the server' },
    ],
  },
  flags: {
    registry: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'host/path',
      brief: 'Where the images of builds are pushed',
    },
    base: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'image',
      brief: 'The image in which projects run, or packages for those of Debian',
    },
    insecure: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Allow http:// to another machine',
    },
    use: { kind: 'boolean', default: true, brief: 'Make it the current context' },
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).contextAdd,
})
