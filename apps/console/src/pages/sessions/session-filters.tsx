import type { SessionsSearch } from '../../api/agent-sessions.ts'
import { RangeSelect } from '../range-select.tsx'
import { SearchField } from '../../ui/search-field.tsx'

interface SessionFiltersProps {
  readonly search: SessionsSearch
  readonly onChange: (search: SessionsSearch) => void
}

/** Filters of a list of sessions. A change leads back to its first page. */
export function SessionFilters({ search, onChange }: SessionFiltersProps) {
  const set = <Name extends 'q' | 'user' | 'failed' | 'since'>(
    name: Name,
    value: SessionsSearch[Name] | '',
  ) => {
    const { [name]: _, offset: __, ...rest } = search
    onChange(value === '' || value === undefined ? rest : { ...rest, [name]: value })
  }
  return (
    <div className="toolbar">
      <RangeSelect since={search.since} onChange={(since) => set('since', since)} />
      <SearchField
        label="Ids that start with"
        value={search.q ?? ''}
        onChange={(value) => set('q', value)}
      />
      <SearchField
        label="Id of the user"
        value={search.user ?? ''}
        onChange={(value) => set('user', value)}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={search.failed === true}
          onChange={({ target: { checked } }) => set('failed', checked ? true : '')}
        />
        Only with a turn that failed
      </label>
    </div>
  )
}
