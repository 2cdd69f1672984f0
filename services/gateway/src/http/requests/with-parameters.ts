/** Returns the path and query of a request with some of its parameters changed. */
export function withParameters(url: string, changes: Readonly<Record<string, string>>): string {
  const { pathname, searchParams } = new URL(url, 'http://gateway')
  for (const [name, value] of Object.entries(changes)) searchParams.set(name, value)
  return `${pathname}?${searchParams.toString()}`
}
