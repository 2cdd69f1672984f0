import { expect, test } from 'vitest'

import { LiveLines } from './live-lines.ts'
import { Printer } from './printer.ts'

const HOSTILE = 'a\u001b[2J\u009b2J\u202eb\nc'
const [LINE, BELOW] = ['\u001b[2K', '\u001b[0J'] // clear the line, and what is below

function printerOf(isTTY: boolean) {
  const written: string[] = []
  const output = { isTTY, columns: 20, rows: 24, write: (text: string) => written.push(text) }
  const common = { stdout: output, stderr: output, env: { NO_COLOR: '1' } }
  const printer = new Printer({ ...common, format: 'text', quiet: false })
  return { live: new LiveLines(printer), written }
}

test('text of others changes nothing on a terminal but its line', () => {
  const { live, written } = printerOf(true)
  live.update([{ text: HOSTILE }, { text: 'd' }])
  expect(written.join('')).toBe(`\r${LINE}ab c\n${LINE}d\n${BELOW}`)
})

test('fits the terminal', () => {
  const { live, written } = printerOf(true)
  live.update([{ text: 'x'.repeat(40) }])
  expect(written.join('')).toContain(`${'x'.repeat(18)}…\n`)
})

test('prints only new lines in a pipe, without what changes a terminal', () => {
  const { live, written } = printerOf(false)
  live.update([{ text: HOSTILE }])
  live.update([{ text: HOSTILE }, { text: 'x'.repeat(40) }])
  expect(written).toEqual(['ab c\n', `${'x'.repeat(40)}\n`])
})
