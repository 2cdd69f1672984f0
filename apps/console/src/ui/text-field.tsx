import { useId, type ReactNode } from 'react'

import { WithCode } from '../text/with-code.tsx'

interface TextFieldProps {
  readonly label: ReactNode
  readonly value: string
  readonly onChange: (value: string) => void
  /** `password` hides what is typed, and asks the browser not to remember it. */
  readonly type?: 'text' | 'password'
  readonly hint?: ReactNode
  readonly problem?: string | undefined
  readonly placeholder?: string
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
  /** Id of a `datalist` with proposals. */
  readonly proposals?: string
}

/** A field for one line of text, with what is wrong with it next to it. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, type = 'text', hint, problem, isRequired = false } = props
  const id = useId()
  const described = [hint !== undefined && `${id}h`, problem !== undefined && `${id}p`]
  const describedBy = described.filter((each) => each !== false).join(' ')
  return (
    <div className="form-field">
      <label htmlFor={id}>
        {label}
        {isRequired && <span className="faint"> required</span>}
      </label>
      <input
        id={id}
        className="field"
        type={type}
        value={value}
        disabled={props.isDisabled}
        placeholder={props.placeholder}
        list={props.proposals}
        autoComplete={type === 'password' ? 'new-password' : 'off'}
        spellCheck={false}
        aria-required={isRequired || undefined}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={describedBy === '' ? undefined : describedBy}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <span id={`${id}h`} className="faint">
          {hint}
        </span>
      )}
      {problem !== undefined && (
        <span id={`${id}p`} className="bad">
          <WithCode text={problem} />
        </span>
      )}
    </div>
  )
}
