import type { TraceSearch } from '../../api/trace-queries.ts'
import { withListFilter } from '../../address/search.ts'
import { visible } from '../../text/visible.ts'
import { RangeSelect } from '../../ui/range-select.tsx'
import { SearchField } from '../../ui/search-field.tsx'

interface TraceFiltersProps {
  readonly search: TraceSearch
  readonly onChange: (search: TraceSearch) => void
}

type Filter = 'q' | 'status' | 'slower' | 'since' | 'session'

const SLOWER_MS = [
  [500, '0.5 s'],
  [1_000, '1 s'],
  [5_000, '5 s'],
  [30_000, '30 s'],
] as const

/** Filters of a list of traces. A change leads back to its first page. */
export function TraceFilters({ search, onChange }: TraceFiltersProps) {
  const set = <Name extends Filter>(name: Name, value: TraceSearch[Name] | '') =>
    onChange(withListFilter(search, name, value))
  return (
    <div className="toolbar">
      <RangeSelect since={search.since} onChange={(since) => set('since', since)} />
      <SearchField
        label="Search in input and output"
        value={search.q ?? ''}
        onChange={(value) => set('q', value)}
      />
      <select
        className="field"
        aria-label="Status"
        value={search.status ?? ''}
        onChange={({ target }) => set('status', target.value as TraceSearch['status'] | '')}
      >
        <option value="">any status</option>
        <option value="ok">ok</option>
        <option value="error">error</option>
      </select>
      <select
        className="field"
        aria-label="Duration"
        value={search.slower ?? ''}
        onChange={({ target }) => set('slower', target.value === '' ? '' : Number(target.value))}
      >
        <option value="">any duration</option>
        {SLOWER_MS.map(([ms, words]) => (
          <option key={ms} value={ms}>
            at least {words}
          </option>
        ))}
      </select>
      {search.session !== undefined && (
        <button type="button" className="button small" onClick={() => set('session', '')}>
          Session {visible(search.session)} ✕<span className="hidden"> remove the filter</span>
        </button>
      )}
    </div>
  )
}
