import { expect, test } from 'vitest'

import { checkRoleChange, type Role } from './role.ts'

type Row = [
  actor: Role | undefined,
  self: boolean,
  from: Role | undefined,
  to: Role | undefined,
  owners: number,
  result: string,
]

const rows: Row[] = [
  ['admin', false, undefined, 'member', 1, 'ok'],
  ['admin', false, 'member', 'admin', 1, 'ok'],
  ['admin', false, 'admin', undefined, 1, 'ok'],
  ['admin', false, undefined, 'owner', 1, 'permission_denied'],
  ['admin', false, 'owner', 'member', 2, 'permission_denied'],
  ['admin', false, 'owner', undefined, 2, 'permission_denied'],
  ['admin', true, 'admin', 'owner', 1, 'permission_denied'],
  ['admin', true, 'admin', 'member', 1, 'ok'],
  ['owner', false, 'member', 'owner', 1, 'ok'],
  ['owner', false, 'owner', 'admin', 2, 'ok'],
  ['owner', true, 'owner', 'admin', 1, 'last_owner'],
  ['owner', true, 'owner', undefined, 1, 'last_owner'],
  ['owner', true, 'owner', undefined, 2, 'ok'],
  ['owner', true, 'owner', 'owner', 1, 'ok'],
  ['member', true, 'member', undefined, 1, 'ok'],
  ['member', true, 'member', 'admin', 1, 'permission_denied'],
  ['member', false, 'member', undefined, 1, 'permission_denied'],
  ['member', false, undefined, 'member', 1, 'permission_denied'],
  [undefined, false, 'member', undefined, 1, 'permission_denied'],
  [undefined, true, undefined, 'member', 1, 'permission_denied'],
]

test.each(rows)(
  'actor %s (self: %s) changes %s to %s with %i owners: %s',
  (actor, isSelf, from, to, ownerCount, result) => {
    let outcome = 'ok'
    try {
      checkRoleChange({ actor, isSelf, from, to, ownerCount })
    } catch (error) {
      outcome = (error as { reason: string }).reason
    }
    expect(outcome).toBe(result)
  },
)
