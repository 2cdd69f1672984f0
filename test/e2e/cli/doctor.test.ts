import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'

interface Diagnosis {
  readonly is_healthy: boolean
  readonly checks: readonly { readonly name: string; readonly status: string }[]
}

async function diagnose(
  slipway: CommandLine,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly code: number; readonly diagnosis: Diagnosis }> {
  const { code, stdout, stderr } = await slipway.run(['doctor', '--json'], { env })
  expect(stderr).toBe('')
  const diagnosis = JSON.parse(stdout) as Diagnosis
  expect(await problemWithJson('doctor', diagnosis)).toBeUndefined()
  return { code, diagnosis }
}

const statuses = ({ checks }: Diagnosis) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]))

test('finds no fault with a running stack', async () => {
  await using alice = await CommandLine.open('alice')
  const { code, diagnosis } = await diagnose(alice, { HTTPS_PROXY: undefined })
  expect(code).toBe(0)
  expect(statuses(diagnosis)).toMatchObject({
    settings: 'ok',
    keyring: 'ok',
    context: 'ok',
    dns: 'ok',
    tcp: 'ok',
    tls: 'ok',
    server: 'ok',
    version: 'ok',
    clock: 'ok',
    'identity provider': 'ok',
  })
})

test('names the first fault on the way to the server', async () => {
  await using alice = await CommandLine.open('alice')
  const away = await diagnose(alice, { SLIPWAY_URL: 'http://127.0.0.1:1' })
  expect(away.code).toBe(1)
  expect(statuses(away.diagnosis)).toMatchObject({ dns: 'ok', tcp: 'failed', token: 'skipped' })
  const noTls = await diagnose(alice, {
    SLIPWAY_URL: fromStack('SLIPWAY_URL').replace('http:', 'https:'),
  })
  expect(statuses(noTls.diagnosis)).toMatchObject({ tcp: 'ok', tls: 'failed', server: 'skipped' })
  const other = await diagnose(alice, { SLIPWAY_URL: fromStack('SLIPWAY_ISSUER') })
  expect(statuses(other.diagnosis)).toMatchObject({ server: 'failed', version: 'skipped' })
  const invalid = await diagnose(alice, { SLIPWAY_TOKEN: 'no-token' })
  expect(statuses(invalid.diagnosis)).toMatchObject({ server: 'ok', token: 'failed' })
})

test('warns of a clock that is wrong', async () => {
  await using alice = await CommandLine.open('alice')
  const program = 'const now = Date.now; Date.now = () => now() + 7_200_000'
  const url = `data:text/javascript,${encodeURIComponent(program)}`
  const { diagnosis } = await diagnose(alice, { NODE_OPTIONS: `--import=${url}` })
  expect(diagnosis.checks.find(({ name }) => name === 'clock')).toMatchObject({
    status: 'warning',
    detail: expect.stringMatching(/^is 7\d{3} s ahead of the server's$/),
    remedy: expect.stringContaining('set the clock of this machine'),
  })
})

test('warns of a docker whose daemon does not run', async () => {
  await using alice = await CommandLine.open('alice')
  const said = 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.'
  const folder = join(alice.home, 'programs')
  await mkdir(folder)
  await symlink(process.execPath, join(folder, 'node'))
  await symlink('/bin/sh', join(folder, 'sh'))
  await writeFile(join(folder, 'docker'), `#!/bin/sh\necho '${said}' >&2\nexit 1\n`, {
    mode: 0o755,
  })
  const find = async () => {
    const { diagnosis } = await diagnose(alice, { PATH: folder })
    return diagnosis.checks.find(({ name }) => name === 'build tools')
  }
  expect(await find()).toMatchObject({
    status: 'warning',
    detail: `docker is installed, but can't be used: ${said}`,
    remedy: expect.stringContaining('start its service'),
  })
  await writeFile(join(folder, 'podman'), '#!/bin/sh\n', { mode: 0o755 })
  expect(await find()).toMatchObject({ status: 'ok', detail: 'podman' })
})

test('warns of proxies that are not used, and of tokens that others can read', async () => {
  await using slipway = await CommandLine.open()
  const folder = join(slipway.home, '.config/slipway')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'tokens.json'), '{}')
  await chmod(join(folder, 'tokens.json'), 0o644)
  const { code, diagnosis } = await diagnose(slipway, { HTTPS_PROXY: 'http://proxy.example.com' })
  expect(code).toBe(1)
  expect(statuses(diagnosis)).toMatchObject({
    settings: 'failed',
    proxy: 'warning',
    context: 'failed',
  })
  const { stdout } = await slipway.run(['doctor'])
  expect(stdout).toMatch(/failed {3}settings: other users can read .*\n +chmod 600 /)
})

test('prints the address of the pages of the server', async () => {
  await using alice = await CommandLine.open('alice')
  for (const [args, path] of [
    [[], '/'],
    [['acme/support-agent'], '/accounts/acme/deployments/support-agent'],
    [['--page', 'api'], '/docs'],
    [['--page', 'guides'], '/docs/guide'],
  ] as const) {
    const page = await alice.json(['open', ...args])
    expect(await problemWithJson('open', page)).toBeUndefined()
    expect(page).toEqual({ url: `${fromStack('SLIPWAY_URL')}${path}`, opened: false })
    const headers = { accept: 'text/html' }
    expect((await fetch((page as { url: string }).url, { headers })).status).toBe(200)
  }
})
