import { expect, test } from 'vitest'
import { findForm } from './browser.ts'

test('findForm returns the first form with its action, method and hidden fields', () => {
  const form = findForm(`<p>hello</p><form id="f" method="post" action="/device?a=1&amp;b=2">
    <input type="hidden" name="xsrf" value="a&#39;b&quot;"/>
    <input
      type="text" name="user_code" placeholder="Enter code" autofocus>
    <input type="submit" name="go" value="Go"></form><form action="/other"></form>`)
  expect(form?.action).toBe('/device?a=1&b=2')
  expect(form?.method).toBe('POST')
  expect([...(form?.fields ?? [])]).toEqual([
    ['xsrf', 'a\'b"'],
    ['user_code', ''],
  ])
})

test('findForm returns undefined for a page without a form', () => {
  expect(findForm('<p>Signed in</p>')).toBeUndefined()
})
