import { DEFAULT_RANGE, RANGES, type RangeName } from '../api/time-range.ts'

const WORDS: Readonly<Record<RangeName, string>> = {
  '1h': 'last hour',
  '6h': 'last 6 hours',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
}

interface RangeSelectProps {
  readonly since: RangeName | undefined
  /** Called with undefined for the default range, which needs no word in the address. */
  readonly onChange: (since: RangeName | undefined) => void
}

/** Chooses a range of time that ends now. */
export function RangeSelect({ since, onChange }: RangeSelectProps) {
  return (
    <select
      className="field"
      aria-label="Time"
      value={since ?? DEFAULT_RANGE}
      onChange={({ target: { value } }) => {
        const chosen = value as RangeName
        onChange(chosen === DEFAULT_RANGE ? undefined : chosen)
      }}
    >
      {(Object.keys(RANGES) as RangeName[]).map((name) => (
        <option key={name} value={name}>
          {WORDS[name]}
        </option>
      ))}
    </select>
  )
}
