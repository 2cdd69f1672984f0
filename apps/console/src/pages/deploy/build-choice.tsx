import type { Schemas } from '@slipway/client'

import type { DeploySearch } from '../../app/search.ts'
import { CURRENT } from './deploy-values.ts'

interface BuildChoiceProps {
  readonly search: DeploySearch
  readonly versions: readonly Schemas['Version'][]
  /** The build that runs; undefined if none does. */
  readonly running: string | undefined
  readonly onChange: (search: DeploySearch) => void
}

/** Chooses the build to deploy. */
export function BuildChoice({ search, versions, running, onChange }: BuildChoiceProps) {
  const { version, build } = search
  const chosen = version === undefined ? (build === undefined ? '' : `b ${build}`) : `v ${version}`
  const choices = [
    ['', 'the newest'],
    ...(running === undefined ? [] : [[`b ${CURRENT}`, `${running} (it runs now)`]]),
    ...versions.map((each) => [valueOf(each), labelOf(each)]),
  ] as const
  // One in the address may be older than those that are listed.
  const isListed = choices.some(([value]) => value === chosen)
  return (
    <label className="choice">
      Build
      <select
        className="field"
        value={chosen}
        onChange={({ target: { value } }) => onChange(searchOf(value))}
      >
        {!isListed && <option value={chosen}>{chosen.slice(2)}</option>}
        {choices.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

function searchOf(value: string): DeploySearch {
  const name = value.slice(2)
  if (value === '') return {}
  return value.startsWith('v') ? { version: name } : { build: name }
}

function valueOf({ version, build_id: build }: Schemas['Version']): string {
  return version === undefined ? `b ${build}` : `v ${version}`
}

function labelOf({ version, build_id: build, yanked }: Schemas['Version']): string {
  if (version === undefined) return build
  return `${version}${yanked === true ? ' (yanked)' : ''}, ${build}`
}
