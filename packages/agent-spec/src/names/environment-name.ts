// The length limit for a key of a Secret, because any variable may become one.
const MAX_LENGTH = 253
const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Converts a name for use in a variable name: upper case, with `_` for each character outside
 * `[A-Z0-9_]`.
 */
export function sanitizeEnvName(name: string): string {
  // Only ASCII is left for `toUpperCase`: other letters can have longer upper-case forms.
  return name.replace(/[^A-Za-z0-9_]/gu, '_').toUpperCase()
}

/**
 * Joins parts to a variable name. Adds a `_` before a leading digit, because a shell couldn't set
 * such a variable.
 */
export function joinEnvName(...parts: string[]): string {
  const name = parts.map(sanitizeEnvName).join('_')
  return /^[0-9]/.test(name) ? `_${name}` : name
}

/** Whether both shells and Kubernetes accept a variable name. */
export function isEnvName(name: string): boolean {
  return name.length <= MAX_LENGTH && ENVIRONMENT_NAME.test(name)
}
