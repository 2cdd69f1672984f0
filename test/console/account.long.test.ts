import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { openBrowser, signIn } from './support/browser.ts'
import { expectGoodScreen } from './support/screen.ts'

const TEAM = `console-team-${Date.now() % 1_000_000}`

let bob = ''

beforeAll(async () => {
  const created = await request('POST', '/accounts', { as: 'alice', body: { name: TEAM } })
  expect([created.status, created.text]).toEqual([201, expect.any(String)])
  bob = (await request('GET', '/me', { as: 'bob' })).body.user.id
})

afterAll(async () => {
  await request('DELETE', `/accounts/${TEAM}`, { as: 'alice' })
})

test('adds a member, who confirms and may not manage, and removes them', async () => {
  await using owner = await openBrowser()
  const { page } = owner
  await signIn(page, 'alice', `/accounts/${TEAM}`)
  await page.getByRole('list').getByText(' of ').first().waitFor()
  for (const form of ['Add a member', 'Create a machine token']) {
    const parts = page.getByRole('form', { name: form }).locator('input, select, button')
    const boxes = await Promise.all((await parts.all()).map((part) => part.boundingBox()))
    const middles = boxes.map((box) => (box === null ? NaN : box.y + box.height / 2))
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(2)
  }
  await page.getByLabel('User id of a new member').fill(bob)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: bob })
  await row.getByText('not confirmed').waitFor()

  await using other = await openBrowser()
  const { page: theirs } = other
  await signIn(theirs, 'bob', `/accounts/${TEAM}`)
  await theirs.getByRole('button', { name: 'Confirm' }).click()
  await theirs.getByText('You were added to this account').waitFor({ state: 'detached' })
  // What they may not do is there, and says why.
  const id = theirs.getByLabel('User id of a new member')
  expect(await id.isDisabled()).toBe(true)
  await theirs.getByText('Only owners and admins of the account may do this.').first().waitFor()
  expect(await theirs.getByLabel('Name of a new token').isDisabled()).toBe(true)
  await theirs.getByRole('row').filter({ hasText: 'Alice Archer' }).waitFor()
  await expectGoodScreen(other, 'account of a member')

  await page.reload()
  const confirmed = page.getByRole('row').filter({ hasText: 'bob@' })
  await confirmed.getByRole('combobox').selectOption('admin')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Change the role' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await confirmed.getByRole('combobox').inputValue()).toBe('admin')
  await confirmed.getByRole('button', { name: /^Remove/ }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await confirmed.waitFor({ state: 'detached' })
  expect([...owner.faults, ...other.faults]).toEqual([])
})

test('shows the secret of a new token once, and revokes the token', async () => {
  await using browser = await openBrowser()
  const { page, context } = browser
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'alice', `/accounts/${TEAM}`)
  await page.getByLabel('Name of a new token').fill('ci/deploy')
  await page.getByRole('button', { name: 'Create' }).click()
  const secret = await page.getByLabel('Secret of the new token').inputValue()
  await expectGoodScreen(browser, 'new token')
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
  const ask = async () => {
    const headers = { authorization: `Bearer ${secret}` }
    return (await fetch(`${fromStack('SLIPWAY_URL')}/api/v1/me`, { headers })).status
  }
  expect(await ask()).toBe(200)

  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByLabel('Secret of the new token').waitFor({ state: 'detached' })
  const known = `JSON.stringify([document.documentElement.outerHTML, {...localStorage},
    {...sessionStorage}])`
  expect(await page.evaluate(known)).not.toContain(secret)
  await page.getByRole('button', { name: 'Revoke ci/deploy' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No machine token yet').waitFor()
  expect(await ask()).toBe(401)

  // The browser may keep the page for its button "back".
  await page.getByLabel('Name of a new token').fill('left')
  await page.getByRole('button', { name: 'Create' }).click()
  const field = page.getByLabel('Secret of the new token')
  await field.waitFor()
  const leave = `(() => {
    const input = document.querySelector('input.secret')
    const before = input.value
    window.dispatchEvent(new Event('pagehide'))
    return [before.length > 0, input.value]
  })()`
  expect(await page.evaluate(leave)).toEqual([true, ''])
  await field.waitFor({ state: 'detached' })
  expect(browser.faults).toEqual([])
})
