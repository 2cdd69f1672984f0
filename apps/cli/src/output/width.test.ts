import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import stringWidth from 'string-width'
import { expect, test } from 'vitest'

import { shorten, widthOf } from './width.ts'

const texts = [
  'plain',
  'Grüße, «Élodie»…',
  '✓ done → ▁▂▃█░ ✗',
  '東京 日本語 ｶﾞ',
  '한국어',
  '한국어'.normalize('NFD'),
  'हिन्दी தமிழ் ภาษาไทย',
  'e\u0301 a\u0301\u0323',
  '👩‍👩‍👧 👍🏽 🇩🇪 1️⃣ ❤️ ⚠️ ⚠',
  'a\u200bb a\u00adb \ufeff',
]

test.each(texts)('measures %s as terminals show it', (text) => {
  expect(widthOf(text)).toBe(stringWidth(text))
})

test('measures each character, alone and next to others, as the library does', () => {
  const wrong = Array.from({ length: 0x2800 }, (_, code) => String.fromCharCode(code)).filter(
    (each) => [each, `a${each}\ufe0f`].some((text) => widthOf(text) !== stringWidth(text)),
  )
  expect(wrong).toEqual([])
})

test('shortens wide texts to whole characters', () => {
  expect(shorten('日本語', 4)).toBe('日…')
  expect(shorten('Grüße aus Köln', 6)).toBe('Grüße…')
})

test('loads the library only for texts that need it', () => {
  const program = `
    import { widthOf } from ${JSON.stringify(join(import.meta.dirname, 'width.ts'))}
    import { createRequire } from 'node:module'
    const { cache } = createRequire(import.meta.url)
    const isLoaded = () => Object.keys(cache).some((file) => file.includes('string-width'))
    const widths = [widthOf('Grüße → ✓ …')]
    const before = isLoaded()
    widths.push(widthOf('東京'))
    console.log(JSON.stringify([widths, before, isLoaded()]))
  `
  const { stdout } = spawnSync(process.execPath, ['--input-type=module'], { input: program })
  expect(stdout.toString()).toBe('[[11,4],false,true]\n')
})
