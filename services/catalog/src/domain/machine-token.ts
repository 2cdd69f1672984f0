import type { Role } from './role.ts'

/** The roles that a machine token can have. */
export const TOKEN_ROLES = ['member', 'admin'] as const satisfies readonly Role[]

export type TokenRole = (typeof TOKEN_ROLES)[number]

/** Bounds of the lifetime of a token. */
export const LIFETIME_DAYS = { default: 90, min: 1, max: 365 } as const

const MAX_LENGTH = 64
const NAME = /^[A-Za-z0-9]([A-Za-z0-9 ._/-]*[A-Za-z0-9])?$/

/** Describes what is wrong with the name of a token; undefined if nothing is. */
export function tokenNameProblem(name: string): string | undefined {
  if (name.length <= MAX_LENGTH && NAME.test(name)) return undefined
  return (
    `must be 1-${MAX_LENGTH} letters, digits, spaces and ._/-, ` +
    'beginning and ending with a letter or digit'
  )
}

/** A token's role as one; undefined for a role that no token can have. */
export function tokenRoleOf(role: Role | undefined): TokenRole | undefined {
  return TOKEN_ROLES.find((each) => each === role)
}
