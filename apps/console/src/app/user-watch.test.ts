import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { SESSION_KEY } from '../api/session.ts'
import { forgetDenied } from './denied.ts'
import { watchUser } from './user-watch.ts'

function sessionOf(id: string) {
  return { user: { id, name: id }, expires_at: '', idle_expires_at: '' }
}

test.each([
  ['another user', sessionOf('b'), 1],
  ['no one', null, 0],
])('forgets the data of a user when %s is signed in, and has other tabs check', async (...row) => {
  const [, next, expectedLoads] = row
  let loads = 0
  const onOtherUser = () => {
    loads += 1
  }
  const queryClient = new QueryClient()
  const otherTab = new QueryClient()
  const ends = [watchUser(queryClient, onOtherUser), watchUser(otherTab, onOtherUser)]
  otherTab.setQueryData(SESSION_KEY, sessionOf('a'))
  queryClient.setQueryData(SESSION_KEY, sessionOf('a'))
  await expect.poll(() => otherTab.getQueryState(SESSION_KEY)?.isInvalidated).toBe(true)
  otherTab.setQueryData(SESSION_KEY, sessionOf('a'))
  queryClient.setQueryData(['trace'], 'of a')
  queryClient.setQueryData(SESSION_KEY, next)
  await expect.poll(() => queryClient.getQueryData(['trace'])).toBeUndefined()
  await expect.poll(() => otherTab.getQueryState(SESSION_KEY)?.isInvalidated).toBe(true)
  expect(queryClient.getQueryData(SESSION_KEY)).toEqual(next)
  expect(loads).toBe(expectedLoads)
  for (const end of ends) end()
  queryClient.clear()
  otherTab.clear()
})

test.each([
  [403, undefined],
  [404, 'old'],
  [503, 'old'],
])('after an error with status %i, a page has the data %j', (status, data) => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(['trace'], 'old')
  const query = queryClient.getQueryCache().find({ queryKey: ['trace'] })
  if (query !== undefined) forgetDenied(status, query)
  expect(queryClient.getQueryData(['trace'])).toBe(data)
  queryClient.clear()
})
