/** Whether a name matches a pattern, in which `*` stands for any text. */
export function matches(name: string, pattern: string): boolean {
  const [start = '', ...others] = pattern.split('*')
  const end = others.pop()
  if (end === undefined) return name === pattern
  if (!name.startsWith(start) || !name.endsWith(end)) return false
  if (name.length < start.length + end.length) return false
  return name.slice(start.length, name.length - end.length).includes(others.join(''))
}
