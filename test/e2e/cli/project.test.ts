import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { request } from '../../support/api.ts'
import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'

/** Where the base layers of images are; tests can't get Debian packages. */
const CACHE = { SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] }
const EXAMPLE = join(import.meta.dirname, '../../../examples/support-agent')

/** A copy of the example agent, with another name. */
async function project(name: string): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'slipway-project-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const folder = join(parent, name)
  await cp(EXAMPLE, folder, { recursive: true, verbatimSymlinks: true })
  const spec = join(folder, 'astroai.yml')
  const text = await readFile(spec, 'utf8')
  await writeFile(spec, text.replace(/^name: .*/m, `name: ${name}`))
  return folder
}

test('builds, pushes and registers an agent, the same every time', async () => {
  await using slipway = await CommandLine.open('carol')
  const name = 'support-agent'
  const cwd = EXAMPLE
  const env = { ...CACHE, SLIPWAY_REGISTRY: fromStack('SLIPWAY_REGISTRY') }

  const built = (await slipway.json(['build', '--from', 'project', '--list'], { cwd, env })) as {
    build_id: string
    contents: unknown
  }
  expect(await problemWithJson('build', built)).toBeUndefined()
  const path = '/workspace/examples/support-agent/package.json'
  const file = { path, layer: 'application', reason: 'npm pack takes it' }
  expect(built.contents).toMatchObject([
    {
      targets: ['agent', 'ingest'],
      files: expect.arrayContaining([expect.objectContaining(file)]),
    },
  ])
  const pushed = await slipway.json(['push', '--from', 'project'], { cwd, env })
  expect(await problemWithJson('push', pushed)).toBeUndefined()
  expect(pushed).toMatchObject({ account: 'carol', name, build_id: built.build_id })
  const again = await slipway.run(['push', '--from', 'project'], { cwd, env })
  expect(again).toMatchObject({ code: 0 })
  expect(again.stdout).toContain(built.build_id)
  const { body } = await request('GET', `/agents/carol/${name}`, { as: 'carol' })
  const ids = body.versions.map((each: { build_id: string }) => each.build_id)
  expect(ids).toEqual([built.build_id])

  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' }).trim()
  expect(body.versions[0].commit).toMatchObject({ id: commit })
  const shown = await slipway.json(['agents', 'show', name])
  expect(shown).toMatchObject({ builds: [{ commit: { id: commit } }] })
  const { stdout } = await slipway.run(['agents', 'show', name])
  expect(stdout).toContain(commit.slice(0, 7))
})

test('names line, column and remedy of each problem in a spec', async () => {
  await using slipway = await CommandLine.open()
  const cwd = await project('checked')
  expect(await slipway.run(['validate'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  const file = join(cwd, 'astroai.yml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('port:', 'prot:').replaceAll('\n', '\r\n'))
  const warned = await slipway.run(['validate'], { cwd })
  expect(warned.code).toBe(0)
  expect(warned.stdout).toMatch(
    /^astroai\.yml:\d+:\d+: warning agent\.prot: .*did you mean port\?$/m,
  )
  expect(await slipway.run(['validate', '--strict'], { cwd })).toMatchObject({ code: 1 })

  await writeFile(file, 'name: [')
  const broken = await slipway.run(['validate', '--json'], { cwd })
  expect(broken.code).toBe(1)
  const result: unknown = JSON.parse(broken.stdout)
  expect(result).toMatchObject({ is_valid: false, problems: [{ severity: 'error', line: 1 }] })
  expect(await problemWithJson('validate', result)).toBeUndefined()
})

test('says what to do without a spec, a registry or a reachable one', async () => {
  await using slipway = await CommandLine.open('alice')
  const nowhere = await slipway.run(['push'])
  expect(nowhere).toMatchObject({ code: 2, stdout: '' })
  expect(nowhere.stderr).toMatch(/has no astroai\.yml.*\nnext: {2}slipway init/)

  const cwd = EXAMPLE
  const unnamed = await slipway.run(['push'], { cwd })
  expect(unnamed).toMatchObject({ code: 2, stdout: '' })
  expect(unnamed.stderr).toMatch(/no registry.*\nnext: {2}use --registry/)

  const away = await slipway.run(['push', '--from', 'project', '--registry', '127.0.0.1:9599'], {
    cwd,
    env: CACHE,
  })
  expect(away).toMatchObject({ code: 1, stdout: '' })
  expect(away.stderr).toMatch(/error: .*127\.0\.0\.1:9599/)
  expect(away.stderr).not.toContain('internal')
})

/** A project without dependencies. Its Dockerfile gets a variable as a secret. */
async function smallProject(name: string, variable: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `slipway-${name}-`))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'package.json'), '{ "main": "main.js" }')
  await writeFile(join(folder, 'main.js'), '')
  await writeFile(join(folder, 'Dockerfile'), 'FROM scratch\n')
  await writeSpec(folder, name, variable)
  return folder
}

async function writeSpec(folder: string, name: string, variable: string): Promise<void> {
  const secrets = `[{ id: npm, env: ${variable} }]`
  const build = `{ context: ., dockerfile: Dockerfile, secrets: ${secrets} }`
  const text = `spec: astro/v1\nname: ${name}\nagent: { build: ${build}, port: 80 }\n`
  await writeFile(join(folder, 'astroai.yml'), text)
}

test('keeps secrets and what is outside of the folder out of images', async () => {
  await using slipway = await CommandLine.open('alice')
  const cwd = await smallProject('guarded', 'NPM_TOKEN')
  const env = { ...CACHE, SLIPWAY_REGISTRY: fromStack('SLIPWAY_REGISTRY') }
  const build = async (...flags: readonly string[]) =>
    await slipway.run(['build', ...flags], { cwd, env })
  await writeFile(join(cwd, 'service-account.json'), '{}')
  const built = await build('--from', 'project')
  expect(built).toMatchObject({ code: 0 })
  expect(built.stderr).toContain('may hold secrets: service-account.json')
  await symlink(slipway.home, join(cwd, 'home'))
  const linked = await build('--from', 'project')
  expect(linked).toMatchObject({ code: 1, stdout: '' })
  expect(linked.stderr).toContain('home is a link to /')

  const refused = await build('--from', 'dockerfile')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/the variable NPM_TOKEN[^]*next: .*--allow-outside/)
  // There may be no container engine here, which is found out later.
  const allowed = await build('--from', 'dockerfile', '--allow-outside')
  expect(allowed.stderr).not.toContain('--allow-outside')
})

test('asks once whether Dockerfiles may use what is outside of the folder', async () => {
  await using slipway = await CommandLine.open('alice')
  const cwd = await smallProject('asking', 'NPM_TOKEN')
  const ask = async (variable: string) => {
    await writeSpec(cwd, 'asking', variable)
    const args = ['build', cwd, '--from', 'dockerfile', '--registry', '127.0.0.1:9599']
    return await slipway.onTerminal(args)
  }
  using first = await ask('NPM_TOKEN')
  await first.shows(/NPM_TOKEN[^]*Yes/)
  first.type('y')
  await first.ended
  using again = await ask('NPM_TOKEN')
  await again.ended
  expect(again.text).not.toContain('NPM_TOKEN')
  using other = await ask('AWS_SECRET_ACCESS_KEY')
  await other.shows(/AWS_SECRET_ACCESS_KEY[^]*Yes/)
  other.type('n')
  expect(await other.ended).toBe(1)
  expect(other.text).not.toContain('NPM_TOKEN')
})

test('starts an agent from a template, and replaces nothing', async () => {
  await using slipway = await CommandLine.open('alice')
  const listed = await slipway.json(['init', '--list'])
  expect(await problemWithJson('init', listed)).toBeUndefined()
  const { templates } = listed as { templates: { name: string }[] }
  expect(templates.map(({ name }) => name)).toEqual(['node', 'node-llm', 'python', 'python-llm'])

  for (const { name } of templates) {
    const started = await slipway.json(['init', name, `my-${name}`])
    expect(await problemWithJson('init', started)).toBeUndefined()
    const cwd = join(slipway.home, `my-${name}`)
    const validated = await slipway.json(['validate', '--strict'], { cwd })
    expect(validated).toMatchObject({ is_valid: true, problems: [] })
    expect(await readFile(join(cwd, 'astroai.yml'), 'utf8')).toContain(`name: my-${name}`)
    expect(await readFile(join(cwd, '.gitignore'), 'utf8')).not.toBe('')
  }
  const again = await slipway.run(['init', 'node', 'my-node'])
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/already has .*astroai\.yml/)
  expect(await slipway.run(['init', 'nodes'])).toMatchObject({ code: 2 })
  expect(await slipway.run(['init'])).toMatchObject({ code: 2 })

  const repository = join(slipway.home, 'repository')
  await mkdir(repository)
  await writeFile(join(repository, 'pnpm-lock.yaml'), '')
  const inside = await slipway.json(['init', 'node', 'agents/one'], { cwd: repository })
  expect(inside).toMatchObject({
    next: ['cd agents/one', 'pnpm install', 'slipway push', 'slipway deploy one'],
  })
  const readme = await readFile(join(repository, 'agents/one/README.md'), 'utf8')
  expect(readme).toContain('pnpm test')
  expect(readme).not.toMatch(/\bnpm (install|test|start)/)
  expect(await slipway.run(['init', 'node', '--name', 'Not Valid'])).toMatchObject({ code: 2 })
})

test('asks for a template on a terminal', async () => {
  await using slipway = await CommandLine.open('alice')
  using terminal = await slipway.onTerminal(['init', '--name', 'asked'])
  await terminal.shows(/Which agent do you want/)
  terminal.type('\r')
  expect(await terminal.ended).toBe(0)
  expect(terminal.text).toMatch(/next: npm install\n +slipway push\n +slipway deploy asked/)
  expect(await readFile(join(slipway.home, 'astroai.yml'), 'utf8')).toContain('name: asked')
})

test('ends a question with Ctrl-C', async () => {
  await using slipway = await CommandLine.open('alice')
  using terminal = await slipway.onTerminal(['init'])
  await terminal.shows(/Which agent do you want/)
  terminal.type('\u0003')
  expect(await terminal.ended).toBe(130)
})

test('writes the spec of a project that was there before, and replaces none', async () => {
  await using slipway = await CommandLine.open('alice')
  const cwd = join(slipway.home, 'desk')
  await mkdir(join(cwd, 'app'), { recursive: true })
  await writeFile(join(cwd, 'requirements.txt'), 'fastapi\nuvicorn\n')
  await writeFile(join(cwd, 'app/__init__.py'), '')
  await writeFile(join(cwd, 'app/main.py'), 'from fastapi import FastAPI\napi = FastAPI()\n')
  const missing = await slipway.run(['push'], { cwd })
  expect(missing.stderr).toMatch(/next: {2}slipway init, which writes one for the project/)
  const started = await slipway.json(['init'], { cwd })
  expect(await problemWithJson('init', started)).toBeUndefined()
  expect(started).toMatchObject({
    name: 'desk',
    files: ['astroai.yml'],
    notes: ['app/main.py has an app'],
    next: ['slipway push', 'slipway deploy desk'],
  })
  expect(await readFile(join(cwd, 'astroai.yml'), 'utf8')).toContain(
    'command: uvicorn app.main:api --host 0.0.0.0 --port $PORT',
  )
  expect(await slipway.json(['validate', '--strict'], { cwd })).toMatchObject({ is_valid: true })
  const again = await slipway.run(['init'], { cwd })
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/already has astroai\.yml/)
})
