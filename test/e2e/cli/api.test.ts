import { expect, test } from 'vitest'

import { freshName } from '../../contract/cases/case.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'

test('sends any request of the API', async () => {
  await using alice = await CommandLine.open('alice')
  const profile = await alice.run(['api', 'GET', '/me', '--include'])
  expect(profile.code).toBe(0)
  expect(JSON.parse(profile.stdout)).toMatchObject({ user: { email: 'alice@example.test' } })
  expect(profile.stderr).toMatch(/^200 OK\n(.*\n)*x-request-id: /)
  expect(profile.stderr).not.toMatch(/bearer/i)

  const account = freshName('api')
  const created = await alice.run(['api', 'post', 'accounts', '--field', `name=${account}`])
  expect(JSON.parse(created.stdout)).toMatchObject({ name: account })
  const body = JSON.stringify({ name: `${account}-2` })
  const options = { input: body }
  const renamed = await alice.run(['api', 'PUT', `/accounts/${account}`, '--input', '-'], options)
  expect(JSON.parse(renamed.stdout)).toMatchObject({ name: `${account}-2` })
  const deleted = await alice.run(['api', 'DELETE', `/accounts/${account}-2`])
  expect(deleted.code).toBe(0)
})

test('prints all pages of a list, each as a document', async () => {
  await using alice = await CommandLine.open('alice')
  const account = freshName('pages')
  await alice.run(['account', 'create', account])
  for (const user of ['bob', 'carol'] as const) {
    await using other = await CommandLine.open(user)
    const { user: profile } = (await other.json(['whoami'])) as { user: { id: string } }
    await alice.run(['members', 'add', profile.id, '--account', account])
  }
  const path = `/accounts/${account}/members?limit=1`
  const { stdout } = await alice.run(['api', 'GET', path, '--paginate', '--json'])
  const pages = stdout.trimEnd().split('\n')
  expect(pages.map((page) => JSON.parse(page).count)).toEqual([1, 1, 1])
})

test('prints the body of an error to standard error', async () => {
  await using alice = await CommandLine.open('alice')
  const missing = await alice.run(['api', 'GET', '/agents/alice/there-is-no-such-agent'])
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(missing.stderr)).toMatchObject({ status: 404, code: 'agent_not_found' })

  const env = { SLIPWAY_TOKEN: 'no-token' }
  const refused = await alice.run(['api', 'GET', '/me'], { env })
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(JSON.parse(refused.stderr)).toMatchObject({ status: 401 })
})

test('sends its token to no other server', async () => {
  await using alice = await CommandLine.open('alice')
  for (const path of ['https://example.com/api/v1/me', '//example.com/api/v1/me', '/../../me']) {
    const { code, stderr } = await alice.run(['api', 'GET', path])
    expect(code).toBe(2)
    expect(stderr).toContain(`is not a path of the API of ${fromStack('SLIPWAY_URL')}`)
  }
})
