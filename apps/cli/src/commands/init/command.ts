import { define } from '../../command/define.ts'
import type { InitFlags, InitResult } from './run.ts'

export const init = define<InitFlags, [template?: string, folder?: string], InitResult>({
  brief: 'Start a new agent from a project or a template',
  description:
    'In the folder of a project, writes its astroai.yml: how it starts, its port, and the\n' +
    'variables of its .env.example. With a template, copies that to a folder: an agent in\n' +
    'Node.js or Python that answers over HTTP and sends traces. The folder is the current\n' +
    'one, or a new one with this name. Files that exist are never replaced.',
  examples: [
    ['slipway init', 'writes astroai.yml for the project here; without one, asks for a template'],
    ['slipway init node', 'starts an agent in the current folder, with the name of the folder'],
    ['slipway init python-llm my-bot', 'starts an agent in the new folder my-bot'],
    ['slipway init --list', 'lists the templates'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'template', brief: 'The template', optional: true },
      {
        parse: String,
        placeholder: 'folder',
        brief: 'Where the agent is written; by default, the current folder',
        optional: true,
      },
    ],
  },
  flags: {
    name: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'name',
      brief: 'The name of the agent; by default, that of the folder',
    },
    list: { kind: 'boolean', default: false, withNegated: false, brief: 'List the templates' },
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).init,
})
