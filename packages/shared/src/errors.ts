/** One problem with one field of a request. */
export interface FieldViolation {
  readonly field: string
  readonly description: string
}

/** The optional parts of a domain error. */
export interface DomainErrorOptions {
  /** The original error; logged, never sent. */
  readonly cause?: unknown
  /** Machine-readable details, e.g. the name of a missing resource. Sent to the caller. */
  readonly metadata?: Readonly<Record<string, string>>
  /** The problems with individual fields. Sent to the caller. */
  readonly violations?: readonly FieldViolation[]
  /** When to retry. Sent to the caller. */
  readonly retryAfterMs?: number
}

/**
 * An error meant for the caller. `reason` is a stable machine-readable word in lower snake case;
 * the message is meant for users. Independent of the transport: `rpc/` converts it to a status
 * code, the gateway to a problem body.
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

/** The request itself is invalid; retrying won't help. */
export class InvalidInput extends DomainError {}
/** The resource does not exist, or the caller may not see it. */
export class NotFound extends DomainError {}
export class AlreadyExists extends DomainError {}
/** Another operation is in progress; retrying may help. */
export class Conflict extends DomainError {}
/** The request is valid, but the state of the system doesn't allow it. */
export class FailedPrecondition extends DomainError {}
/** The caller is authenticated, but not allowed to do this. */
export class PermissionDenied extends DomainError {}
export class Unauthenticated extends DomainError {}
/** The caller exceeds a limit on requests. */
export class RateLimited extends DomainError {}
/** A dependency is unreachable or overloaded; retrying may help. */
export class Unavailable extends DomainError {}

/** Returns the error for one invalid field; its message is `<field> <description>`. */
export function invalidField(
  field: string,
  description: string,
  { reason = 'invalid_argument', cause }: { reason?: string; cause?: unknown } = {},
): InvalidInput {
  const violations = [{ field, description }]
  return new InvalidInput(reason, `${field} ${description}`, { violations, cause })
}

/**
 * Collects the problems with a request's fields, so that the caller gets all of them in one
 * response.
 */
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
