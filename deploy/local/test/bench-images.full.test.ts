import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const BENCH = join(import.meta.dirname, '../../../test/bench/images.ts')

test('measures the builds of a project with Slipway and with buildah', async () => {
  const args = [BENCH, '--rounds=1', '--only=pip-plain']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const figures = stdout.trim().split('\n')
  expect(figures.map((line) => JSON.parse(line) as unknown)).toEqual(
    ['cold', 'warm', 'source', 'dependency'].map((each) =>
      expect.objectContaining({
        project: 'pip-plain',
        case: each,
        slipway_ms: expect.any(Number) as number,
        buildah_ms: expect.any(Number) as number,
      }),
    ),
  )
})
