import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { messagingImage } from './messaging-image.ts'

test('changes the image’s name with its sources, not with their tests', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'slipway-messaging-'))
  onTestFinished(() => rmSync(checkout, { recursive: true }))
  const write = (file: string, text: string) =>
    writeFileSync(join(checkout, 'examples/web-adapter', file), text)
  mkdirSync(join(checkout, 'examples/web-adapter/src'), { recursive: true })
  write('package.json', '{}')
  write('src/main.ts', 'one')
  const first = messagingImage({ checkout }, 'registry:5000')
  expect(first).toMatch(/^registry:5000\/slipway\/web-adapter:[0-9a-f]{12}$/)
  write('src/main.test.ts', 'test')
  expect(messagingImage({ checkout }, 'registry:5000')).toBe(first)
  write('src/main.ts', 'two')
  expect(messagingImage({ checkout }, 'registry:5000')).not.toBe(first)
})
