import { NotFound } from '@slipway/shared/errors'

// Existing clients compare these messages, so they must not change.

/** The error for an unknown account. */
export function accountNotFound(): NotFound {
  return new NotFound('account_not_found', 'account not found')
}

/** The error for an agent that doesn't exist, or that the caller may not see. */
export function agentNotFound(): NotFound {
  return new NotFound('agent_not_found', 'agent not found')
}

/** The error for an agent without a build that the caller may see. */
export function noBuilds(): NotFound {
  return new NotFound('no_builds', 'no builds found for agent')
}

/** The error for a build that doesn't exist, or that the caller may not see. */
export function buildNotFound(): NotFound {
  return new NotFound('build_not_found', 'build not found')
}

/** The error for an unknown version. */
export function versionNotFound(): NotFound {
  return new NotFound('version_not_found', 'version not found')
}

/** The error for a user who has never signed in. */
export function userNotFound(): NotFound {
  return new NotFound('user_not_found', 'user not found')
}

/** The error for a user who is not a member of the account. */
export function memberNotFound(): NotFound {
  return new NotFound('member_not_found', 'the user is not a member of the account')
}
