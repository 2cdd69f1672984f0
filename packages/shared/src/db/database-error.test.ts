import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'

import { Unavailable } from '../errors.ts'
import { isContention, isTransient, mapDatabaseError, uniqueViolation } from './database-error.ts'

function stateError(code: string, constraint?: string): DatabaseError {
  return Object.assign(new DatabaseError('refused', 0, 'error'), { code, constraint })
}
const networkError = (code: string): Error => Object.assign(new Error('line'), { code })

describe('isTransient', () => {
  test.each([
    ['a deadlock', stateError('40P01'), true],
    ['a connection exception', stateError('08006'), true],
    ['too many connections', stateError('53300'), true],
    ['the statement timeout', stateError('57014'), true],
    ['a restart', stateError('57P01'), true],
    ['a standby', stateError('25006'), true],
    ['a refused connection', networkError('ECONNREFUSED'), true],
    ['a full pool', new Error('timeout exceeded when trying to connect'), true],
    ['a violated constraint', stateError('23505'), false],
    ['a syntax error', stateError('42601'), false],
    ['a missing file', networkError('ENOENT'), false],
    ['a bug', new TypeError('x is not a function'), false],
    ['no error', 'timeout', false],
  ])('%s', (_name, error, expected) => {
    expect(isTransient(error)).toBe(expected)
    const mapped = mapDatabaseError(error)
    expect(mapped instanceof Unavailable).toBe(expected)
    expect(isTransient(mapped)).toBe(expected)
    expect(mapDatabaseError(mapped)).toBe(mapped)
  })
})

test('isContention allows only a lost race to be run again', () => {
  expect(isContention(stateError('40001'))).toBe(true)
  expect(isContention(mapDatabaseError(stateError('40P01')))).toBe(true)
  expect(isContention(stateError('57014'))).toBe(false)
  expect(isContention(new Unavailable('other', 'not the database'))).toBe(false)
})

test('uniqueViolation returns the name of the constraint', () => {
  expect(uniqueViolation(stateError('23505', 'account_name_key'))).toBe('account_name_key')
  expect(uniqueViolation(stateError('23503', 'account_name_key'))).toBeUndefined()
})
