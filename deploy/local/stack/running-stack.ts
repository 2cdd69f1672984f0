import { readEnvFile } from './env-file.ts'
import { stackDirectories } from './stack.ts'

/** Returns a variable of the running stack's env file; throws if the stack is down. */
export function requireEnv(key: string): string {
  const value = readEnvFile(stackDirectories()).get(key)
  if (value === undefined) throw new Error('the stack is not up; start it with ./dev up')
  return value
}
