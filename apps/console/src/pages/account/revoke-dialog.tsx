import type { Schemas } from '@slipway/client'

import { client } from '../../api/client.ts'
import { visible } from '../../text/visible.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useAccountChange } from './use-account-change.ts'

interface RevokeDialogProps {
  readonly account: string
  readonly token: Schemas['MachineToken']
  readonly onClose: () => void
}

/** Asks, and revokes a machine token. */
export function RevokeDialog({ account, token, onClose }: RevokeDialogProps) {
  const revoke = useAccountChange(account, async () => {
    const params = { path: { account, token_id: token.id } }
    return await client.DELETE('/api/v1/accounts/{account}/tokens/{token_id}', { params })
  })
  return (
    <Confirm
      title={`Revoke the token ${visible(token.name)}?`}
      action="Revoke"
      isDangerous
      isRunning={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Programs that use it lose their access at once. This can&rsquo;t be undone.</p>
    </Confirm>
  )
}
