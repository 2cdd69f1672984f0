// The limit of a Secret's keys: any variable may become one.
const MAX_LENGTH = 253
const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Makes a name usable in the name of a variable: upper case, with `_` for each character outside
 * `[A-Z0-9_]`.
 */
export function sanitizeEnvName(name: string): string {
  // ASCII only: other letters can have longer upper-case forms, or ones that depend on the locale.
  return name.replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/[^A-Z0-9_]/gu, '_')
}

/**
 * Joins parts to the name of a variable. Adds a `_` before a leading digit, because no shell could
 * set such a variable.
 */
export function joinEnvName(...parts: string[]): string {
  const name = parts.map(sanitizeEnvName).join('_')
  return /^[0-9]/.test(name) ? `_${name}` : name
}

/** Whether a shell and Kubernetes accept a name for a variable. */
export function isEnvName(name: string): boolean {
  return name.length <= MAX_LENGTH && ENVIRONMENT_NAME.test(name)
}
