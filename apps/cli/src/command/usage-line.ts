import type { TypedPositionalParameters } from '@stricli/core'

import type { ProcessContext } from './process-context.ts'

/** An argument of a command, as its usage line shows it: `NAME`, `[NAME]` or `[NAME…]`. */
export interface ArgumentUsage {
  readonly usage: string
  readonly brief: string
}

interface Argument {
  readonly brief: string
  readonly placeholder?: string
  readonly optional?: boolean
}

/** The arguments of a command in their order. */
export function argumentUsages(
  positional: TypedPositionalParameters<never, ProcessContext> | undefined,
): readonly ArgumentUsage[] {
  const {
    kind,
    parameter,
    parameters = [],
  } = (positional ?? { kind: 'tuple' }) as {
    readonly kind: 'array' | 'tuple'
    readonly parameter?: Argument
    readonly parameters?: readonly Argument[]
  }
  const isList = kind === 'array'
  const all = parameter === undefined ? parameters : [parameter]
  return all.map(({ brief, placeholder = 'arg', optional }) => {
    const name = `${placeholder.toUpperCase()}${isList ? '…' : ''}`
    return { usage: optional === true || isList ? `[${name}]` : name, brief }
  })
}
