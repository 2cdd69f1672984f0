import type { Schemas } from '@slipway/client'
import { useState } from 'react'

import { client } from '../../api/client.ts'
import { reasonOf } from '../../ui/problem.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { rolesToGive, type Viewer } from './permissions.ts'
import { RoleField } from './role-field.tsx'
import { useAccountChange } from './use-account-change.ts'

interface AddMemberProps {
  readonly account: string
  readonly viewer: Viewer
  /** Why the user may not add members; undefined if they may. */
  readonly reason: string | undefined
}

/** Adds a member by their user id. */
export function AddMember({ account, viewer, reason }: AddMemberProps) {
  const [id, setId] = useState('')
  const [role, setRole] = useState<Schemas['Role']>('member')
  const add = useAccountChange(account, async () => {
    const params = { path: { account, user_id: id.trim() } }
    return await client.PUT('/api/v1/accounts/{account}/members/{user_id}', {
      params,
      body: { role },
    })
  })
  return (
    <form
      className="form-row"
      aria-label="Add a member"
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.isPending) add.mutate(undefined, { onSuccess: () => setId('') })
      }}
    >
      <TextField
        label="User id of a new member"
        value={id}
        onChange={setId}
        isDisabled={reason !== undefined}
        hint={reason ?? 'They find it on the page of their account.'}
        problem={add.error === null ? undefined : reasonOf(add.error)}
      />
      <RoleField
        of="the new member"
        roles={rolesToGive(viewer)}
        value={role}
        isDisabled={reason !== undefined}
        onChange={setRole}
      />
      <button
        type="submit"
        className="button"
        disabled={reason !== undefined || id.trim() === '' || add.isPending}
      >
        Add
      </button>
    </form>
  )
}
