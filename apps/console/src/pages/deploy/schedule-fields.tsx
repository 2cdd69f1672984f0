import { visible } from '../../text/visible.ts'
import { TextField } from '../../ui/text-field.tsx'
import type { FieldProblems } from './field-problems.ts'

interface ScheduleFieldsProps {
  readonly names: readonly string[]
  readonly kept: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
  readonly problems: FieldProblems
  readonly onChange: (values: Readonly<Record<string, string>>) => void
}

/** When each ingestion runs. */
export function ScheduleFields({ names, kept, values, problems, onChange }: ScheduleFieldsProps) {
  if (names.length === 0) return null
  return (
    <section aria-labelledby="schedules">
      <h2 id="schedules">Schedules</h2>
      <div className="form-grid">
        {names.map((name) => (
          <TextField
            key={name}
            label={<bdi>{visible(name)}</bdi>}
            value={values[name] ?? kept[name] ?? ''}
            hint="Minute, hour, day, month and weekday in UTC, for example 30 6 * * 1-5"
            problem={problems.of(`schedules.${name}`)}
            isRequired
            onChange={(value) => {
              const { [name]: _, ...rest } = values
              onChange(value === (kept[name] ?? '') ? rest : { ...rest, [name]: value })
            }}
          />
        ))}
      </div>
    </section>
  )
}

interface InterfaceFieldsProps {
  readonly adapters: readonly string[]
  readonly enabled: readonly string[]
  readonly problem: string | undefined
  readonly onChange: (enabled: readonly string[]) => void
}

/** Through which interfaces people reach the agent. */
export function InterfaceFields({ adapters, enabled, problem, onChange }: InterfaceFieldsProps) {
  const names = [...new Set([...adapters, ...enabled])]
  if (names.length === 0) return null
  return (
    <fieldset className="form-list">
      <legend>Interfaces</legend>
      {names.map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={enabled.includes(name)}
            onChange={({ target: { checked } }) =>
              onChange(checked ? [...enabled, name] : enabled.filter((each) => each !== name))
            }
          />
          {visible(name)}
        </label>
      ))}
      {problem !== undefined && <span className="bad">{visible(problem)}</span>}
    </fieldset>
  )
}
