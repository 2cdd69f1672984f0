import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'

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

test.each([
  ['a text without an end', 'token: "SECRET\nnext: 1', 'deficient indentation (line 2)'],
  ['a mapping without an end', 'token: {SECRET', 'flow collection (line 1)'],
  ['a text that is an alias', 'a: 1\ntoken: *SECRET', 'unidentified alias (line 2)'],
  ['a text that is a tag', 'token: !SECRET a', 'unknown scalar tag (line 1)'],
  ['a text that is a wrong tag', 'token: !SECRET` a', 'such characters (line 1)'],
])('says where a kubeconfig has %s, and quotes none of it', async (name, text, problem) => {
  const path = join(directory, name.replaceAll(' ', '-'))
  writeFileSync(path, text)
  const error = await readKubeconfig(path).catch((each: unknown) => each)
  expect(inspect(error)).toContain(problem)
  expect(inspect(error)).not.toContain('SECRET')
})
