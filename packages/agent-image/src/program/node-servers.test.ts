import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readApplication } from './application.ts'

async function problemOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-node-servers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return await readApplication(folder).then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  )
}

test('suggests the line that starts a server in the code', async () => {
  const server = 'import { serve } from "@hono/node-server"\nserve({ fetch: app.fetch })\n'
  expect(
    await problemOf({
      'package.json': '{"scripts":{"start":"tsx . && true"}}',
      'src/server.ts': server,
    }),
  ).toContain(
    'src/server.ts starts a server: write "main": "src/server.ts" to package.json, and its port ' +
      'to astroai.yml, below agent: port: 8080',
  )
  expect(await problemOf({ 'package.json': '{"main":"src/server.ts"}' })).toBe('none')
})

test('names all files with a server, or where it has looked for one', async () => {
  const files = { 'app.js': 'express().listen(1)', 'src/index.mjs': 'createServer()' }
  expect(await problemOf({ 'package.json': '{}', ...files })).toContain(
    'app.js, src/index.mjs start servers: write the right one as "main"',
  )
  expect(await problemOf({ 'package.json': '{}', 'lib/a.js': '' })).toContain(
    'no server was found in index, server, main, app, agent (.ts, .mts, .js, .mjs, .cjs), also in',
  )
})
