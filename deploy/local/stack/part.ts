import type { Stack } from './stack.ts'

/** The status of one process or of one replaced part. */
export interface PartStatus {
  readonly name: string
  readonly state: 'running' | 'stopped' | 'crashed' | 'external'
  readonly detail?: string
}

/** A port that a part listens on, checked before anything starts. */
export interface PortClaim {
  readonly host: string
  readonly port: number
  /** The daemon that listens there. If it is already running, it may hold the port. */
  readonly daemon: string
}

/** A component of the stack, for example Postgres or the gateway. */
export interface Part {
  readonly name: string
  /** Parts that must be up before this one starts. */
  readonly needs: readonly string[]
  /** The ports that this part listens on, so that `up` can first report ports that are in use. */
  ports?(stack: Stack): readonly PortClaim[]
  /**
   * Starts whatever isn't running, waits until the part is ready, and returns the variables that it
   * adds to the stack's environment. Running processes are left alone.
   */
  up(stack: Stack, log: (line: string) => void): Promise<Record<string, string>>
  down(stack: Stack): Promise<void>
  status(stack: Stack): Promise<PartStatus[]>
}

/** One part could not start or stop. */
export class PartFailure extends Error {
  readonly part: string

  constructor(part: string, cause: unknown) {
    super(`${part}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.part = part
  }
}

/** Receives the progress of parts. */
export interface PartReport {
  log(part: string, line: string): void
  done(part: string, milliseconds: number): void
  failed(part: string, failure: unknown): void
}

/**
 * Starts parts, each as soon as the parts that it needs are up, and collects their variables in
 * `stack.env`. After a failure, parts that don't need the failed one still start; then it throws a
 * PartFailure, or an AggregateError of several.
 */
export async function bringUp(
  parts: readonly Part[],
  stack: Stack,
  report: PartReport,
): Promise<void> {
  await inOrder(
    parts,
    (part) => part.needs,
    async (part) => {
      const start = performance.now()
      try {
        const contributed = await part.up(stack, (line) => report.log(part.name, line))
        for (const [key, value] of Object.entries(contributed)) stack.env.set(key, value)
      } catch (error) {
        report.failed(part.name, error)
        throw new PartFailure(part.name, error)
      }
      report.done(part.name, performance.now() - start)
    },
  )
}

/**
 * Stops parts, each after the parts that need it. After a failure it stops the rest; then it throws
 * a PartFailure, or an AggregateError of several.
 */
export async function takeDown(parts: readonly Part[], stack: Stack): Promise<void> {
  const failures: PartFailure[] = []
  await inOrder(
    parts,
    (part) => parts.filter((other) => other.needs.includes(part.name)).map((other) => other.name),
    async (part) => {
      await part
        .down(stack)
        .catch((error: unknown) => failures.push(new PartFailure(part.name, error)))
    },
  )
  if (failures[0])
    throw failures.length === 1 ? failures[0] : new AggregateError(failures, describe(failures))
}

class Skipped extends Error {}

async function inOrder(
  parts: readonly Part[],
  before: (part: Part) => readonly string[],
  run: (part: Part) => Promise<void>,
): Promise<void> {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const started = new Map<string, Promise<void>>()
  const start = (part: Part, path: readonly string[]): Promise<void> => {
    if (path.includes(part.name))
      throw new Error(`parts depend on each other: ${[...path, part.name].join(' → ')}`)
    const known = started.get(part.name)
    if (known) return known
    const earlier = before(part).map((name) => {
      const needed = byName.get(name)
      if (!needed) throw new Error(`${part.name} needs ${name}, which is not in this stack`)
      return start(needed, [...path, part.name])
    })
    const promise = Promise.all(earlier).then(
      () => run(part),
      () => Promise.reject(new Skipped(part.name)),
    )
    started.set(part.name, promise)
    return promise
  }
  const results = await Promise.allSettled(parts.map((part) => start(part, [])))
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as Error] : [],
  )
  const real = failures.filter((failure) => !(failure instanceof Skipped))
  if (real[0]) throw real.length === 1 ? real[0] : new AggregateError(real, describe(real))
}

/** Returns the names of the parts that failed in `bringUp`; empty for any other error. */
export function failedParts(error: unknown): string[] {
  const all: unknown[] = error instanceof AggregateError ? error.errors : [error]
  return all.flatMap((each) => (each instanceof PartFailure ? [each.part] : []))
}

function describe(failures: readonly Error[]): string {
  return failures.map((failure) => failure.message).join('\n')
}
