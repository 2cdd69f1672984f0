import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareDirectories } from './compare-directories.ts'
import { runTool } from './run-tool.ts'

/**
 * Reports files of proto/gen that differ from what the protos generate. It generates into a
 * temporary directory, so the working tree may have other changes.
 */
export async function generatedCode(checkout: string): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-generated-'))
  try {
    const failure = await runTool(checkout, 'buf', ['generate', '--output', directory])
    if (failure !== undefined) return failure
    const differing = await compareDirectories(
      join(directory, 'proto/gen'),
      join(checkout, 'proto/gen'),
    )
    if (differing.length === 0) return undefined
    return [
      'run `pnpm exec buf generate`: these files of proto/gen are out of date:',
      ...differing,
    ].join('\n')
  } finally {
    await rm(directory, { recursive: true })
  }
}
