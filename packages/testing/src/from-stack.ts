/** Returns a variable of the running stack's environment; `./dev test` sets them all. */
export function fromStack(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '')
    throw new Error(`${name} is not set: run the tests with ./dev test`)
  return value
}
