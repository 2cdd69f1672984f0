import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { workspaceClosure } from './workspace.ts'
import { writeEntries } from './write-entries.ts'

const run = promisify(execFile)

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-workspace-'))
  await file('checkout/LICENSE', 'Apache')
  await file('checkout/package.json', { name: 'checkout', version: '1.2.3', private: true })
})
afterEach(() => rm(root, { recursive: true }))

async function file(path: string, content: string | object): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await symlink(join(root, target), join(root, path))
}

/** A service that needs a package of the workspace, which needs one from npm. */
async function makeWorkspace(): Promise<void> {
  await file('checkout/services/greeter/package.json', {
    name: '@slipway/greeter',
    license: 'Apache-2.0',
    type: 'module',
    files: ['src'],
    dependencies: { '@slipway/words': 'workspace:*' },
    devDependencies: { tester: '1' },
  })
  await file(
    'checkout/services/greeter/src/main.ts',
    "import { greeting } from '@slipway/words'\nconst text: string = greeting('image')\n" +
      'process.stdout.write(text)\n',
  )
  await file('checkout/services/greeter/src/main.test.ts', 'throw new Error()')
  await file('checkout/services/greeter/README.md', '# Greeter')
  await file('checkout/packages/words/package.json', {
    name: '@slipway/words',
    type: 'module',
    files: ['*.ts'],
    exports: './index.ts',
    dependencies: { shout: '^2.0.0' },
  })
  await file(
    'checkout/packages/words/index.ts',
    "import shout from 'shout'\n" +
      'export const greeting = (name: string): string => shout(`hello ${name}`)\n',
  )
  const shout = 'checkout/node_modules/.pnpm/shout@2.1.0/node_modules/shout'
  const manifest = { name: 'shout', version: '2.1.0', license: 'MIT', main: 'index.js' }
  await file(`${shout}/package.json`, manifest)
  await file(`${shout}/index.js`, 'module.exports = (text) => text.toUpperCase()\n')
  await file(`${shout}/index.d.ts`, '')
  await link('checkout/services/greeter/node_modules/@slipway/words', 'checkout/packages/words')
  await link('checkout/packages/words/node_modules/shout', shout)
}

it('has what a package needs in production as JavaScript, where Node.js finds it', async () => {
  await makeWorkspace()
  const closure = await workspaceClosure(join(root, 'checkout'), 'services/greeter')
  const entries = [...closure.dependencies, ...closure.sources]
  const files = entries.filter(({ type }) => type === 'file').map(({ path }) => path)
  expect(files.toSorted()).toEqual([
    'app/LICENSE',
    'app/node_modules/.pnpm/shout@2.1.0/node_modules/shout/index.js',
    'app/node_modules/.pnpm/shout@2.1.0/node_modules/shout/package.json',
    'app/package.json',
    'app/packages/words/index.js',
    'app/packages/words/package.json',
    'app/services/greeter/package.json',
    'app/services/greeter/src/main.js',
  ])
  writeEntries(join(root, 'image'), entries)
  const program = join(root, 'image/app/services/greeter/src/main.js')
  expect((await run(process.execPath, [program])).stdout).toBe('HELLO IMAGE')
})

it('lists the packages with versions and licenses, and which needs which', async () => {
  await makeWorkspace()
  const closure = await workspaceClosure(join(root, 'checkout'), 'services/greeter')
  const { subject, components, relations } = closure
  expect(Object.fromEntries([...relations].map(([ref, needed]) => [ref, [...needed]]))).toEqual({
    'pkg:npm/%40slipway/greeter@1.2.3': ['pkg:npm/%40slipway/words@1.2.3'],
    'pkg:npm/%40slipway/words@1.2.3': ['pkg:npm/shout@2.1.0'],
  })
  expect(subject).toMatchObject({ group: '@slipway', name: 'greeter', version: '1.2.3' })
  expect(components.map(({ purl }) => purl)).toEqual([
    'pkg:npm/%40slipway/greeter@1.2.3',
    'pkg:npm/%40slipway/words@1.2.3',
    'pkg:npm/shout@2.1.0',
  ])
  expect(components.at(-1)).toMatchObject({ licenses: [{ expression: 'MIT' }] })
})

it('names a package without a list of files', async () => {
  await makeWorkspace()
  await file('checkout/packages/words/package.json', { name: '@slipway/words' })
  await expect(workspaceClosure(join(root, 'checkout'), 'services/greeter')).rejects.toThrow(
    'packages/words/package.json needs "files" to be in an image',
  )
})
