/** The environment for a service in a child process: it inherits no settings. */
export function childEnvironment(): Record<string, string> {
  const kept = ['PATH', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
