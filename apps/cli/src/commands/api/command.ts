import { define } from '../../command/define.ts'
import { methods, type ApiFlags, type Method } from './options.ts'

export const api = define<ApiFlags, [method: Method, path: string], unknown>({
  brief: 'Send a request to the API, for what no command does',
  description:
    'PATH is below /api/v1 of the server, for example /me; `slipway open` describes all paths.\n' +
    'Prints the body of the response. The body of an error is printed to standard error.\n' +
    'Secrets belong into --input, because others can see the arguments of a process.',
  examples: [
    ['slipway api GET /me', 'prints your profile'],
    ['slipway api GET /agents --field q=support --paginate', 'prints all pages'],
    ['slipway api POST /accounts --field name=acme', 'sends {"name":"acme"}'],
    ['slipway api POST /deploy --input request.json', 'sends a file; - is standard input'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: parseMethod,
        placeholder: 'method',
        brief: methods.join(', '),
        proposeCompletions: (partial) =>
          methods.filter((method) => method.startsWith(partial.toUpperCase())),
      },
      { parse: String, placeholder: 'path', brief: 'The path, with its query' },
    ],
  },
  flags: {
    field: {
      kind: 'parsed',
      parse: String,
      variadic: true,
      optional: true,
      placeholder: 'name=text',
      brief: 'A member of the body, or a parameter of a GET; name:=JSON for other types',
    },
    input: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'file',
      brief: 'A file with the body; - is standard input',
    },
    header: {
      kind: 'parsed',
      parse: String,
      variadic: true,
      optional: true,
      placeholder: 'name:value',
      brief: 'A header of the request, for example Idempotency-Key',
    },
    paginate: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Also print all further pages of a list',
    },
    include: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Print status and headers to standard error',
    },
  },
  aliases: { f: 'field', i: 'include' },
  json: { anyBody: true },
  load: async () => (await import('./run.ts')).api,
})

function parseMethod(text: string): Method {
  const method = methods.find((each) => each === text.toUpperCase())
  if (method === undefined) throw new Error(`"${text}" is not one of ${methods.join(', ')}`)
  return method
}
