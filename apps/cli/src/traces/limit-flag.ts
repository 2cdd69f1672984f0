import { wholeNumber } from '../command/values/amount.ts'

const MOST = 10_000

/** The option that says how many traces, turns or sessions are shown. */
export function limitFlag(standard: string, what: string) {
  return {
    kind: 'parsed',
    parse: wholeNumber(1, MOST),
    default: standard,
    placeholder: 'number',
    brief: `${what}, up to ${MOST}`,
  } as const
}
