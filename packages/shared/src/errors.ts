/** One problem of one field of a request. */
export interface FieldViolation {
  readonly field: string
  readonly description: string
}

/** What a domain error may carry beside its reason and message. */
export interface DomainErrorOptions {
  /** The error that led here; logged, never sent. */
  readonly cause?: unknown
  /** Facts that a program may use, e.g. the name of the missing thing. Sent to the caller. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Field by field what is wrong. Sent to the caller. */
  readonly violations?: readonly FieldViolation[]
  /** When the caller may try again. Sent to the caller. */
  readonly retryAfterMs?: number
}

/**
 * An error that domain code means to tell its caller. `reason` is a stable machine word in lower
 * snake case; the message is fit for users. Transport-neutral: `rpc/` turns it into a status code,
 * the gateway into a problem body.
 */
export abstract class DomainError extends Error {
  readonly reason: string
  readonly metadata: Readonly<Record<string, string>>
  readonly violations: readonly FieldViolation[]
  readonly retryAfterMs: number | undefined

  constructor(reason: string, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = new.target.name
    this.reason = reason
    this.metadata = options.metadata ?? {}
    this.violations = options.violations ?? []
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The request itself is wrong; sending it again can't help. */
export class InvalidInput extends DomainError {}
/** The thing does not exist, or not for this caller. */
export class NotFound extends DomainError {}
/** The thing exists already. */
export class AlreadyExists extends DomainError {}
/** Another operation is in the way; trying again may help. */
export class Conflict extends DomainError {}
/** The request is well formed, but the state of the system forbids it. */
export class FailedPrecondition extends DomainError {}
/** The caller is known, but may not do this. */
export class PermissionDenied extends DomainError {}
/** The caller did not prove who they are. */
export class Unauthenticated extends DomainError {}
/** The caller asks for too much. */
export class RateLimited extends DomainError {}
/** Something that is needed can't be reached now; trying again may help. */
export class Unavailable extends DomainError {}

/** The error about one field; its message reads `<field> <description>`. */
export function invalidField(
  field: string,
  description: string,
  { reason = 'invalid_argument', cause }: { reason?: string; cause?: unknown } = {},
): InvalidInput {
  const violations = [{ field, description }]
  return new InvalidInput(reason, `${field} ${description}`, { violations, cause })
}

/** Collects the problems of a request's fields, so that the caller gets all of them at once. */
export class Violations {
  readonly #found: FieldViolation[] = []

  /** Adds a problem with a field unless the condition holds. */
  require(condition: boolean, field: string, description: string): this {
    if (!condition) this.#found.push({ field, description })
    return this
  }

  /** Adds a problem for each field that is empty. */
  requireFilled(fields: Readonly<Record<string, string>>): this {
    for (const [field, value] of Object.entries(fields))
      this.require(value !== '', field, 'is required')
    return this
  }

  /** Adds a problem unless `min` <= value <= `max`. */
  requireWithin(field: string, value: number, min: number, max: number): this {
    return this.require(value >= min && value <= max, field, `must be from ${min} to ${max}`)
  }

  /** Throws InvalidInput if there is any problem. Its message describes the first one. */
  throwIfAny(): void {
    const [first] = this.#found
    if (first === undefined) return
    throw new InvalidInput('invalid_argument', `${first.field} ${first.description}`, {
      violations: this.#found,
    })
  }
}
