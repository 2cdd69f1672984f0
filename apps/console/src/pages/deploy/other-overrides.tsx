import { useId } from 'react'

import { visible } from '../../text/visible.ts'
import { TextField } from '../../ui/text-field.tsx'
import type { OtherOverride } from './deploy-values.ts'
import type { FieldProblems } from './field-problems.ts'

interface OtherOverridesProps {
  readonly editable: readonly string[]
  readonly kept: Readonly<Record<string, unknown>>
  readonly ended: readonly string[]
  readonly values: readonly OtherOverride[]
  readonly problems: FieldProblems
  readonly onChange: (values: readonly OtherOverride[]) => void
  readonly onEnd: (ended: readonly string[]) => void
}

/** Overrides of any path of the template, and the end of those that a deploy would keep. */
export function OtherOverrides(props: OtherOverridesProps) {
  const { editable, kept, ended, values, problems, onChange, onEnd } = props
  const id = useId()
  const keptPaths = Object.keys(kept)
  return (
    <section aria-labelledby="overrides">
      <h2 id="overrides">Overrides</h2>
      {keptPaths.length > 0 && (
        <fieldset className="form-list">
          <legend>Keep</legend>
          {keptPaths.map((path) => (
            <label key={path} className="check">
              <input
                type="checkbox"
                checked={!ended.includes(path)}
                onChange={({ target: { checked } }) =>
                  onEnd(checked ? ended.filter((each) => each !== path) : [...ended, path])
                }
              />
              <code>{visible(`${path} = ${JSON.stringify(kept[path])}`)}</code>
            </label>
          ))}
        </fieldset>
      )}
      {values.map((override, index) => (
        <div key={index} className="form-row">
          <TextField
            label="Path"
            value={override.path}
            proposals={id}
            problem={problems.of(`overrides.${override.path.trim()}`)}
            onChange={(path) => onChange(values.with(index, { ...override, path }))}
          />
          <TextField
            label="Value, as JSON or text"
            value={override.value}
            onChange={(value) => onChange(values.with(index, { ...override, value }))}
          />
          <button
            type="button"
            className="button"
            aria-label={`Remove override ${index + 1}`}
            onClick={() => onChange(values.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <datalist id={id}>
        {editable.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <p>
        <button
          type="button"
          className="button"
          onClick={() => onChange([...values, { path: '', value: '' }])}
        >
          Add an override …
        </button>
      </p>
    </section>
  )
}
