import type { Schemas } from '@slipway/client'

import { lines, type Block, type Cell } from '../output/blocks.ts'
import { asOptions } from './as-options.ts'

type Failure = Schemas['ComponentFailure']

/** Why components are not ready, what they have logged, and what to do. */
export function failureView(failures: readonly Failure[]): readonly Block[] {
  return failures.map((failure) => lines(...linesOf(failure)))
}

function linesOf(failure: Failure): readonly Cell[] {
  const { component, pod, container, reason, message, event, log_lines: log = [], next } = failure
  const where = [component, pod, container !== component && container].filter(Boolean).join(', ')
  const faint = (text: string): Cell => ({ text, style: 'faint' })
  return [
    { text: `${where}: ${reason}: ${message}`, style: 'bad' },
    ...(event === undefined ? [] : [`event ${event.reason}: ${event.message}`]),
    ...(log.length === 0 ? [] : [faint('last lines of its log:')]),
    ...log.map((line) => `  ${line}`),
    ...(next.length === 0 ? [] : [faint('what to do:')]),
    ...next.map((step) => `  ${asOptions(step)}`),
  ]
}
