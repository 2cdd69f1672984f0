interface RoleFieldProps<Role extends string> {
  /** Whose role it is, for those who don't see what is next to it. */
  readonly of: string
  readonly roles: readonly Role[]
  readonly value: Role
  readonly isDisabled: boolean
  readonly onChange: (role: Role) => void
}

/** Chooses one of several roles. */
export function RoleField<Role extends string>(props: RoleFieldProps<Role>) {
  const { of, roles, value, isDisabled, onChange } = props
  return (
    <label className="form-field narrow">
      <span>
        Role<span className="hidden"> of {of}</span>
      </span>
      <select
        className="field"
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.value as Role)}
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  )
}
