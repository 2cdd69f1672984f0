import type { TypedPositionalParameter } from '@stricli/core'

import type { ProcessContext } from './process-context.ts'

/** The name of a context. */
export const contextName: TypedPositionalParameter<string, ProcessContext> = {
  parse: String,
  placeholder: 'name',
  brief: 'The name of the context',
  proposeCompletions: proposals('contexts'),
}

/** The name of an account of the caller. */
export const accountName: TypedPositionalParameter<string, ProcessContext> = {
  parse: String,
  placeholder: 'name',
  brief: 'The name of the account',
  proposeCompletions: proposals('accounts'),
}

/** Proposes names of this kind from the settings or the server, when a shell completes a word. */
export function proposals(kind: 'contexts' | 'accounts' | 'agents') {
  return async function (this: ProcessContext, partial: string): Promise<readonly string[]> {
    const { propose } = await import('./propose.ts')
    return await propose(this, kind, partial)
  }
}

/** Parses an integer from 1 on. */
export function positiveInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new Error(`"${text}" is not an integer from 1 on`)
}
