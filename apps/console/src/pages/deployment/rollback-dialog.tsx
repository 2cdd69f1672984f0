import type { Schemas } from '@slipway/client'

import { client } from '../../api/client.ts'
import type { AgentPath } from '../../api/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useChange } from './use-change.ts'

interface RollbackDialogProps {
  readonly agent: AgentPath
  readonly target: Schemas['Revision']
  /** Called with the number of the new revision. */
  readonly onDone: (revision: number) => void
  readonly onClose: () => void
}

/** Asks, and rolls back to a revision. */
export function RollbackDialog({ agent, target, onDone, onClose }: RollbackDialogProps) {
  const { revision, build_id: build } = target
  const rollback = useChange(agent, async () => {
    const params = { path: { ...agent } }
    const path = '/api/v1/agents/{account}/{name}/deployment/rollback'
    const { data } = await client.POST(path, { params, body: { revision } })
    onDone(data.revision)
  })
  return (
    <Confirm
      title={`Roll ${agent.name} in ${agent.account} back to revision ${revision}?`}
      action="Roll back"
      isRunning={rollback.isPending}
      error={rollback.error}
      onConfirm={() => rollback.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        A new revision gets the build <code>{build}</code> and the settings of revision {revision}.
        The running pods stay until the new ones are ready.
      </p>
    </Confirm>
  )
}
