import { readEnvFile } from './env-file.ts'
import { stackDirectories } from './stack.ts'

/** One of the values that the running stack tells; fails with what to do when there is none. */
export function requireEnv(key: string): string {
  const value = readEnvFile(stackDirectories()).get(key)
  if (value === undefined) throw new Error('the stack is not up; start it with ./dev up')
  return value
}
