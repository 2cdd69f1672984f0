/** The kinds of callers. */
export const CALLERS = [
  'owner',
  'admin',
  'member',
  'stranger',
  'anonymous',
  'expired',
  'forged',
  'service',
  'other service',
] as const
/** A kind of caller. */
export type Caller = (typeof CALLERS)[number]
/** The outcome of a call for each kind of caller. */
export type Outcomes = Readonly<Record<Caller, string>>

/** The outcomes of an RPC for users: `ok` for owners, and those of the others. */
export function forUsers(member: string, stranger: string, admin = 'ok'): Outcomes {
  return {
    owner: 'ok',
    admin,
    member,
    stranger,
    anonymous: 'token_required',
    expired: 'token_expired',
    forged: 'invalid_token',
    service: 'wrong_caller',
    'other service': 'wrong_caller',
  }
}

/** The outcomes of a public RPC, for members of the account and for everyone else. */
export function forAnyone(insider: string, outsider: string): Outcomes {
  const outsiders = {
    stranger: outsider,
    anonymous: outsider,
    expired: outsider,
    forged: outsider,
    service: outsider,
    'other service': outsider,
  }
  return { owner: insider, admin: insider, member: insider, ...outsiders }
}

/** The outcomes of an RPC for one service. */
export const FOR_SERVICES: Outcomes = {
  ...forUsers('wrong_caller', 'wrong_caller', 'wrong_caller'),
  owner: 'wrong_caller',
  service: 'ok',
}

/** The reason for users without the needed role. */
export const DENIED = 'permission_denied'
