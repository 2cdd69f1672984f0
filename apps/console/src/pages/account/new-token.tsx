import type { Schemas } from '@slipway/client'
import { useState } from 'react'

import { client } from '../../api/client.ts'
import { reasonOf } from '../../ui/problem.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CreatedToken } from './created-token.tsx'
import { RoleField } from './role-field.tsx'
import { useAccountChange } from './use-account-change.ts'

type Role = Schemas['MachineTokenRole']

const ROLES: readonly Role[] = ['member', 'admin']
const DAYS = '90'

interface NewTokenProps {
  readonly account: string
  /** Why the user may not create tokens; undefined if they may. */
  readonly reason: string | undefined
}

/** Creates a machine token, and shows its secret once. */
export function NewToken({ account, reason }: NewTokenProps) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [days, setDays] = useState(DAYS)
  const create = useAccountChange(account, async () => {
    const params = { path: { account } }
    const body = { name: name.trim(), role, expires_in_days: Number(days) }
    return (await client.POST('/api/v1/accounts/{account}/tokens', { params, body })).data
  })
  const isDisabled = reason !== undefined
  const isValid = name.trim() !== '' && /^\d{1,3}$/.test(days.trim())
  return (
    <>
      {create.data !== undefined && <CreatedToken token={create.data} onClose={create.reset} />}
      <form
        className="form-row"
        aria-label="Create a machine token"
        onSubmit={(event) => {
          event.preventDefault()
          if (!create.isPending) create.mutate(undefined, { onSuccess: () => setName('') })
        }}
      >
        <TextField
          label="Name of a new token"
          value={name}
          onChange={setName}
          isDisabled={isDisabled}
          hint={reason ?? 'What it is for, for example github/deploy'}
          problem={create.error === null ? undefined : reasonOf(create.error)}
        />
        <RoleField
          of="the new token"
          roles={ROLES}
          value={role}
          isDisabled={isDisabled}
          onChange={setRole}
        />
        <TextField
          label="Days until it expires"
          value={days}
          onChange={setDays}
          isDisabled={isDisabled}
        />
        <button
          type="submit"
          className="button"
          disabled={isDisabled || !isValid || create.isPending}
        >
          Create
        </button>
      </form>
    </>
  )
}
