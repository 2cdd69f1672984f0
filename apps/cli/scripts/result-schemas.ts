import { allCommands } from '../src/app/all-commands.ts'
import { resultSchema } from './result-schema.ts'

/** What the JSON of each command is, as a JSON Schema with a definition for each. */
export interface ResultSchemas {
  readonly $schema: string
  readonly title: string
  /** By command. */
  readonly $defs: Readonly<Record<string, ResultSchema>>
}

/** `x-body-of` names the operations of the API whose body it is; else it is a JSON Schema. */
export type ResultSchema = {
  readonly description?: string
  readonly 'x-lines'?: boolean
  readonly 'x-has-names'?: boolean
  readonly 'x-body-of'?: readonly string[]
}

/** The schemas of what `--json` prints, for all commands. */
export async function resultSchemas(): Promise<ResultSchemas> {
  const definitions = allCommands().map(async ({ name, definition }) => {
    const { anyBody, bodyOf, hasNames, lines, schema } = definition.json
    const form = {
      ...(lines && { 'x-lines': true }),
      ...(bodyOf !== undefined && { 'x-body-of': [bodyOf].flat() }),
      ...(hasNames && { 'x-has-names': true }),
      ...(anyBody && { description: 'The body of the response' }),
    }
    return [name, { ...form, ...(schema && plain(await resultSchema(name))) }] as const
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What each command of slipway prints with --json',
    $defs: Object.fromEntries(await Promise.all(definitions)),
  }
}

/** Without what typebox adds for itself. */
function plain(schema: object): object {
  return JSON.parse(JSON.stringify(schema)) as object
}
