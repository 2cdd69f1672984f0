/**
 * The inputs with a default in a deployment template: every component has its own under `inputs`.
 * A deploy sets them like credentials.
 */
export function templateInputs(template: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      if (key === 'inputs' && Array.isArray(member))
        for (const name of member) found.add(String(name))
      else visit(member)
    }
  }
  visit(template)
  return found
}
