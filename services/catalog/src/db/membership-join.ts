import { MACHINE_TOKEN_REALM } from '@slipway/shared/auth'
import { sql, type RawBuilder } from 'kysely'

import { isTokenId } from '../domain/ids.ts'
import type { AppUserTable } from './tables.ts'

/**
 * Joins an identity to the row `account`: as `app_user` the user, and as `member` the membership,
 * with `role`. Both are null if there is none. A machine token has the membership of its creator,
 * in its own account only, with the lower one of both roles.
 */
export function membershipJoin(
  identity: Readonly<Pick<AppUserTable, 'realm' | 'subject'>> | undefined,
): RawBuilder<unknown> {
  if (identity?.realm === MACHINE_TOKEN_REALM) return joinOfToken(identity.subject)
  return sql`
    LEFT JOIN app_user
      ON app_user.realm = ${identity?.realm} AND app_user.subject = ${identity?.subject}
    LEFT JOIN member ON member.account_id = account.id AND member.user_id = app_user.id`
}

/** The lower one of a token's role and its creator's, who can be an owner. */
export const tokenRole = sql`CASE WHEN member.role = 'member' THEN 'member' ELSE token.role END`

function joinOfToken(id: string): RawBuilder<unknown> {
  if (!isTokenId(id)) return sql`LEFT JOIN app_user ON false LEFT JOIN member ON false`
  return sql`
    LEFT JOIN (
      SELECT token.account_id, token.created_by AS user_id, ${tokenRole} AS role
      FROM machine_token token
      JOIN member ON member.account_id = token.account_id AND member.user_id = token.created_by
      WHERE token.id = ${id} AND token.expire_time > now()
    ) member ON member.account_id = account.id
    LEFT JOIN app_user ON app_user.id = member.user_id`
}
