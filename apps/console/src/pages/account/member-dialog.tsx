import type { Schemas } from '@slipway/client'
import { useNavigate } from '@tanstack/react-router'

import { client } from '../../api/client.ts'
import { memberName } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { Confirm } from '../../ui/confirm.tsx'
import type { Viewer } from './permissions.ts'
import { useAccountChange } from './use-account-change.ts'

/** A member and their new role; without a role, they are removed. */
export interface MemberChange {
  readonly member: Schemas['Member']
  readonly role: Schemas['Role'] | undefined
}

interface MemberDialogProps {
  readonly account: string
  readonly viewer: Viewer
  readonly change: MemberChange
  readonly onClose: () => void
}

/** Asks, and changes the role of a member or removes them. */
export function MemberDialog({ account, viewer, change, onClose }: MemberDialogProps) {
  const { member, role } = change
  const navigate = useNavigate()
  const isSelf = member.user_id === viewer.id
  const name = isSelf ? 'yourself' : visible(memberName(member))
  const apply = useAccountChange(account, async () => {
    const params = { path: { account, user_id: member.user_id } }
    const path = '/api/v1/accounts/{account}/members/{user_id}'
    if (role === undefined) return await client.DELETE(path, { params })
    return await client.PUT(path, { params, body: { role } })
  })
  const onSuccess = () => {
    onClose()
    if (isSelf && role === undefined) void navigate({ to: '/' })
  }
  return (
    <Confirm
      title={
        role === undefined
          ? `Remove ${name} from ${account}?`
          : `Give ${name} the role ${role} in ${account}?`
      }
      action={role === undefined ? 'Remove' : 'Change the role'}
      isDangerous={role === undefined}
      isRunning={apply.isPending}
      error={apply.error}
      onConfirm={() => apply.mutate(undefined, { onSuccess })}
      onClose={onClose}
    >
      {role === undefined ? (
        <p>
          Their access ends within seconds, and the machine tokens that they created are deleted.
        </p>
      ) : (
        <p>It was {member.role} until now.</p>
      )}
    </Confirm>
  )
}
