import { visible } from '../../text/visible.ts'
import { TextField } from '../../ui/text-field.tsx'
import { keptValue } from './deploy-values.ts'
import type { FieldProblems } from './field-problems.ts'
import type { Part, Setting } from './read-template.ts'

type Settings = Readonly<Record<string, string | boolean>>

interface PartSettingsProps {
  readonly parts: readonly Part[]
  /** The overrides of the live deployment. */
  readonly kept: Readonly<Record<string, unknown>>
  readonly values: Settings
  readonly problems: FieldProblems
  readonly onChange: (values: Settings) => void
}

/** Replicas, resources and others, for each component. */
export function PartSettings({ parts, ...rest }: PartSettingsProps) {
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      {parts
        .filter(({ settings }) => settings.length > 0)
        .map(({ path, settings }) => (
          <fieldset key={path} className="form-grid">
            <legend>{visible(path)}</legend>
            {settings.map((setting) => (
              <SettingInput key={setting.path} setting={setting} {...rest} />
            ))}
          </fieldset>
        ))}
    </section>
  )
}

interface SettingInputProps extends Omit<PartSettingsProps, 'parts'> {
  readonly setting: Setting
}

function SettingInput({ setting, kept, values, problems, onChange }: SettingInputProps) {
  const { path, label } = setting
  const known = keptValue(setting, kept)
  const value = values[path] ?? known
  const change = (changed: string | boolean) => {
    const { [path]: _, ...rest } = values
    const isSame = typeof changed === 'string' ? changed === String(known) : changed === known
    onChange(isSame ? rest : { ...rest, [path]: changed })
  }
  const problem = problems.of(`overrides.${path}`)
  if (typeof value === 'boolean')
    return (
      <div className="form-field">
        <label className="check">
          <input
            type="checkbox"
            checked={value}
            onChange={({ target: { checked } }) => change(checked)}
          />
          {label}
        </label>
        {problem !== undefined && <span className="bad">{visible(problem)}</span>}
      </div>
    )
  return (
    <TextField
      label={label}
      value={String(value)}
      onChange={change}
      problem={problem}
      placeholder={visible(String(setting.value))}
    />
  )
}
