import { expect, test } from 'vitest'

import { keyringProblemText, NO_KEYRING } from './keyring-problem.ts'

const DBUS = 'Platform failure: DBus error: '

test.each([
  [`${DBUS}Using X11 for dbus-daemon autolaunch was disabled at compile time`, NO_KEYRING],
  [`${DBUS}Failed to connect to socket /run/user/1000/bus: No such file or directory`, NO_KEYRING],
  [`${DBUS}The name org.freedesktop.secrets was not provided by any .service files`, NO_KEYRING],
  ['the collection is locked', 'the collection is locked'],
])('a failure of the keyring in plain words: %s', (message, text) => {
  expect(keyringProblemText(new Error(message))).toBe(text)
})

test('a keyring that does not respond', () => {
  const error = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  expect(keyringProblemText(error)).toBe('the keyring does not respond')
})
