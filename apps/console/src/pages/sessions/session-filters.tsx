import type { SessionsSearch } from '../../api/agent-sessions.ts'
import { withListFilter } from '../../address/search.ts'
import { RangeSelect } from '../../ui/range-select.tsx'
import { SearchField } from '../../ui/search-field.tsx'

interface SessionFiltersProps {
  readonly search: SessionsSearch
  readonly onChange: (search: SessionsSearch) => void
}

type Filter = 'q' | 'user' | 'failed' | 'since'

/** Filters of a list of sessions. A change leads back to its first page. */
export function SessionFilters({ search, onChange }: SessionFiltersProps) {
  const set = <Name extends Filter>(name: Name, value: SessionsSearch[Name] | '') =>
    onChange(withListFilter(search, name, value))
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
