import { join } from 'node:path'

import type { TSchema } from 'typebox'

/** The schema in the file `result.ts` of a command, for example of `context list`. */
export async function resultSchema(command: string): Promise<TSchema> {
  const folder = command.replaceAll(' ', '-')
  const file = join(import.meta.dirname, '../src/commands', folder, 'result.ts')
  return ((await import(file)) as { schema: TSchema }).schema
}
