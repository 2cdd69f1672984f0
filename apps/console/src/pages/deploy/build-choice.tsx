import type { Schemas } from '@slipway/client'

import type { DeploySearch } from '../../address/search.ts'
import { visible } from '../../text/visible.ts'
import { buildOptions, chosenOption, type RunningBuild } from './build-choices.ts'

interface BuildChoiceProps {
  readonly search: DeploySearch
  readonly versions: readonly Schemas['Version'][]
  /** Undefined if none runs. */
  readonly running: RunningBuild | undefined
  readonly onChange: (search: DeploySearch) => void
}

/** Chooses the build to deploy. */
export function BuildChoice({ search, versions, running, onChange }: BuildChoiceProps) {
  const options = buildOptions(versions, running)
  const found = chosenOption(options, search, running)
  // One in the address may be older than those that are listed.
  const other = { search, label: search.version ?? search.build ?? '' }
  const all = found === undefined ? [other, ...options] : options
  return (
    <label className="choice">
      Build
      <select
        className="field"
        value={all.indexOf(found ?? other)}
        onChange={({ target: { value } }) => {
          const chosen = all[Number(value)]
          if (chosen !== undefined) onChange(chosen.search)
        }}
      >
        {all.map(({ label }, index) => (
          <option key={label} value={index}>
            {visible(label)}
          </option>
        ))}
      </select>
    </label>
  )
}
