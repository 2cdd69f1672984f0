import { InvalidInput, type FieldViolation } from '@slipway/shared/errors'

/** Throws InvalidInput `invalid_argument` when there is any violation. */
export function refuseViolations(violations: readonly FieldViolation[]): void {
  const [first] = violations
  if (first === undefined) return
  throw new InvalidInput('invalid_argument', `${first.field}: ${first.description}`, { violations })
}

/** A violation for each of the fields that is empty. */
export function missingFields(fields: Readonly<Record<string, string>>): FieldViolation[] {
  return Object.entries(fields)
    .filter(([, value]) => value === '')
    .map(([field]) => ({ field, description: 'is required' }))
}

/** A violation when a whole number is out of bounds. */
export function outOfBounds(
  field: string,
  value: number,
  min: number,
  max: number,
): FieldViolation[] {
  return value >= min && value <= max
    ? []
    : [{ field, description: `must be from ${min} to ${max}` }]
}

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** Whether an object of the cluster can have this name; anything else is not even asked for. */
export function isObjectName(name: string): boolean {
  return name.length <= 253 && SUBDOMAIN.test(name)
}
