import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { PACKAGES_BASE } from '../src/index.ts'
import { AgentImageBuilder } from '../src/parts.ts'
import { scratch } from './support/images.ts'
import { PACKAGES, write } from './support/node-agents.ts'
import { startNpmRegistry } from './support/npm-registry.ts'

it('starts a program of a package, as the script start or astroai.yml says', async () => {
  await using registry = await startNpmRegistry(PACKAGES)
  await using place = await scratch()
  const folder = join(place.folder, 'agent')
  const { url, token } = registry
  await write(folder, {
    'package.json': { scripts: { start: 'LOG=all one $PORT' }, dependencies: { one: '1.1.0' } },
    '.npmrc': `registry=${url}\n${url.slice('http:'.length)}:_authToken=${token}\n`,
  })
  const lock = ['install', '--package-lock-only', `--cache=${join(place.folder, 'npm')}`]
  await promisify(execFile)('npm', lock, { cwd: folder })
  const builder = await AgentImageBuilder.open(folder, {})
  const { image } = await builder.build('agent', undefined, { port: 8080 })
  const bytes = 'bytes' in image.config.source ? image.config.source.bytes : Buffer.from('{}')
  const { config } = JSON.parse(bytes.toString()) as {
    config: { Entrypoint: string[]; Env: string[] }
  }
  expect(config.Entrypoint).toEqual(['one', '8080'])
  expect(config.Env).toContain('LOG=all')
  expect(config.Env).toContainEqual(expect.stringMatching(/^PATH=\/app\/node_modules\/\.bin:/))

  // Nothing else says what starts.
  await write(folder, {
    'package.json': { dependencies: { one: '1.1.0' }, engines: { node: '>=22 <24' } },
  })
  await expect(AgentImageBuilder.open(folder, {})).rejects.toThrow(
    /doesn't say what to start.* or write the command to astroai.yml/,
  )
  const said: string[] = []
  const asked = await AgentImageBuilder.open(folder, {
    base: PACKAGES_BASE,
    first: { target: 'agent', start: { command: ['node'] } },
    progress: (line) => void said.push(line),
  })
  expect(said.join('\n')).toMatch(
    /warning: engines has ">=22 <24", but the base packages has Node.js .*node:22-slim, or change/,
  )
  await asked.build('agent', undefined, { command: ['one', '--quiet'] })
  await expect(asked.build('agent')).rejects.toThrow('has no program agent')
})
