import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'

// What commands know of the folder in which they are called.

/** Where the base layers of images are; tests can't get Debian packages. */
const CACHE = { SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] }

test('deploys and publishes what the folder has pushed last, also after a revert', async () => {
  await using slipway = await CommandLine.open('carol')
  const name = 'reverted'
  const cwd = join(slipway.home, name)
  await mkdir(cwd)
  await writeFile(join(cwd, 'package.json'), '{ "main": "main.js" }')
  const spec = `spec: astro/v1\nname: ${name}\nagent: { build: { context: . }, port: 80 }\n`
  await writeFile(join(cwd, 'astroai.yml'), spec)
  const env = { ...CACHE, SLIPWAY_REGISTRY: fromStack('SLIPWAY_REGISTRY') }
  const push = async (text: string) => {
    await writeFile(join(cwd, 'main.js'), text)
    const args = ['push', '--from', 'project', '--no-attest']
    const { build_id } = (await slipway.json(args, { cwd, env })) as { build_id: string }
    return build_id
  }
  const planned = async (folder: string, ...args: readonly string[]) => {
    const all = ['deploy', name, '--plan', ...args]
    const { validation } = (await slipway.json(all, { cwd: folder })) as {
      validation: { build_id: string }
    }
    return validation.build_id
  }
  const good = await push('')
  const broken = await push('throw new Error()')
  expect(await planned(cwd)).toBe(broken)
  expect(await push('')).toBe(good)
  expect(await planned(cwd)).toBe(good)
  expect(await planned(cwd, '--build', broken)).toBe(broken)
  expect(await planned(slipway.home)).toBe(broken)
  const { stderr } = await slipway.run(['deploy', '--plan'], { cwd })
  expect(stderr).toContain(`the build is ${good}, which this folder has pushed last`)
  expect(stderr).toContain(`--build ${broken}`)
  expect(await slipway.json(['publish', '1.0.0'], { cwd })).toMatchObject({ build_id: good })
  expect(await slipway.json(['validate', '--server'], { cwd })).toMatchObject({ is_valid: true })

  // Someone else pushes.
  const elsewhere = await CommandLine.open('carol')
  onTestFinished(() => elsewhere[Symbol.asyncDispose]())
  await writeFile(join(cwd, 'main.js'), 'console.log()')
  const args = ['push', '--from', 'project', '--no-attest']
  const newer = (await elsewhere.json(args, { cwd, env })) as { build_id: string }
  expect(await planned(cwd)).toBe(newer.build_id)
  // What was pushed last is the newest again.
  expect(await push('')).toBe(good)
  expect(await planned(cwd)).toBe(good)
  expect(await push('console.log()')).toBe(newer.build_id)
  expect(await planned(cwd)).toBe(newer.build_id)
})

test('starts an agent in a folder whose name is not that of an agent', async () => {
  await using slipway = await CommandLine.open('alice')
  const unnamed = await slipway.run(['init', 'node', 'My Agent_2'])
  expect(unnamed).toMatchObject({ code: 2, stdout: '' })
  expect(unnamed.stderr).toContain('use --name my-agent-2: lower-case letters')
  const spaced = await slipway.json(['init', 'node', 'My Agent_2', '--name', 'my-agent-2'])
  expect(spaced).toMatchObject({
    next: ["cd 'My Agent_2'", ...Array<unknown>(3).fill(expect.any(String))],
  })
})
