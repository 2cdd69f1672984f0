import { NotFound } from '@slipway/shared/errors'

// Existing clients look for the phrases that these messages start with, so they must not change.

export function accountNotFound(detail?: string): NotFound {
  return new NotFound('account_not_found', withDetail('account not found', detail))
}

/** The error for an agent that doesn't exist, or that the caller may not see. */
export function agentNotFound(): NotFound {
  return new NotFound('agent_not_found', 'agent not found')
}

/** The error for an agent without a build that the caller may see. */
export function noBuilds(detail: string): NotFound {
  return new NotFound('no_builds', withDetail('no builds found for agent', detail))
}

/** The error for a build that doesn't exist, or that the caller may not see. */
export function buildNotFound(detail?: string): NotFound {
  return new NotFound('build_not_found', withDetail('build not found', detail))
}

export function versionNotFound(detail?: string): NotFound {
  return new NotFound('version_not_found', withDetail('version not found', detail))
}

/** The error for a user who has never signed in. */
export function userNotFound(): NotFound {
  return new NotFound('user_not_found', 'user not found')
}

/** The error for a user who is not a member of the account. */
export function memberNotFound(): NotFound {
  return new NotFound('member_not_found', 'the user is not a member of the account')
}

/** The error for a machine token that the account doesn't have. */
export function tokenNotFound(): NotFound {
  return new NotFound('token_not_found', 'the account has no such token')
}

function withDetail(phrase: string, detail: string | undefined): string {
  return detail === undefined ? phrase : `${phrase}: ${detail}`
}

/** A name of the request, which can have any length and characters, for messages. */
export function shown(name: string): string {
  const text = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name
  return JSON.stringify(text.toWellFormed())
}

/** The longest names that can exist are build ids and versions. */
const MAX_SHOWN = 128
