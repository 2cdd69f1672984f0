import { randomUUID } from 'node:crypto'

import type { Subject } from './population.ts'

/** A statement that the catalog sent for the sample. */
export interface RecordedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A statement with the values for any subject. */
export interface ReplayStatement {
  readonly text: string
  readonly valuesFor: (subject: Subject) => unknown[]
}

type Part = string | { readonly of: keyof Subject }
type ValueMaker = (subject: Subject) => unknown

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Converts the statements recorded for `sample` to statements for any subject. Replaces the
 * sample's names and ids in all values with the subject's, and other ids with random ones.
 */
export function replayOf(
  recorded: readonly RecordedStatement[],
  sample: Subject,
): ReplayStatement[] {
  return recorded.map(({ text, values }) => {
    const makers = values.map((value) => makerOf(value, sample))
    return { text, valuesFor: (subject) => makers.map((make) => make(subject)) }
  })
}

function makerOf(value: unknown, sample: Subject): ValueMaker {
  if (Array.isArray(value)) {
    const makers = value.map((entry: unknown) => makerOf(entry, sample))
    return (subject) => makers.map((make) => make(subject))
  }
  if (typeof value === 'object' && value !== null) {
    if ('bytes' in value) return constant(Buffer.from(String(value.bytes), 'base64'))
    if ('time' in value) return constant(new Date(String(value.time)))
  }
  if (typeof value !== 'string') return constant(value)
  const parts = partsOf(value, sample)
  if (parts.every((part) => typeof part === 'string'))
    return UUID.test(value) ? () => randomUUID() : constant(value)
  return (subject) =>
    parts.map((part) => (typeof part === 'string' ? part : subject[part.of])).join('')
}

function partsOf(text: string, sample: Subject): Part[] {
  let parts: Part[] = [text]
  for (const of of Object.keys(sample) as (keyof Subject)[]) {
    parts = parts.flatMap((part) =>
      typeof part === 'string'
        ? part
            .split(sample[of])
            .flatMap((piece, index) => (index === 0 ? [piece] : [{ of }, piece]))
        : [part],
    )
  }
  return parts.filter((part) => part !== '')
}

function constant(value: unknown): ValueMaker {
  return () => value
}
