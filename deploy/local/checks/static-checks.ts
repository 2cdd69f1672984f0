import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareDirectories } from './compare-directories.ts'
import { largeFiles, registryHosts } from './source-rules.ts'
import { runTool } from './run-tool.ts'

/** One static check: it returns what is wrong, or nothing. */
export interface StaticCheck {
  readonly name: string
  readonly run: (checkout: string) => Promise<string | undefined>
}

/** Everything that is known about the sources without running them. */
export const staticChecks: readonly StaticCheck[] = [
  { name: 'types (tsc)', run: tool('tsc', '-p', 'tsconfig.json') },
  { name: 'lint (oxlint)', run: tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format (oxfmt)', run: tool('oxfmt', '--check') },
  { name: 'unused code and dependencies (knip)', run: tool('knip') },
  { name: 'proto lint (buf)', run: tool('buf', 'lint') },
  { name: 'proto format (buf)', run: tool('buf', 'format', '--diff', '--exit-code') },
  { name: 'generated code is up to date (buf)', run: generatedCode },
  {
    name: 'shell scripts parse',
    run: async (checkout) => await runTool(checkout, 'sh', ['-n', 'dev']),
  },
  { name: 'the lockfile names no registry', run: registryHosts },
  { name: 'no file has grown too long', run: largeFiles },
]

function tool(program: string, ...args: string[]): StaticCheck['run'] {
  return async (checkout) => await runTool(checkout, program, args)
}

// Generated next to the sources and compared, so that a working tree with other changes is fine.
async function generatedCode(checkout: string): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-generated-'))
  try {
    const failure = await runTool(checkout, 'buf', ['generate', '--output', directory])
    if (failure !== undefined) return failure
    const differing = await compareDirectories(
      join(directory, 'proto/gen'),
      join(checkout, 'proto/gen'),
    )
    if (differing.length === 0) return undefined
    return `run \`pnpm exec buf generate\`: in proto/gen, these differ from what the protos say:\n${differing.join('\n')}`
  } finally {
    await rm(directory, { recursive: true })
  }
}
