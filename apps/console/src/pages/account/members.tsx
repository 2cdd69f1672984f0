import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { memberListQuery } from '../../api/account-queries.ts'
import { memberName } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { AddMember } from './add-member.tsx'
import { MemberDialog, type MemberChange } from './member-dialog.tsx'
import { rolesToGive, whyNotChange, whyNotManage, type Viewer } from './permissions.ts'

type Member = Schemas['Member']

interface MembersProps {
  readonly account: string
  readonly viewer: Viewer
}

/** The members of an account, with their roles. */
export function Members({ account, viewer }: MembersProps) {
  const { data, error, refetch } = useQuery(memberListQuery(account))
  const [change, setChange] = useState<MemberChange>()
  const reason = whyNotManage(viewer)
  return (
    <section aria-labelledby="members">
      <h2 id="members">Members</h2>
      {error !== null && (
        <Problem error={error} what="The members can't be read" retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="the members" />}
      {data !== undefined && (
        <TableFrame label="Table of members">
          <table>
            <thead>
              <tr>
                <th scope="col">Member</th>
                <th scope="col">E-mail</th>
                <th scope="col">Role</th>
                <th scope="col">
                  <span className="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((member) => (
                <MemberRow
                  key={member.user_id}
                  member={member}
                  viewer={viewer}
                  onChange={setChange}
                />
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      <AddMember account={account} viewer={viewer} reason={reason} />
      {change !== undefined && (
        <MemberDialog
          account={account}
          viewer={viewer}
          change={change}
          onClose={() => setChange(undefined)}
        />
      )}
    </section>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly viewer: Viewer
  readonly onChange: (change: MemberChange) => void
}

function MemberRow({ member, viewer, onChange }: MemberRowProps) {
  const { user_id: id, email = '', role, confirmed } = member
  const name = visible(memberName(member))
  const isSelf = id === viewer.id
  const reason = whyNotChange(viewer, member)
  const roles = rolesToGive(viewer)
  return (
    <tr>
      <th scope="row" className="words">
        {name} {isSelf && <span className="faint">(you)</span>}{' '}
        {!confirmed && <span className="warning">not confirmed</span>}
      </th>
      <td className="words">{visible(email)}</td>
      <td>
        <select
          className="field"
          aria-label={`Role of ${name}`}
          value={role}
          disabled={reason !== undefined}
          title={reason}
          onChange={({ target: { value } }) => onChange({ member, role: value as Member['role'] })}
        >
          {(roles.includes(role) ? roles : [...roles, role]).map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </td>
      <td className="actions">
        {reason !== undefined && !isSelf && <span className="hidden">{reason}</span>}
        <button
          type="button"
          className="button small"
          aria-label={isSelf ? 'Leave the account' : `Remove ${name}`}
          disabled={reason !== undefined && !isSelf}
          title={isSelf ? undefined : reason}
          onClick={() => onChange({ member, role: undefined })}
        >
          {isSelf ? 'Leave' : 'Remove'}
        </button>
      </td>
    </tr>
  )
}
