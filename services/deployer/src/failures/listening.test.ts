import { expect, test } from 'vitest'

import { listeningIn } from './listening.ts'

test.each([
  ['listening on 9090', 9090, false],
  ['Server is listening on port 3000', 3000, false],
  ['INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)', 8000, true],
  [' * Running on http://localhost:5000', 5000, true],
  ['2026-11-21 12:00:01,123 [INFO] Listening at: http://0.0.0.0:8001 (7)', 8001, false],
  ['{"level":"info","msg":"listening","port":9090}', 9090, false],
  ['Server listening at http://[::1]:7777', 7777, true],
  ['listening on [::]:7777', 7777, false],
  ['12:00:01 listening on :4000', 4000, false],
  ['[2026-11-21 12:00:01] Serving on port=8081', 8081, false],
])('%s', (line, port, isLocal) => {
  expect(listeningIn(['starting', line, 'a later line'])).toEqual({ port, isLocal })
})

test.each([
  'connected to db:5432',
  'waiting for requests',
  'listening on events of 12:30:45',
  'listening on port 99999',
])('says nothing of an own address: %s', (line) => {
  expect(listeningIn([line])).toBeUndefined()
})
