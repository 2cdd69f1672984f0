import { define } from '../../command/define.ts'
import { folderParameter } from '../../project/folder.ts'
import type { ValidateFlags, ValidateResult } from './run.ts'

export const validate = define<ValidateFlags, [folder?: string], ValidateResult>({
  brief: 'Check the spec of an agent, with line and column of each problem',
  description:
    'Checks astroai.yml with the same code as the server, without asking it. Errors prevent a\n' +
    'registration, warnings do not. The exit code is 1 if there are errors, or, with --strict,\n' +
    'warnings.',
  examples: [
    ['slipway validate', 'checks the spec in the current folder'],
    ['slipway validate --strict', 'fails for warnings, too, for example in CI'],
  ],
  positional: { kind: 'tuple', parameters: [folderParameter] },
  flags: {
    strict: { kind: 'boolean', default: false, withNegated: false, brief: 'Fail for warnings' },
    server: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Also let the server check a deploy of the newest registered build',
    },
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).validate,
})
