import { describe, expect, test } from 'vitest'

import { ConfigError, parseConfig, type ConfigReader } from './config.ts'

/** Returns the problems with a variable; empty if it is valid. */
function problemsOf(read: (reader: ConfigReader) => unknown, value: string): readonly string[] {
  try {
    parseConfig({ NAME: value }, (reader) => ({ value: read(reader) }))
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems
  }
}

describe('address', () => {
  const read = (reader: ConfigReader) => reader.address('NAME', '127.0.0.1:1')

  test.each(['', '127.0.0.1:9101', '[::1]:9101', '[::]:0', 'localhost:65535', 'pod-1.catalog:80'])(
    'accepts %j',
    (value) => {
      expect(problemsOf(read, value)).toEqual([])
    },
  )

  test.each([
    '9101',
    ':9101',
    'localhost',
    '::1:9101',
    'localhost:65536',
    'http://localhost:1',
    'a b:1',
  ])('rejects %j', (value) => {
    expect(problemsOf(read, value)).toEqual(['NAME: must be host:port'])
  })
})
