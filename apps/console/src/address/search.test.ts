import { expect, test } from 'vitest'

import {
  compareSearch,
  deploySearch,
  deploymentsSearch,
  logsSearch,
  metricsSearch,
  sessionSearch,
  sessionsSearch,
  traceSearch,
  withFilter,
  withListFilter,
} from './search.ts'

test('keeps the filters that are valid', () => {
  expect(traceSearch({ q: 'refund', status: 'error', slower: 500, offset: 50 })).toEqual({
    q: 'refund',
    status: 'error',
    slower: 500,
    offset: 50,
  })
  expect(logsSearch({ pod: 'agent-0', previous: true })).toEqual({ pod: 'agent-0', previous: true })
})

test('leaves out what is not valid', () => {
  expect(traceSearch({ q: ['a'], status: 'bad', slower: -1, offset: 0.5 })).toEqual({})
  expect(deploymentsSearch({ q: '', state: 'all' })).toEqual({})
  expect(logsSearch({ previous: 'true' })).toEqual({})
})

test('changes and removes one filter', () => {
  expect(withFilter({ q: 'a', tag: 'b' }, 'q', 'c')).toEqual({ q: 'c', tag: 'b' })
  expect(withFilter({ q: 'a', tag: 'b' }, 'q', '')).toEqual({ tag: 'b' })
})

test('leads back to the first page of a list when a filter changes', () => {
  expect(withListFilter({ q: 'a', offset: 50 }, 'q', 'b')).toEqual({ q: 'b' })
  expect(withListFilter({ q: 'a', offset: 50 }, 'q', '')).toEqual({})
})

test('reads a word of digits as text, and bounds it', () => {
  expect(traceSearch({ q: 404 })).toEqual({ q: '404' })
  expect(traceSearch({ q: 'a'.repeat(300) }).q).toHaveLength(200)
})

test('a version of a deploy has precedence over a build', () => {
  expect(deploySearch({ version: '1.0.0', build: 'b1' })).toEqual({ version: '1.0.0' })
  expect(deploySearch({ build: 12 })).toEqual({ build: '12' })
  expect(deploySearch({ version: ['1.0.0'], build: '' })).toEqual({})
})

test('keeps the whole id of a session, which may be longer than words', () => {
  expect(sessionSearch({ id: 'a'.repeat(300), offset: 50 }).id).toHaveLength(256)
  expect(traceSearch({ session: 'a'.repeat(300) }).session).toHaveLength(256)
  expect(sessionsSearch({ q: 'chat-', user: 7, failed: true, since: '7d' })).toEqual({
    q: 'chat-',
    user: '7',
    failed: true,
    since: '7d',
  })
})

test('reads a range that ends now, or two times in their order', () => {
  const [from, to] = ['2026-11-23T10:00:00.000Z', '2026-11-23T12:00:00.000Z']
  expect(metricsSearch({ from, to, since: '7d' })).toEqual({ from, to })
  expect(metricsSearch({ from: to, to: from, since: '7d' })).toEqual({ since: '7d' })
  expect(metricsSearch({ from, to: 'soon' })).toEqual({})
  expect(metricsSearch({ since: 'constructor' })).toEqual({})
})

test('reads the revisions to compare', () => {
  expect(compareSearch({ from: 2, to: '3' })).toEqual({ from: 2 })
})
