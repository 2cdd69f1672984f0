interface RoleFieldProps<Role extends string> {
  readonly label: string
  readonly roles: readonly Role[]
  readonly value: Role
  readonly isDisabled: boolean
  readonly onChange: (role: Role) => void
}

/** Chooses one of several roles. */
export function RoleField<Role extends string>(props: RoleFieldProps<Role>) {
  const { label, roles, value, isDisabled, onChange } = props
  return (
    <label className="choice">
      <span className="hidden">{label}</span>
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
