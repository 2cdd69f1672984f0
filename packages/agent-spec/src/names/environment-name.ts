// A Secret's key may have at most 253 characters, and every variable may end up in one.
const MAX_LENGTH = 253
const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * An entry's name as part of a variable's name: upper case, and `_` for each character outside
 * `[A-Z0-9_]`.
 */
export function sanitizeEnvName(name: string): string {
  // ASCII only: the upper case of other letters can be longer, or depend on a locale.
  return name.replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/[^A-Z0-9_]/gu, '_')
}

/**
 * Joins parts to a variable's name. One that would start with a digit gets a `_`, since no shell
 * could set it.
 */
export function joinEnvName(...parts: string[]): string {
  const name = parts.map(sanitizeEnvName).join('_')
  return /^[0-9]/.test(name) ? `_${name}` : name
}

/** Whether a shell and Kubernetes take this as a variable's name. */
export function isEnvName(name: string): boolean {
  return name.length <= MAX_LENGTH && ENVIRONMENT_NAME.test(name)
}
