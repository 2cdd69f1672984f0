import { NotFound } from '@slipway/shared/errors'

// Existing clients look for the words of these messages.

/** There is no account of that name. */
export function accountNotFound(): NotFound {
  return new NotFound('account_not_found', 'account not found')
}

/** There is no such agent, or none for this caller. */
export function agentNotFound(): NotFound {
  return new NotFound('agent_not_found', 'agent not found')
}

/** The agent has no build that this caller may take. */
export function noBuilds(): NotFound {
  return new NotFound('no_builds', 'no builds found for agent')
}

/** The agent has no such build, or none for this caller. */
export function buildNotFound(): NotFound {
  return new NotFound('build_not_found', 'build not found')
}

/** The agent has no such version. */
export function versionNotFound(): NotFound {
  return new NotFound('version_not_found', 'version not found')
}

/** Nobody with that id ever signed in. */
export function userNotFound(): NotFound {
  return new NotFound('user_not_found', 'user not found')
}

/** The user is no member of the account. */
export function memberNotFound(): NotFound {
  return new NotFound('member_not_found', 'the user is not a member of the account')
}
