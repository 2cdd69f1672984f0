import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Engine } from '../../src/store/engine.ts'
import { openEngine } from '../../src/store/open-engine.ts'

/** Opens ClickHouse without tables, in a directory that is deleted when it is closed. */
export async function openTestEngine(): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-traces-'))
  const engine = await openEngine({
    kind: 'embedded',
    dataDirectory: directory,
    memoryBytes: 2 ** 30,
  })
  return {
    ...engine,
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
