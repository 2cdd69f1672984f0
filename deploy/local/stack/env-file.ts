import { chownSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stack } from './stack.ts'

type EnvPlace = Pick<Stack, 'stateDir'>

/** The file in which a stack publishes its addresses and passwords. */
export function envFile(stack: EnvPlace): string {
  return join(stack.stateDir, 'env')
}

/** Writes the env file. Only its owner may read it, since it holds passwords. */
export function writeEnvFile(stack: EnvPlace & Pick<Stack, 'env' | 'owner'>): void {
  const draft = `${envFile(stack)}.new`
  writeFileSync(draft, renderEnv(stack.env), { mode: 0o600 })
  if (stack.owner) chownSync(draft, stack.owner.uid, stack.owner.gid)
  renameSync(draft, envFile(stack))
}

/** Reads the env file of a running stack; returns an empty map if the stack is down. */
export function readEnvFile(stack: EnvPlace): Map<string, string> {
  try {
    return parseEnv(readFileSync(envFile(stack), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
}

/** Removes the env file, whose values are no longer valid. */
export function removeEnvFile(stack: EnvPlace): void {
  rmSync(envFile(stack), { force: true })
}

/** Returns sorted `KEY=VALUE` lines that a shell reads the same way, quoted only if necessary. */
export function renderEnv(env: ReadonlyMap<string, string>): string {
  const lines = [...env]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${quote(value)}\n`)
  return lines.join('')
}

/** Parses the output of `renderEnv`. */
export function parseEnv(text: string): Map<string, string> {
  const entries = text
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line): [string, string] => {
      const separator = line.indexOf('=')
      return [line.slice(0, separator), unquote(line.slice(separator + 1))]
    })
  return new Map(entries)
}

function quote(value: string): string {
  if (value.includes('\n')) throw new Error('a value of the env file has a line break')
  return /^[\w@%+=:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

function unquote(value: string): string {
  return value.startsWith("'") ? value.slice(1, -1).replaceAll(String.raw`'\''`, "'") : value
}
