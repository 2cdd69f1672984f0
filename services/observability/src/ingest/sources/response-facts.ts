import { isRecord } from '../messages/plain-json.ts'
import type { SentSpan } from './sent-span.ts'

const NANO_USD_PER_USD = 1e9
/** A higher cost of one call isn't plausible. It is low enough that sums fit into an int64. */
const MAX_COST_USD = 10_000
const NS_PER_MS = 1e6
/** A longer wait for the first token isn't plausible. */
const MAX_FIRST_TOKEN_MS = 24 * 60 * 60 * 1000

/** Returns the first of these attributes that names why a model ended its response. */
export function finishReasonIn(span: SentSpan, ...keys: readonly string[]): string {
  for (const key of keys) {
    const reason = firstText(span.value(key) ?? span.text(key))
    if (reason !== '') return reason
  }
  return ''
}

/** Returns the reason in the last message of a response. */
export function reasonInMessages(messages: unknown): string {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
  return isRecord(last) ? firstText(last['finish_reason']) : ''
}

/** Returns the reason at the end of messages in JSON, without parsing them. */
export function reasonAtEnd(json: string): string {
  return REASON.exec(json.slice(-MAX_END_LENGTH))?.[1] ?? ''
}

const MAX_END_LENGTH = 200
const REASON = /"finish_reason":\s*"([^"\\]+)"\s*\}\s*\]\s*$/

/** A response with several choices has a list of reasons. */
function firstText(value: unknown): string {
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  return typeof first === 'string' ? first : ''
}

/** Converts an amount in US dollars, as a number or in text; undefined unless it is above zero. */
export function toNanoUsd(usd: unknown): bigint | undefined {
  const amount = typeof usd === 'string' && /^[\d.eE+-]{1,40}$/.test(usd) ? Number(usd) : usd
  if (typeof amount !== 'number' || !(amount > 0 && amount <= MAX_COST_USD)) return undefined
  return BigInt(Math.round(amount * NANO_USD_PER_USD))
}

/** Converts the time that the first token took; undefined if it isn't plausible. */
export function firstTokenAfter(ms: number | undefined): bigint | undefined {
  return ms !== undefined && ms > 0 && ms <= MAX_FIRST_TOKEN_MS
    ? BigInt(Math.round(ms * NS_PER_MS))
    : undefined
}

/** Returns the time from the start of a span to an instant in nanoseconds since 1970. */
export function firstTokenAt(span: SentSpan, timeNs: bigint | undefined): bigint | undefined {
  if (timeNs === undefined) return undefined
  return firstTokenAfter(Number(timeNs - span.startTimeNs) / NS_PER_MS)
}

/** Returns an attribute that is an instant, in nanoseconds since 1970; undefined for others. */
export function instantIn(span: SentSpan, key: string): bigint | undefined {
  const text = span.text(key).replaceAll('"', '')
  const ms = text === '' || text.length > MAX_INSTANT_LENGTH ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? undefined : BigInt(ms) * BigInt(NS_PER_MS)
}

const MAX_INSTANT_LENGTH = 40
