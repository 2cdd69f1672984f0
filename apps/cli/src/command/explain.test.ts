import { mkdir } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { explain } from './explain.ts'

const failureOf = async (path: string) =>
  await mkdir(path).then(
    () => undefined,
    (error: unknown) => explain(error),
  )

test('says why a folder cannot be written', async () => {
  expect(await failureOf('/dev/null/folder')).toMatchObject({
    message: "can't use /dev/null/folder",
    why: 'a part of the path is not a folder',
    code: 'file_unusable',
  })
})

test('any other error is one to report', () => {
  expect(explain(new TypeError('x is not a function'))).toMatchObject({ code: 'internal' })
})
