import { visible } from '../../text/visible.ts'
import { TextField } from '../../ui/text-field.tsx'
import type { FieldProblems } from './field-problems.ts'
import type { CredentialField } from './read-template.ts'

interface CredentialFieldsProps {
  readonly fields: readonly CredentialField[]
  /** Keys that the live deployment has. */
  readonly kept: ReadonlySet<string>
  readonly values: Readonly<Record<string, string>>
  readonly problems: FieldProblems
  readonly onChange: (values: Readonly<Record<string, string>>) => void
}

/** The credentials and inputs of an agent: those that are missing first. */
export function CredentialFields(props: CredentialFieldsProps) {
  const { fields, kept } = props
  const missing = fields.filter((field) => isMissing(field, kept))
  const others = fields.filter((field) => !isMissing(field, kept))
  return (
    <section aria-labelledby="credentials">
      <h2 id="credentials">Credentials and inputs</h2>
      {fields.length === 0 && <p className="faint">It needs none.</p>}
      {missing.length > 0 && (
        <>
          <p>They are stored in the cluster only, and never shown again.</p>
          <div className="form-grid">
            {missing.map((field) => (
              <CredentialInput key={field.key} field={field} isRequired {...props} />
            ))}
          </div>
        </>
      )}
      {missing.length > 0 && others.length > 0 && <h3>Not required</h3>}
      {others.length > 0 && (
        <div className="form-grid">
          {others.map((field) => (
            <CredentialInput key={field.key} field={field} isRequired={false} {...props} />
          ))}
        </div>
      )}
    </section>
  )
}

interface CredentialInputProps extends CredentialFieldsProps {
  readonly field: CredentialField
  readonly isRequired: boolean
}

function CredentialInput(props: CredentialInputProps) {
  const { field, isRequired, kept, values, problems, onChange } = props
  const { key, description, isSecret, sameAs, fallback } = field
  const hint = [description, sameAs === undefined ? '' : `the same as ${sameAs}`]
  const placeholder = kept.has(key) ? 'stays as it is' : (fallback ?? '')
  return (
    <TextField
      label={<code>{visible(key)}</code>}
      type={isSecret ? 'password' : 'text'}
      value={values[key] ?? ''}
      onChange={(value) => onChange({ ...values, [key]: value })}
      hint={visible(hint.filter((each) => each !== '').join('; '))}
      problem={problems.of(`user_credentials.${key}`)}
      placeholder={visible(placeholder)}
      isRequired={isRequired}
    />
  )
}

function isMissing({ key, isRequired, sameAs }: CredentialField, kept: ReadonlySet<string>) {
  return isRequired && !kept.has(key) && (sameAs === undefined || !kept.has(sameAs))
}
