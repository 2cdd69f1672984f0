import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { environmentFiles, type EnvironmentFiles } from './virtual-environment.ts'

const SITE = 'lib/python3.11/site-packages'
const PACKAGE = {
  [`${SITE}/other/__init__.py`]: '',
  [`${SITE}/other-1.dist-info/RECORD`]: 'other/__init__.py,,\nother-1.dist-info/RECORD,,\n',
}

async function read(files: Readonly<Record<string, string>>): Promise<EnvironmentFiles> {
  const staging = await mkdtemp(join(tmpdir(), 'slipway-environment-'))
  onTestFinished(() => rm(staging, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    const file = join(staging, '.venv', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content.replaceAll('STAGING', staging))
  }
  return await environmentFiles({
    staging,
    environment: '.venv',
    path: 'app',
    interpreter: '/usr/bin/python3',
    version: '3.11.2',
  })
}

const paths = (entries: readonly { path: string }[]) => entries.map(({ path }) => path).toSorted()

test('keeps all of a package of the project out of the layer that projects share', async () => {
  const alone = await read(PACKAGE)
  const info = `${SITE}/mine-1.dist-info`
  const both = await read({
    ...PACKAGE,
    [`${SITE}/_mine.pth`]: 'STAGING/src\n',
    [`${info}/direct_url.json`]: '{"url": "file://STAGING", "dir_info": {"editable": true}}',
    [`${info}/RECORD`]: ['_mine.pth', 'mine-1.dist-info/direct_url.json', 'mine-1.dist-info/RECORD']
      .map((name) => `${name},,\n`)
      .join(''),
  })
  expect(both.identity).toEqual(alone.identity)
  expect(paths(both.packages)).toEqual(paths(alone.packages))
  expect(paths(both.own)).toEqual(
    ['_mine.pth', 'mine-1.dist-info/RECORD', 'mine-1.dist-info/direct_url.json'].map(
      (name) => `app/.venv/${SITE}/${name}`,
    ),
  )
})

test('keeps the logins of repositories out of records', async () => {
  const info = `${SITE}/other-1.dist-info`
  const { packages } = await read({
    ...PACKAGE,
    [`${info}/RECORD`]: [
      'other/__init__.py',
      ...['RECORD', 'METADATA', 'direct_url.json'].map((name) => `other-1.dist-info/${name}`),
    ]
      .map((name) => `${name},sha256=0,1\n`)
      .join(''),
    [`${info}/direct_url.json`]: '{"url": "https://token-4711@example.com/a", "vcs_info": {}}',
    [`${info}/METADATA`]:
      'Name: other\nRequires-Dist: b @ git+https://u:pw-4711@example.com/b\n\nhttps://u:p@c.d\n',
  })
  const contents = packages.flatMap((entry) =>
    entry.type === 'file' && Buffer.isBuffer(entry.content) ? [String(entry.content)] : [],
  )
  expect(contents.join('')).not.toContain('4711')
  expect(contents.join('')).toContain('b @ git+https://example.com/b\n\nhttps://u:p@c.d\n')
})

test('identifies files that no package lists', async () => {
  const first = await read({ ...PACKAGE, [`${SITE}/extra.py`]: '1' })
  const second = await read({ ...PACKAGE, [`${SITE}/extra.py`]: '2' })
  expect(first.identity).not.toEqual(second.identity)
})
