import { client } from '../../api/client.ts'
import { reasonOf } from '../../ui/problem.tsx'
import type { Viewer } from './permissions.ts'
import { useAccountChange } from './use-account-change.ts'

interface ConfirmationProps {
  readonly account: string
  readonly viewer: Viewer
}

/** Asks a user who was added by somebody else whether they want to be a member. */
export function Confirmation({ account, viewer: { id, role } }: ConfirmationProps) {
  const confirm = useAccountChange(account, async () => {
    const params = { path: { account, user_id: id } }
    return await client.PUT('/api/v1/accounts/{account}/members/{user_id}', {
      params,
      body: { role },
    })
  })
  return (
    <section className="status warning" aria-label="Confirmation">
      <p className="sentence">
        You were added to this account. Its members see only your id until you confirm.
      </p>
      <button
        type="button"
        className="button"
        disabled={confirm.isPending}
        onClick={() => confirm.mutate()}
      >
        Confirm
      </button>
      {confirm.error !== null && (
        <p className="bad" role="alert">
          {reasonOf(confirm.error)}
        </p>
      )}
    </section>
  )
}
