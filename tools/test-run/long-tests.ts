import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How many times more random inputs a long run tries than the gate. */
export const LONG_EFFORT = 10

/** What vitest's configuration needs to run the long tests: files that end in `.long.test.ts`. */
export const LONG = { SLIPWAY_TEST_LONG: 'true' }

/** What vitest's configuration needs to run the files that end in `.full.test.ts`. */
export const FULL = { ...LONG, SLIPWAY_TEST_FULL: 'true' }

/** The test that needs programs from npm and PyPI. */
export const API_DOCUMENT_TEST = 'deploy/local/test/api-document.long.test.ts'

/**
 * Finds the tests that `test --full` runs: `full` need a network, so that no stack of tests runs
 * them; `full-stack` run on a stack, with what those have brought.
 */
export async function fullTests(checkout: string, kind: 'full' | 'full-stack'): Promise<string[]> {
  const isForeign = (path: string) => path.includes('node_modules')
  const pattern = `{packages,services,deploy,examples,test}/**/*.${kind}.test.ts`
  return (await Array.fromAsync(glob(pattern, { cwd: checkout, exclude: isForeign }))).toSorted()
}

/** Finds the long tests, and those with random input: they import `rounds`. */
export async function longTests(checkout: string): Promise<string[]> {
  const found: string[] = []
  const pattern = '{packages,services,deploy,examples,test}/**/*.test.ts'
  const isForeign = (path: string) => path.includes('node_modules')
  for await (const path of glob(pattern, { cwd: checkout, exclude: isForeign })) {
    const source = await readFile(join(checkout, path), 'utf8')
    if (path.endsWith('.long.test.ts') || /import \{[^}]*\brounds\b/.test(source)) found.push(path)
  }
  return found.toSorted()
}
