import {
  buildCommand,
  type Aliases,
  type Command,
  type FlagParametersForType,
  type TypedPositionalParameters,
} from '@stricli/core'

import { commonAliases, commonFlags } from './common-flags.ts'
import type { CommonFlags } from './flag-values.ts'
import type { Implementation } from './implementation.ts'
import type { ProcessContext } from './process-context.ts'
import { argumentUsages } from './usage-line.ts'

/** A command as the user sees it. */
export interface Definition<Flags extends object, Args extends readonly unknown[], Result> {
  /** One line, for lists of commands. */
  readonly brief: string
  /** Paragraphs for the command's own help. */
  readonly description?: string
  /** Calls that work, with what they do. */
  readonly examples?: readonly (readonly [call: string, what: string])[]
  readonly flags?: FlagParametersForType<Flags, ProcessContext>
  readonly aliases?: Aliases<keyof Flags & string>
  readonly positional?: TypedPositionalParameters<Args, ProcessContext>
  /** What `--json` prints: the body of an operation of the API, or our own schema. */
  readonly json: JsonResult
  readonly load: () => Promise<Implementation<Flags, Args, Result>>
}

/** See {@link Definition.json}. `lines` is one JSON value a line. */
export interface JsonResult {
  readonly lines?: true
  /** An operation like `GET /me`, whose body is the result; or several, one for each form. */
  readonly bodyOf?: string | readonly string[]
  /** Next to the id of a person is their name, for example `created_by_name`. */
  readonly hasNames?: true
  /** The file `result.ts` in the command's folder exports the schema of the result. */
  readonly schema?: 'result.ts'
  /** It is the body of any operation of the API. */
  readonly anyBody?: true
}

/** All definitions by their command, for the reference. */
export const definitions = new WeakMap<
  Command<ProcessContext>,
  Definition<object, readonly unknown[], unknown>
>()

/** Makes a command with the options that all have. */
export function define<
  Flags extends object = object,
  Args extends readonly unknown[] = [],
  Result = unknown,
>(definition: Definition<Flags, Args, Result>): Command<ProcessContext> {
  const { brief, flags, aliases, positional, load } = definition
  // Stricli's types of parameters can't be joined generically; they are checked in `Definition`.
  const parameters = {
    flags: { ...flags, ...commonFlags },
    aliases: { ...commonAliases, ...aliases },
    ...(positional !== undefined && { positional }),
  } as never
  const command = buildCommand<CommonFlags & Flags, never, ProcessContext>({
    docs: {
      brief,
      fullDescription: helpText(brief, definition),
      customUsage: [
        [...argumentUsages(positional as never).map(({ usage }) => usage), '[OPTIONS]'].join(' '),
      ],
    },
    parameters,
    loader: async () => {
      const [{ perform }, implementation] = await Promise.all([import('./perform.ts'), load()])
      return async function (this: ProcessContext, given: CommonFlags & Flags, ...args: Args) {
        await perform(this, implementation, given, args)
      } as never
    },
  }) as Command<ProcessContext>
  definitions.set(command, definition as never)
  return command
}

function helpText(
  brief: string,
  { description, examples = [] }: Pick<Definition<object, [], unknown>, 'description' | 'examples'>,
): string {
  const calls = examples.map(([call, what]) => `  ${call}\n      ${what}`)
  const parts = [description ?? brief, calls.length > 0 && `EXAMPLES\n${calls.join('\n')}`]
  return parts.filter((part) => part !== false).join('\n\n')
}
