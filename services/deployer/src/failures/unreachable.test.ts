import { expect, test } from 'vitest'

import { unreachableIn } from './unreachable.ts'

// What libraries write when the service that they call is down, has no name, or doesn't answer.
test.each([
  ['Error: connect ECONNREFUSED 10.96.0.7:6379', '10.96.0.7:6379', 'nothing listens there'],
  [
    'redis.exceptions.ConnectionError: Error 111 connecting to redis:6379. Connection refused.',
    'redis:6379',
    'nothing listens there',
  ],
  [
    'redis.exceptions.ConnectionError: Error -2 connecting to cache:6379. Name or service ' +
      'not known.',
    'cache:6379',
    'there is no such name',
  ],
  [
    'psycopg.OperationalError: connection failed: connection to server at "10.0.0.1", port ' +
      '5432 failed: Connection refused',
    '10.0.0.1:5432',
    'nothing listens there',
  ],
  [
    'connection to server at "db" (10.0.0.1), port 5432 failed: Connection refused',
    'db:5432',
    'nothing listens there',
  ],
  [
    'psycopg2.OperationalError: could not translate host name "db.internal" to address: ' +
      'Name or service not known',
    'db.internal',
    'there is no such name',
  ],
  ['Error: getaddrinfo ENOTFOUND orders-api', 'orders-api', 'there is no such name'],
  ['Error: getaddrinfo EAI_AGAIN orders-api', 'orders-api', 'there is no such name'],
  [
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='search', port=8080): " +
      "Max retries exceeded with url: / (Caused by NewConnectionError('<...>: Failed to " +
      "establish a new connection: [Errno 111] Connection refused'))",
    'search:8080',
    'nothing listens there',
  ],
  [
    'aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host api:80 ' +
      "ssl:default [Connect call failed ('10.1.1.1', 80)]",
    '10.1.1.1:80',
    'nothing listens there',
  ],
  ['httpx.ConnectError: [Errno 111] Connection refused', '', 'nothing listens there'],
  ['httpx.ConnectError: All connection attempts failed', '', ''],
  ['openai.APIConnectionError: Connection error.', '', ''],
  [
    'pymongo.errors.ServerSelectionTimeoutError: mongo:27017: timed out',
    'mongo:27017',
    'it did not answer in time',
  ],
  [
    '2026/11/22 12:00:01 dial tcp 10.0.0.9:5432: connect: connection refused',
    '10.0.0.9:5432',
    'nothing listens there',
  ],
  ['dial tcp: lookup qdrant on 10.96.0.10:53: no such host', 'qdrant', 'there is no such name'],
  ['java.net.UnknownHostException: kafka', 'kafka', 'there is no such name'],
  [
    '[cause]: ConnectTimeoutError: Connect Timeout Error (attempted address: ' +
      'api.example.com:443, timeout: 10000ms)',
    'api.example.com:443',
    'it did not answer in time',
  ],
  ['12:00:01 main.py:42 ERROR could not connect to amqp://mq:5672/', 'mq:5672', ''],
  ['12:00:01 ERROR no route to host', '', 'no network leads there'],
])('%s', (line, address, why) => {
  const found = unreachableIn(['starting', line, 'GET /healthz 200'])
  expect(found).toEqual({ address, why, line: line.trim() })
})

test.each([
  'listening on 0.0.0.0:8080',
  'connected to redis:6379',
  'INFO: 10.0.0.1:53422 - "GET /healthz HTTP/1.1" 200 OK',
  'the connection was closed by the client',
  'retry after timeout of 30s was set to 60',
  "ModuleNotFoundError: No module named 'numpy'",
  "FileNotFoundError: [Errno 2] No such file or directory: 'prompts/system.txt'",
  'jinja2.exceptions.TemplateNotFound: chat.html',
  'botocore.errorfactory.ResourceNotFoundException: Requested resource not found',
])('says nothing of: %s', (line) => {
  expect(unreachableIn([line])).toBeUndefined()
})

test('names the address of an error that is printed on several lines', () => {
  const lines = ['[cause]: Error: getaddrinfo ENOTFOUND orders', "  code: 'ENOTFOUND',"]
  expect(unreachableIn(lines)).toMatchObject({ address: 'orders', why: 'there is no such name' })
})
