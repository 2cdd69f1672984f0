import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { readKubeconfig } from './kubeconfig.ts'

const directory = mkdtempSync(join(tmpdir(), 'slipway-kubeconfig-'))
afterAll(() => rmSync(directory, { recursive: true }))

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['not YAML', 'clusters: ['],
  ['of another type', 'clusters: 1'],
  ['without a context', 'apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\n'],
])('says what is wrong with a kubeconfig that is %s', async (name, text) => {
  const path = join(directory, name.replaceAll(' ', '-'))
  if (text !== undefined) writeFileSync(path, text)
  await expect(readKubeconfig(path)).rejects.toThrow(/^KUBECONFIG: /)
})
