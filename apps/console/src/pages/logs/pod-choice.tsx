import type { Schemas } from '@slipway/client'
import { podsOf } from '@slipway/words/pods'

import type { LogsSearch } from '../../address/search.ts'

interface PodChoiceProps {
  readonly deployment: Schemas['Deployment'] | undefined
  readonly search: LogsSearch
  readonly onChange: (search: LogsSearch) => void
}

/** Chooses the log of one pod, and the one before its last restart. */
export function PodChoice({ deployment, search, onChange }: PodChoiceProps) {
  const names = podsOf(deployment).map(({ name }) => name)
  const { pod } = search
  const filter = search.q === undefined ? {} : { q: search.q }
  // A pod in the address may have been replaced meanwhile.
  const choices = pod === undefined || names.includes(pod) ? names : [pod, ...names]
  return (
    <>
      <label className="choice">
        Log of
        <select
          className="field"
          value={pod ?? ''}
          onChange={({ target: { value } }) =>
            onChange(value === '' ? filter : { ...filter, pod: value })
          }
        >
          <option value="">all pods</option>
          {choices.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {pod !== undefined && (
        <label className="check">
          <input
            type="checkbox"
            checked={search.previous === true}
            onChange={({ target: { checked } }) => {
              const { previous: _, ...rest } = search
              onChange(checked ? { ...rest, previous: true } : rest)
            }}
          />
          Before the last restart
        </label>
      )}
    </>
  )
}
