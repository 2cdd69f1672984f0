import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'

import { continueLine, isInterruption, withLastPiece } from './interruption.ts'

test('the last line has the request that continues the log', () => {
  const url = '/api/v1/agents/a%20b/x/deployment/logs?component=tool.y&since=old&follow=true'
  expect(continueLine(url, { since: '2026-01-02T03:04:05.678Z', tailLines: '5000' })).toBe(
    '# interrupted; continue with GET /api/v1/agents/a%20b/x/deployment/logs?component=tool.y' +
      '&since=2026-01-02T03%3A04%3A05.678Z&follow=true&tailLines=5000\n',
  )
})

test('only an interrupted stream has a last piece', async () => {
  async function* pieces(error?: Error) {
    yield 'a'
    if (error !== undefined) throw error
  }
  const read = async (error?: Error) =>
    await Array.fromAsync(withLastPiece(pieces(error), () => 'last'))
  expect(await read()).toEqual(['a'])
  expect(await read(new ConnectError('', Code.Unavailable))).toEqual(['a', 'last'])
  const expired = new ConnectError('', Code.Unauthenticated)
  await expect(read(expired)).rejects.toBe(expired)
  expect(isInterruption(new DOMException('', 'AbortError'))).toBe(false)
})
