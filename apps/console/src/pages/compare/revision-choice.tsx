import type { Schemas } from '@slipway/client'

import type { CompareSearch } from '../../api/compare-query.ts'

interface RevisionChoiceProps {
  readonly revisions: readonly Schemas['Revision'][]
  readonly chosen: Required<CompareSearch>
  readonly onChange: (chosen: Required<CompareSearch>) => void
}

/** Chooses the two revisions that are compared. */
export function RevisionChoice({ revisions, chosen, onChange }: RevisionChoiceProps) {
  // One in the address may be older than those of the list.
  const numbers = new Set([...revisions.map(({ revision }) => revision), ...Object.values(chosen)])
  const choices = [...numbers].toSorted((a, b) => b - a)
  return (
    <div className="toolbar">
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="choice">
          {end === 'from' ? 'Revision' : 'with'}
          <select
            className="field"
            value={chosen[end]}
            onChange={({ target }) => onChange({ ...chosen, [end]: Number(target.value) })}
          >
            {choices.map((number) => (
              <option key={number} value={number}>
                {number}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  )
}
